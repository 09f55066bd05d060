/**
 * Integer millionths of a decimal text, rounded half up; undefined if it is not one. Exact: no floating point. A service
 * may price by the hundredth of a cent, and its floats may have digits of noise beyond the millionths.
 */
export const toMillionths = (decimal: string): bigint | undefined => {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal);
  if (!parts) return undefined;
  const [, sign, whole, fraction = ''] = parts;
  const digits = fraction.padEnd(7, '0');
  const amount = BigInt(whole! + digits.slice(0, 6)) + (digits[6]! >= '5' ? 1n : 0n);
  return sign === '-' ? -amount : amount;
};

/** Integer cents of millionths, half up. */
export const toCents = (millionths: bigint): bigint =>
  millionths < 0n ? -toCents(-millionths) : (millionths + 5000n) / 10_000n;

/** `1234` as `12.34`. */
export const fromCents = (cents: bigint): string => {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** A decimal text as a person writes money: two digits after the point, more only where they are not zero. */
export const showMoney = (decimal: string): string => {
  const [whole, fraction = ''] = decimal.split('.');
  return `${whole}.${fraction.slice(0, 6).replace(/0+$/, '').padEnd(2, '0')}`;
};
