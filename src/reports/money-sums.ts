import { fromCents, toCents, toMillionths } from '../placing/money.ts';

/** An exact sum of money. */
export interface MoneySum {
  /** Ignores text that is not an amount. */
  add(decimal: string | null): void;
  /** With two decimals; undefined if nothing was added. */
  total(): string | undefined;
}

export const createMoneySum = (): MoneySum => {
  let sum: bigint | undefined;
  return {
    add: (decimal) => {
      const amount = decimal === null ? undefined : toMillionths(decimal);
      if (amount !== undefined) sum = (sum ?? 0n) + amount;
    },
    total: () => (sum === undefined ? undefined : fromCents(toCents(sum))),
  };
};

/** A whole number times a price, with two decimals; blank if either is invalid. Pure. */
export const moneyProduct = (count: string, price: string): string => {
  const amount = toMillionths(price);
  return amount === undefined || !/^\d+$/.test(count) ? '' : fromCents(toCents(amount * BigInt(count)));
};
