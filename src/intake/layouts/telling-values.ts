import { createHash } from 'node:crypto';
import { cleanCell } from '../rows/clean-cell.ts';

/** The comparison key of a value in a telling column: the same for `Open`, `OPEN ` and `open`. */
export type ValueKey = string;

/** The maximum of different values that counts as few. */
const mostValues = 12;
const longest = 100;
const wholeNumber = /^[+-]?\d{1,9}$/;
/** Statuses, document types or pack sizes; longer numbers identify documents, persons and places. */
const shortNumber = /^-?\d{1,3}$/;
const amount = /^[^\p{L}\d]{0,3}[+-]?\d[\d.,' ]*[^\p{L}\d]{0,3}$/u;
const inCurrency = /^(?:\p{L}{3}\s?[+-]?\d[\d.,']*[.,]\d{2}|[+-]?\d[\d.,']*[.,]\d{2}\s?\p{L}{3})$/u;
const date = /^(?:\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:[ T]\d{1,2}:\d{2}.*)?|\d{1,2}\/\d{1,2})$/;
/** Placeholders for no value. */
const nothingSaid = /^[-–—._/\s\p{Cf}]*$/u;

/** Of amounts, such as another quantity, only the comparison with the quantity matters. */
const numberKind = (number: number, quantity: number | undefined): ValueKey => {
  if (number === 0) return '0';
  if (quantity === undefined) return 'number';
  if (number === quantity) return 'number = quantity';
  return number < quantity ? 'number < quantity' : 'number > quantity';
};

/** The comparison key of a text; long texts are truncated and hashed. Pure. */
export const textKey = (text: string): ValueKey => {
  const key = text.replace(/\s+/g, ' ').trim().toLowerCase();
  if (key.length <= longest) return key;
  return `${key.slice(0, longest).toWellFormed()} ${createHash('sha256').update(key).digest('hex').slice(0, 8)}`;
};

/**
 * The comparison key of a cell: a text without case and repeated blanks, a short whole number unchanged, a longer one by its size relative
 * to the quantity, amounts and dates only as such. Pure.
 */
export const valueKey = (cell: string, quantity: number | undefined): ValueKey => {
  const { text } = cleanCell(cell, 'text');
  const trimmed = text.trim();
  if (nothingSaid.test(trimmed)) return '';
  if (wholeNumber.test(trimmed)) {
    const number = String(Number(trimmed));
    return shortNumber.test(number) ? number : numberKind(Number(number), quantity);
  }
  if (date.test(trimmed)) return 'a date';
  if (amount.test(trimmed) || inCurrency.test(trimmed)) return 'an amount';
  return textKey(text);
};

/** The same for a column of amounts: short numbers are also compared by their size relative to the quantity. Pure. */
export const kindKey = (key: ValueKey, quantity: number | undefined): ValueKey =>
  shortNumber.test(key) ? numberKind(Number(key), quantity) : key;

const isNumber = (key: ValueKey): boolean => key === '0' || /^number(?: [<=>] quantity)?$/.test(key);
const isAmountOrDate = (key: ValueKey): boolean => key === 'an amount' || key === 'a date';

/** Whether the key stands for a number, an amount or a date. Pure. */
export const isMeasure = (key: ValueKey): boolean => isNumber(key) || isAmountOrDate(key);

/**
 * A blank cell below a row that is counted in pieces; its answer does not apply to other blank cells. Keys of cells never begin with a
 * blank.
 */
export const belowPieces = ' below pieces';

/** The shapes of identifiers. @see shapeKey */
export const shapes = {
  one: 'one number or code',
  several: 'several numbers',
  mixed: 'words with a number',
  words: 'only words',
} as const;

/** How keys begin that say how identifiers are written. */
export const formPrefix = 'written as ';

/** The form of an identifier: `written as a-0` for PO-4711. Letters of other scripts are kept. Pure. */
export const formKey = (identifier: string): ValueKey =>
  textKey(`${formPrefix}${identifier.replace(/\d+/g, '0').replace(/\p{Script=Latin}+/gu, 'a')}`);

/** Whether a key is the form of identifiers. Pure. */
export const isForm = (key: ValueKey): boolean => key.startsWith(formPrefix);

const isShape = (key: ValueKey): boolean => isForm(key) || Object.values<string>(shapes).includes(key);

/**
 * Whether whole numbers are known here by their size relative to the quantity, not individually; or so many are known, all ordered, that
 * they must be amounts. Pure.
 */
export const comparesSizes = (answers: ReadonlyMap<ValueKey, string>): boolean => {
  if ([...answers.keys()].some((key) => key !== '0' && isNumber(key))) return true;
  const numbers = [...answers].filter(([key]) => shortNumber.test(key));
  return (
    numbers.length > mostValues && numbers.every(([, answer]) => answer === 'seen' || answer === 'order')
  );
};

/** Whether a key stands for different values: numbers, amounts, dates, shapes. Such a key cannot define a number of pieces. Pure. */
export const standsForMany = (key: ValueKey): boolean => (key !== '0' && isMeasure(key)) || isShape(key);

const measures: Record<string, string> = {
  'number > quantity': 'a number above the quantity',
  'number < quantity': 'a number below the quantity',
  'number = quantity': 'the number of the quantity',
  number: 'a number',
  'a date': 'a date',
  'an amount': 'an amount',
};

/** Describes the values of a key with an example: `a number above the quantity, such as 12`. Pure. */
export const sayValue = (key: ValueKey, text: string): string => {
  if (isForm(key)) return `numbers written like ${JSON.stringify(text)}`;
  if (isShape(key)) return `${key}, such as ${JSON.stringify(text)}`;
  const what = Object.hasOwn(measures, key) ? measures[key] : undefined;
  return what === undefined ? text : `${what}, such as ${text}`;
};

/** What a cell with a value says, as the beginning of a sentence. */
const sayCell = (header: string, key: ValueKey, text: string): string => {
  if (key === '') return `"${header}" is blank here`;
  if (key === belowPieces) return `"${header}" is blank here, below a row that is counted in pieces`;
  return `"${header}" says ${JSON.stringify(text)}`;
};

/** The same of a value that no earlier file of the header had. */
const sayNewCell = (header: string, key: ValueKey, text: string): string => {
  const says = sayCell(header, key, text);
  if (key === belowPieces) return says;
  if (key === '') return `${says}, which it was not before`;
  if (isForm(key)) return `${says}, and no PO number in files with this header was written like that before`;
  if (standsForMany(key))
    return `"${header}" has ${sayValue(key, text)}, as no file with this header had before`;
  return `${says}, which no file with this header said before`;
};

/**
 * The question to a person about a value. Pure.
 *
 * @param why `ask`: a person wants to be asked each time; another text: the oddity; undefined: no earlier file with the header had it
 */
export const sayQuestion = (header: string, key: ValueKey, text: string, why: string | undefined): string => {
  const odd = why === 'ask' ? 'which is to be asked about each time' : why;
  const what = odd === undefined ? sayNewCell(header, key, text) : `${sayCell(header, key, text)}, ${odd}`;
  return `${what}. Order such rows, or leave them out?`;
};

const longestValue = 30;

/** The values of one ignored column, up to a small number. */
export interface ColumnValues {
  filled: number;
  blank: number;
  /** Number of rows by key, for the first few values. */
  counts: Map<ValueKey, number>;
  /** Texts as in the first row of each. */
  texts: Map<ValueKey, string>;
  /** There are more values. */
  many: boolean;
}

export const noValues = (): ColumnValues => ({
  filled: 0,
  blank: 0,
  counts: new Map(),
  texts: new Map(),
  many: false,
});

/** Adds a value to its column. */
export const addValue = (values: ColumnValues, key: ValueKey, cell: string): void => {
  if (key === '') values.blank += 1;
  else values.filled += 1;
  const { counts } = values;
  const before = counts.get(key) ?? 0;
  if (before === 0 && counts.size > mostValues) {
    values.many = true;
    return;
  }
  if (before === 0) values.texts.set(key, cell);
  counts.set(key, before + 1);
};

/** A value with a longer number identifies a document or person. */
const isReference = (key: ValueKey): boolean => /\d{4}/.test(key);

const hasSeveral = ({ counts }: ColumnValues): boolean => counts.size > (counts.has('') ? 2 : 1);

/**
 * The individual values of a column, unless its numbers are amounts: many different ones, or all equal to the row's quantity. Pure.
 *
 * @param kinds the same values, with whole numbers by their size relative to the quantity
 */
export const withoutAmounts = (each: ColumnValues, kinds: ColumnValues): ColumnValues => {
  const isQuantity = kinds.counts.get('number = quantity') === kinds.filled && hasSeveral(each);
  return (each.many && !kinds.many) || isQuantity ? kinds : each;
};

/**
 * Whether an ignored column may affect the order: it is empty, or has few short values that are not all references. Many different numbers
 * count only if they are not both below and above the quantity, as line numbers are. Pure.
 *
 * @param each the same values, with short whole numbers individually
 */
export const isTelling = ({ counts, filled, many }: ColumnValues, each: ColumnValues): boolean => {
  if (many) return false;
  if (filled === 0) return true;
  const keys = [...counts.keys()].filter((key) => key !== '');
  if (keys.every(isNumber))
    return !each.many || !(counts.has('number < quantity') && counts.has('number > quantity'));
  return !keys.every(isReference) && keys.every((key) => key.length <= longestValue);
};

/**
 * Whether a column could mean that rows should not be ordered as they are, so that a person must look before the first file of a header is
 * ordered. An amount or a date in every row cannot, but in only some rows it may be that of a cancellation. Nor can many different texts,
 * unless most rows have none: then they are remarks. Pure.
 */
export const saysSomething = (values: ColumnValues, each: ColumnValues): boolean => {
  const { counts, filled, blank, many } = values;
  if (filled === 0) return false;
  const keys = [...counts.keys()].filter((key) => key !== '');
  if (keys.every(isMeasure) && keys.some(isAmountOrDate)) return blank > 0;
  if (many) return blank > filled && !keys.every(isReference);
  return keys.every(isNumber) ? isTelling(values, each) : !keys.every(isReference);
};

/** Whether a column named like a price, a line number or a date contains anything else. Pure. */
export const saysOtherThanMeasures = ({ counts }: ColumnValues): boolean =>
  [...counts.keys()].some((key) => key !== '' && !isMeasure(key) && !isReference(key));
