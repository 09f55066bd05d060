import { headerKey } from '../columns/fields.ts';
import { positionOf } from '../columns/match-header.ts';
import { maySayNotToOrder } from '../rows/says-not-to-order.ts';
import { type Answer, anyValue, describing, type KnownValue, type KnownValues } from './answers.ts';
import { isStopHeader, isStopValue } from './remarks.ts';
import { isOfIdentifiers } from './shapes.ts';
import { belowPieces, standsForMany, textKey, type ValueKey, valueKey } from './telling-values.ts';
import { otherKey } from './titles.ts';
import { isOther } from './watch-others.ts';
import { isUnnamedKey } from './watched-columns.ts';

/** Known values as in JSON and YAML: column → value → answer. */
export type StoredValues = Readonly<Record<string, Readonly<Record<string, KnownValue>>>>;

export const knownOf = (values: StoredValues): KnownValues =>
  new Map(Object.entries(values).map(([column, of]) => [column, new Map(Object.entries(of))]));

/**
 * Normalizes answers that a person wrote, for comparison: `Status: { Cancelled: leave_out }`. Pure.
 *
 * @param isBare the file has no header, and its columns are named by position: `4`, `D` or `column 4`
 * @param width of the header; columns to the right of it have keys such as `column 4`, with a blank
 */
export const foldValues = (values: StoredValues, isBare = false, width?: number): StoredValues =>
  Object.fromEntries(
    Object.entries(values).map(([column, of]) => {
      // Keys that begin with a blank are not texts of a file but markers of the version of the others.
      const fold = (value: string) => {
        if (isOfIdentifiers(column)) return textKey(value);
        return !isOther(column)
          ? valueKey(value, undefined)
          : value.startsWith(' ')
            ? value
            : otherKey(value);
      };
      return [
        isOther(column) || column === `column ${(width ?? -1) + 1}`
          ? column
          : isBare
            ? unnamedKey(column)
            : headerKey(column) || column,
        Object.fromEntries(
          Object.entries(of).map(([value, answer]) => [
            [anyValue, describing, belowPieces].includes(value) ? value : fold(value),
            answer,
          ]),
        ),
      ];
    }),
  );

/** The key of a column of a file without a header. */
const unnamedKey = (name: string): string => headerKey(`column ${(positionOf(name) ?? -1) + 1}`);

/** Why a person cannot write such a value; undefined: it is compared as written. Pure. */
export const whyNotValue = (value: string): string | undefined =>
  standsForMany(valueKey(value, undefined)) && !standsForMany(value)
    ? 'is a number, an amount or a date, of which only the kind is compared; write number < quantity, number = quantity, number > quantity, an amount or a date'
    : undefined;

/** Why an answer cannot be given to a value of a column, by their keys; undefined: it can. Pure. */
export const whyNotAnswer = (column: string, value: ValueKey, answer: KnownValue): string | undefined => {
  if (answer.startsWith('pieces')) {
    if (isOfIdentifiers(column))
      return 'is a PO number or an item, which does not say how many pieces one is';
    return standsForMany(value)
      ? 'covers different numbers, so it cannot say how many pieces one is; leave such rows out, and order them counted in pieces'
      : undefined;
  }
  return isOfEach(column, value) && answer === 'leave_out'
    ? 'covers all PO numbers or items that look like it, also those that nobody has seen; write ask'
    : undefined;
};

/** Whether the value is a number of which only the shape is compared, so that an answer does not apply to each such number. Pure. */
export const isOfEach = (column: string, value: ValueKey): boolean =>
  isOfIdentifiers(column) && standsForMany(value);

/** Sorted, so that the same values give the same text. */
export const valuesOf = (known: KnownValues): StoredValues => {
  const sorted = <V>(entries: Iterable<readonly [string, V]>) =>
    [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted(known).map(([column, of]) => [column, Object.fromEntries(sorted(of))]));
};

/** Merges known values with those of a file and a person's answers. An earlier answer is kept if the file only contains the value. Pure. */
export const addKnown = (known: KnownValues | undefined, now: KnownValues): KnownValues => {
  const all = new Map([...(known ?? [])].map(([column, of]) => [column, new Map(of)]));
  for (const [column, of] of now) {
    const values = all.get(column) ?? new Map<string, KnownValue>();
    for (const [value, answer] of of) if (answer !== 'seen' || !values.has(value)) values.set(value, answer);
    all.set(column, values);
  }
  return all;
};

/**
 * Known values from other layouts of the account, for a file with a new header. Includes only values that were always ordered, and never
 * texts that say not to order, because answers apply to the files of one header. Pure.
 */
export const knownElsewhere = (
  layouts: readonly { header?: readonly string[]; known?: KnownValues }[],
): KnownValues => {
  const stops = new Set(layouts.flatMap(({ header = [] }) => header.filter(isStopHeader).map(headerKey)));
  const all = new Map<string, Map<ValueKey, KnownValue>>();
  const otherwise = new Set<string>();
  for (const { known } of layouts)
    for (const [column, values] of known ?? []) {
      // Unnamed columns of other layouts are unrelated.
      if (isUnnamedKey(column)) continue;
      const seen = all.get(column) ?? new Map<ValueKey, KnownValue>();
      for (const [key, answer] of values) {
        if (key === anyValue || maySayNotToOrder(key) || (stops.has(column) && isStopValue(key))) continue;
        if (answer === 'seen' || answer === 'order') seen.set(key, 'seen');
        else otherwise.add(`${column}\n${key}`);
      }
      all.set(column, seen);
    }
  for (const [column, seen] of all)
    for (const key of seen.keys()) if (otherwise.has(`${column}\n${key}`)) seen.delete(key);
  return all;
};

/** A person's decision about the rows with a value. */
export interface DecidedValue {
  column: string;
  value: ValueKey;
  answer: Answer | 'pieces';
  /** For `pieces`: how many pieces a quantity of 1 means. */
  pieces?: number | undefined;
}

/** The known values, with a person's decisions about some of them. Pure. */
export const withDecided = (
  known: KnownValues | undefined,
  decided: readonly DecidedValue[],
): KnownValues | undefined => {
  if (decided.length === 0) return known;
  const all = new Map([...(known ?? [])].map(([column, values]) => [column, new Map(values)]));
  for (const { column, value, answer, pieces } of decided) {
    // The other values of a new column were shown to the person.
    const values = all.get(column) ?? new Map<ValueKey, KnownValue>([[anyValue, 'seen']]);
    // An answer for all other values applies to later files, because those of this one were shown.
    if (value !== anyValue) values.set(value, answer === 'pieces' ? `pieces ${pieces ?? 1}` : answer);
    all.set(column, values);
  }
  return all;
};
