import type { KnownValue, KnownValues } from './watch-columns.ts';

/** What is known of the values of columns, as JSON and YAML have it: column, then value. */
export type StoredValues = Readonly<Record<string, Readonly<Record<string, KnownValue>>>>;

export const knownOf = (values: StoredValues): KnownValues =>
  new Map(Object.entries(values).map(([column, of]) => [column, new Map(Object.entries(of))]));

/** Sorted, so that the same values give the same text. */
export const valuesOf = (known: KnownValues): StoredValues => {
  const sorted = <V>(entries: Iterable<readonly [string, V]>) =>
    [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted(known).map(([column, of]) => [column, Object.fromEntries(sorted(of))]));
};

/** What was known, with what a file has and a person says of it now: an earlier answer stays where the file only has the value, too. Pure. */
export const addKnown = (known: KnownValues | undefined, now: KnownValues): KnownValues => {
  const all = new Map([...(known ?? [])].map(([column, of]) => [column, new Map(of)]));
  for (const [column, of] of now) {
    const values = all.get(column) ?? new Map<string, KnownValue>();
    for (const [value, answer] of of) if (answer !== 'seen' || !values.has(value)) values.set(value, answer);
    all.set(column, values);
  }
  return all;
};
