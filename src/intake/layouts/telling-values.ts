import { createHash } from 'node:crypto';
import { cleanCell } from '../rows/clean-cell.ts';

/** A value of a telling column, as it is compared with those that were seen: the same for `Open`, `OPEN ` and `open`. */
export type ValueKey = string;

/** So many different values are no longer few. */
const mostValues = 12;
const longest = 100;
const wholeNumber = /^[+-]?\d{1,9}$/;
/** As a status, a kind of document or the size of a pack has them: longer ones are numbers of documents, persons and places. */
const shortNumber = /^-?\d{1,3}$/;
const amount = /^[^\p{L}\d]{0,3}[+-]?\d[\d.,' ]*[^\p{L}\d]{0,3}$/u;
const inCurrency = /^(?:\p{L}{3}\s?[+-]?\d[\d.,']*[.,]\d{2}|[+-]?\d[\d.,']*[.,]\d{2}\s?\p{L}{3})$/u;
const date = /^(?:\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:[ T]\d{1,2}:\d{2}.*)?|\d{1,2}\/\d{1,2})$/;
/** What people write where there is nothing to say. */
const nothingSaid = /^[-–—._/\s\p{Cf}]*$/u;

/** Of amounts, such as another quantity, only how they compare with the quantity says something about an order. */
const numberKind = (number: number, quantity: number | undefined): ValueKey => {
  if (number === 0) return '0';
  if (quantity === undefined) return 'number';
  if (number === quantity) return 'number = quantity';
  return number < quantity ? 'number < quantity' : 'number > quantity';
};

/** A text in the form in which texts are compared; of a long one its beginning with a hash of all of it. Pure. */
export const textKey = (text: string): ValueKey => {
  const key = text.replace(/\s+/g, ' ').trim().toLowerCase();
  if (key.length <= longest) return key;
  return `${key.slice(0, longest).toWellFormed()} ${createHash('sha256').update(key).digest('hex').slice(0, 8)}`;
};

/**
 * What a cell says about its row, for comparing: a text as it is without case and doubled blanks, a short whole number as it is, a longer one by
 * its size beside the quantity, and of amounts and dates only that they are some. Pure.
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

/** The same for a column of amounts: also of a short number only its size beside the quantity. Pure. */
export const kindKey = (key: ValueKey, quantity: number | undefined): ValueKey =>
  shortNumber.test(key) ? numberKind(Number(key), quantity) : key;

const isNumber = (key: ValueKey): boolean => key === '0' || /^number(?: [<=>] quantity)?$/.test(key);
const isAmountOrDate = (key: ValueKey): boolean => key === 'an amount' || key === 'a date';

/** A number, an amount or a date. Pure. */
export const isMeasure = (key: ValueKey): boolean => isNumber(key) || isAmountOrDate(key);

/** A blank cell below a row that is counted in pieces: what is said of it is not said of other blank ones. Keys of cells never begin with a blank. */
export const belowPieces = ' below pieces';

/** What an identifier can look like. @see shapeKey */
export const shapes = {
  one: 'one number or code',
  several: 'several numbers',
  mixed: 'words with a number',
  words: 'only words',
} as const;

/** How keys begin that say how identifiers are written. */
export const formPrefix = 'written as ';

/** How an identifier is written: `written as a-0` of PO-4711. Letters of other scripts stay as they are. Pure. */
export const formKey = (identifier: string): ValueKey =>
  textKey(`${formPrefix}${identifier.replace(/\d+/g, '0').replace(/\p{Script=Latin}+/gu, 'a')}`);

/** Whether a key says how identifiers are written. Pure. */
export const isForm = (key: ValueKey): boolean => key.startsWith(formPrefix);

const isShape = (key: ValueKey): boolean => isForm(key) || Object.values<string>(shapes).includes(key);

/** Whether whole numbers are known here by their sizes beside the quantity, and not each by itself; or so many, all ordered, that they are amounts. Pure. */
export const comparesSizes = (answers: ReadonlyMap<ValueKey, string>): boolean => {
  if ([...answers.keys()].some((key) => key !== '0' && isNumber(key))) return true;
  const numbers = [...answers].filter(([key]) => shortNumber.test(key));
  return (
    numbers.length > mostValues && numbers.every(([, answer]) => answer === 'seen' || answer === 'order')
  );
};

/** Whether a key stands for values that differ: numbers, amounts, dates, shapes. They cannot say how many pieces one is. Pure. */
export const standsForMany = (key: ValueKey): boolean => (key !== '0' && isMeasure(key)) || isShape(key);

const measures: Record<string, string> = {
  'number > quantity': 'a number above the quantity',
  'number < quantity': 'a number below the quantity',
  'number = quantity': 'the number of the quantity',
  number: 'a number',
  'a date': 'a date',
  'an amount': 'an amount',
};

/** What the values of a key are called, with one of them: `a number above the quantity, such as 12`. Pure. */
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
 * What a person is asked about a value. Pure.
 *
 * @param why `ask`: somebody wanted to be asked each time; another text: what is odd about it; undefined: no earlier file of the header had it
 */
export const sayQuestion = (header: string, key: ValueKey, text: string, why: string | undefined): string => {
  const odd = why === 'ask' ? 'which is to be asked about each time' : why;
  const what = odd === undefined ? sayNewCell(header, key, text) : `${sayCell(header, key, text)}, ${odd}`;
  return `${what}. Order such rows, or leave them out?`;
};

const longestValue = 30;

/** The values of one column that is not read, as far as they are few. */
export interface ColumnValues {
  filled: number;
  blank: number;
  /** Rows by key, of the first few values. */
  counts: Map<ValueKey, number>;
  /** Each as its first row has it. */
  texts: Map<ValueKey, string>;
  /** There are further ones. */
  many: boolean;
}

export const noValues = (): ColumnValues => ({
  filled: 0,
  blank: 0,
  counts: new Map(),
  texts: new Map(),
  many: false,
});

/** Adds a value to what is known of its column. */
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

/** A value with a longer number is a number of a document or of a person. */
const isReference = (key: ValueKey): boolean => /\d{4}/.test(key);

const hasSeveral = ({ counts }: ColumnValues): boolean => counts.size > (counts.has('') ? 2 : 1);

/**
 * The values of a column each by itself, unless its numbers are amounts: many different ones, or each the quantity of its row. Pure.
 *
 * @param kinds the same values, whole numbers by their sizes beside the quantity
 */
export const withoutAmounts = (each: ColumnValues, kinds: ColumnValues): ColumnValues => {
  const isQuantity = kinds.counts.get('number = quantity') === kinds.filled && hasSeveral(each);
  return (each.many && !kinds.many) || isQuantity ? kinds : each;
};

/**
 * Whether a column that is not read may say something about the order: it is empty, or it has few short values that are not all references.
 * Many different numbers count only where they are never both below and above the quantity, as those of lines are. Pure.
 *
 * @param each the same values, short whole numbers each by itself
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
 * Whether what a column says could mean that its rows are not to be ordered as they are, so that a person looks at it before the first file
 * of a header is ordered. An amount or a date in each row cannot; where only some rows have one, it may be that of a cancellation. Nor can
 * many different texts, unless most rows have none: then they are remarks. Pure.
 */
export const saysSomething = (values: ColumnValues, each: ColumnValues): boolean => {
  const { counts, filled, blank, many } = values;
  if (filled === 0) return false;
  const keys = [...counts.keys()].filter((key) => key !== '');
  if (keys.every(isMeasure) && keys.some(isAmountOrDate)) return blank > 0;
  if (many) return blank > filled && !keys.every(isReference);
  return keys.every(isNumber) ? isTelling(values, each) : !keys.every(isReference);
};

/** Whether a column whose name is that of a price, a line or a date has something else in it. Pure. */
export const saysOtherThanMeasures = ({ counts }: ColumnValues): boolean =>
  [...counts.keys()].some((key) => key !== '' && !isMeasure(key) && !isReference(key));
