import { cleanCell } from '../rows/clean-cell.ts';

/** A value of a telling column, as it is compared with those that were seen: the same for `Open`, `OPEN ` and `open`. */
export type ValueKey = string;

const longest = 100;
const wholeNumber = /^[+-]?\d{1,9}$/;
const amount = /^[^\p{L}\d]{0,3}[+-]?\d[\d.,' ]*[^\p{L}\d]{0,3}$/u;
const date = /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:[ T]\d{1,2}:\d{2}.*)?$/;

/** A number says something about an order only beside its quantity. */
const numberKey = (number: number, quantity: number | undefined): ValueKey => {
  if (number === 0) return '0';
  if (quantity === undefined) return 'number';
  if (number === quantity) return 'number = quantity';
  return number < quantity ? 'number < quantity' : 'number > quantity';
};

/**
 * What a cell says about its row, for comparing: a text as it is without case and doubled blanks, a whole number by its size beside the quantity,
 * and of amounts and dates only that they are some. Pure.
 */
export const valueKey = (cell: string, quantity: number | undefined): ValueKey => {
  const text = cleanCell(cell, 'text').text.replace(/\s+/g, ' ').trim();
  if (text === '') return '';
  if (wholeNumber.test(text)) return numberKey(Number(text), quantity);
  if (date.test(text)) return 'a date';
  if (amount.test(text)) return 'an amount';
  return text.slice(0, longest).toWellFormed().toLowerCase();
};

/** So many different values are no longer few. */
const mostValues = 12;
const longestValue = 30;

/** The values of one column that is not read, as far as they are few. */
export interface ColumnValues {
  filled: number;
  /** Rows by key; undefined once there are too many or too long ones. */
  counts: Map<ValueKey, number> | undefined;
  /** Each as its first row has it. */
  texts: Map<ValueKey, string>;
}

/** Adds a value to what is known of its column. */
export const addValue = (values: ColumnValues, key: ValueKey, cell: string): void => {
  if (key !== '') values.filled += 1;
  const { counts } = values;
  if (!counts) return;
  const before = counts.get(key) ?? 0;
  if (before === 0) values.texts.set(key, cell);
  counts.set(key, before + 1);
  if (counts.size > mostValues + 1) values.counts = undefined;
};

const isNumber = (key: ValueKey): boolean => key === '0' || key.startsWith('number');

/** A value with a longer number is a number of a document or of a person. */
const isReference = (key: ValueKey): boolean => /\d{4}/.test(key);

/**
 * Whether a column that is not read may say something about the order: it is empty, or it has few short values that are not all references.
 * Numbers count where they are never both below and above the quantity, as those of lines are. Pure.
 */
export const isTelling = ({ counts, filled }: ColumnValues): boolean => {
  if (!counts) return false;
  if (filled === 0) return true;
  const keys = [...counts.keys()].filter((key) => key !== '');
  if (keys.every(isNumber)) return !(counts.has('number < quantity') && counts.has('number > quantity'));
  return !keys.every(isReference) && keys.every((key) => key.length <= longestValue);
};

/**
 * Whether what a column says could mean that its rows are not to be ordered as they are, so that a person looks at it before the first file
 * of a header is ordered. An amount or a date in each row cannot; where only some rows have one, it may be that of a cancellation. Pure.
 */
export const saysSomething = ({ counts, filled }: ColumnValues): boolean => {
  if (!counts || filled === 0) return false;
  const keys = [...counts.keys()].filter((key) => key !== '');
  const isMeasure = (key: ValueKey) => key === 'an amount' || key === 'a date';
  if (keys.every((key) => isMeasure(key) || isNumber(key)) && keys.some(isMeasure)) return counts.has('');
  return keys.every(isNumber) ? isTelling({ counts, filled, texts: new Map() }) : !keys.every(isReference);
};
