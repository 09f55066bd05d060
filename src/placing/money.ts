/** Integer cents of a decimal text, half up; undefined when it is none. Exact: no floating point. */
export const toCents = (decimal: string): bigint | undefined => {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal);
  if (!parts) return undefined;
  const [, sign, whole, fraction = ''] = parts;
  const digits = fraction.padEnd(3, '0');
  const cents = BigInt(whole!) * 100n + BigInt(digits.slice(0, 2)) + (digits[2]! >= '5' ? 1n : 0n);
  return sign === '-' ? -cents : cents;
};

/** `1234` as `12.34`. */
export const fromCents = (cents: bigint): string => {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
