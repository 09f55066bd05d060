import type { FieldName } from '../columns/fields.ts';
import { cleanCell } from '../rows/clean-cell.ts';
import { looksLikeDate } from '../rows/damaged-cells.ts';
import { maySayNotToOrder, nameSaysNotToOrder } from '../rows/says-not-to-order.ts';
import { type DoubtfulItem, doubtfulItem, isSumOfLines } from '../rows/sums-and-charges.ts';
import type { DetectedColumn } from '../types.ts';
import {
  addValue,
  type ColumnValues,
  formKey,
  isForm,
  noValues,
  shapes,
  textKey,
  type ValueKey,
} from './telling-values.ts';

const { one, several, mixed, words } = shapes;

/** The column of a layout that keeps what PO numbers look like. Keys of columns of a file never begin with a blank. */
export const poNumbers = ' PO numbers';
/** The columns of a layout that keep what PO numbers and items look like, by their field. */
const columnOf: Partial<Record<FieldName, string>> = {
  po_number: poNumbers,
  item_sku: ' items',
  item_id: ' items',
};

/** Whether a column of a layout keeps what PO numbers or items look like. Pure. */
export const isOfIdentifiers = (column: string): boolean => Object.values(columnOf).includes(column);

/** Nearly all of them, and this test is faster than the others. */
const plain = /^[\w./#-]*\d[\w./#-]*$/;
/** Shorter ones say nothing of an order. */
const hasWord = /[a-z]{3}/i;
/** A day, a time or both, as spreadsheets and programs write them. A day as `2026-12-01` alone is what a person has accepted for a cell. */
const dayOrTime = /^(?:(?:\d{4}-\d{2}-\d{2}[ T])?\d{1,2}:\d{2}(?::\d{2})?|\d{1,2}[/.]\d{1,2}[/.]\d{4})$/;
/** PO 4711, P.O. 4711, No. 4711: a short text before a number is a part of it. */
const prefix = /^\p{L}{1,3}\.?(?:\p{L}\.)?[\s#:]+(?=\S*\p{N})/u;
const numbersApart = /\p{N}[^\s,;&+\n]*\s*(?:[,;&+\n]|\s\/\s)\s*\S*\p{N}/u;

/** `4711 ?`, `4711 n/a`, `✗ 4711`: a part of its own that puts the number in question. Signs alone (`2026 - 001`) belong to a number. */
const inQuestion = /(?:^|\s)(?:n\/a|[^\s\p{L}\p{N}]*[?!\u2700-\u27bf][^\s\p{L}\p{N}]*)(?:\s|$)/iu;

/** What an identifier looks like; empty for a blank cell. Pure. */
export const shapeKey = (cell: string): ValueKey => {
  if (plain.test(cell)) return one;
  const text = cleanCell(cell, 'identifier').text.replace(prefix, '');
  if (text === '') return '';
  if (!/\p{N}/u.test(text)) return words;
  if (numbersApart.test(text)) return several;
  return /\s/.test(text) && (/\p{L}{2}/u.test(text) || inQuestion.test(text)) ? mixed : one;
};

/** Whether a text is one number or code, and not words or several numbers. Pure. */
export const isNumber = (text: string): boolean => shapeKey(text) === one;

/**
 * By what an identifier is compared with those that somebody decided about: those with one number are alike, and of the others each is itself,
 * so that what is said of `STOCK` is not said of `see below`. Pure.
 */
export const identifierKey = (cell: string): ValueKey => {
  const shape = shapeKey(cell);
  return shape === '' || shape === one ? shape : textKey(cleanCell(cell, 'identifier').text);
};

/** The same where it is known how PO numbers are written: those with one number by that. Pure. */
export const numberKey = (cell: string): ValueKey => {
  const key = identifierKey(cell);
  return key === one ? formKey(cleanCell(cell, 'identifier').text) : key;
};

/** A PO number with words beside it, whatever its digits are; undefined: it is another, or says that something is not to be ordered. */
const withoutDigits = (cell: string): ValueKey | undefined => {
  const { text } = cleanCell(cell, 'identifier');
  if (shapeKey(cell) !== mixed || questionOf(poNumbers, text)) return undefined;
  return textKey(text.replace(/\d+/g, '0'));
};

/**
 * What a person had ordered with the same words beside its number: after 4711 rush nobody has to be asked about 4712 rush.
 * Who has one left out has not said so of the next one. Pure.
 */
export const orderedAlike = (
  answers: ReadonlyMap<ValueKey, string> | undefined,
): ((cell: string) => boolean) => {
  const ordered = new Set(
    [...(answers ?? [])].flatMap(([key, answer]) => (answer === 'order' ? (withoutDigits(key) ?? []) : [])),
  );
  return (cell) => ordered.size > 0 && ordered.has(withoutDigits(cell) ?? '');
};

/** Whether it is known of a layout how its PO numbers are written. Pure. */
export const knowsForms = (answers: ReadonlyMap<ValueKey, unknown> | undefined): boolean =>
  [...(answers?.keys() ?? [])].some(isForm);

/** Counts how a PO number is written, if it is one number. */
export const addForm = (forms: ColumnValues, cell: string): void => {
  const key = numberKey(cell);
  if (isForm(key)) addValue(forms, key, cell);
};

/** So many numbers show how they are written. */
const fewest = 3;

/** Whether nearly all PO numbers of a file are written in one way. Of ids of random letters each is written in another one. Pure. */
const haveUsualForm = ({ counts, filled, many }: ColumnValues): boolean =>
  !many && filled >= fewest && Math.max(...counts.values()) * 4 >= filled * 3;

/** The ways in which PO numbers are written, and whether nearly all have one of them. Pure. */
export const formsOf = (numbers: readonly string[]): { forms: ValueKey[]; haveUsual: boolean } => {
  const forms = noValues();
  for (const number of numbers) addForm(forms, number);
  return { forms: [...forms.counts.keys()], haveUsual: haveUsualForm(forms) };
};

/**
 * What a file says of its PO numbers, with how they are written instead of only that each is one number; the same where they are written in
 * many ways. Pure.
 *
 * @param forms of its numbers, each counted once where it is in several rows below each other
 * @param asked values that nobody has seen before
 */
export const withForms = (
  values: ColumnValues,
  forms: ColumnValues,
  asked: ReadonlySet<ValueKey> = new Set(),
): ColumnValues => {
  if (!values.counts.has(one) || asked.has(one) || !haveUsualForm(forms)) return values;
  const [counts, texts] = [new Map(values.counts), new Map(values.texts)];
  counts.delete(one);
  for (const [form, numbers] of forms.counts) {
    counts.set(form, numbers);
    texts.set(form, forms.texts.get(form)!);
  }
  return { ...values, counts, texts };
};

/** `VOID` of VOID-4711 and VOID4711: without its numbers, for which it would not be a text of its own. Pure. */
const wordsBeside = (name: string): string =>
  name.replace(/[\p{N}./#-]*\p{N}[\p{N}./#-]*/gu, ' ').replace(/^[\s_-]+|[\s_-]+$/g, '');

/** Beside a PO number, each of these as a word of its own takes it back or says that it was replaced: `NOT 4711`, `4711 x`. */
const takesBackNumber = /^(?:not|nicht|nein|pas|del|old|alt|ex|was|war|out|off|see|x)$/iu;
/** The same of an item, whose own name may have the others: `EX 12`, `OLD 100`. */
const takesBackItem = /^(?:not|nicht|pas|del)$/iu;

/** Why a person has to say whether a text is a number, whatever it looks like. */
const questionOf = (column: string, name: string): Omit<DoubtfulItem, 'name'> | undefined => {
  const words = name.split(/\s+/);
  const takesBack = column === poNumbers ? takesBackNumber : takesBackItem;
  const isTakenBack = /\p{N}/u.test(name) && words.some((word) => takesBack.test(word));
  const saysSo = column === poNumbers ? nameSaysNotToOrder : maySayNotToOrder;
  if (saysSo(name) || saysSo(wordsBeside(name)) || isTakenBack)
    return { usually: 'which says that something is not to be ordered', saysNotToOrder: true };
  // Between other signs they are a part of it: what?x=1.
  return /^[?!]|[?!]$/.test(name) ? { usually: 'which puts it in question' } : undefined;
};

/**
 * Why the text in a column of PO numbers or items is perhaps none. Pure.
 *
 * @param isSeen a person has looked at the rows of this file, and saw charges, sums and remarks; that a text was another number before cannot be seen
 */
export const doubtAbout = (column: string, cell: string, isSeen: boolean): DoubtfulItem | undefined => {
  const isPlain = plain.test(cell);
  // People give orders the date as a number, but no items.
  const isDate = (text: string) =>
    looksLikeDate(text) || (column === columnOf.item_sku && dayOrTime.test(text));
  if (isPlain && !hasWord.test(cell) && !isDate(cell)) return undefined;
  const name = cleanCell(cell, 'identifier').text;
  if (isDate(name)) return { name, usually: 'which a spreadsheet may have made of another number' };
  if (column === poNumbers && isSumOfLines(name))
    return { name, usually: 'which is usually the sum of lines and no PO number' };
  if (isSeen) return undefined;
  const question = questionOf(column, name);
  if (question) return { name, ...question };
  return column === columnOf.item_sku && !isPlain ? doubtfulItem(name) : undefined;
};

/** The columns of a file whose shapes are watched, and its PO number, if it has one for all rows. Pure. */
export const shapedColumns = (columns: readonly DetectedColumn[], poNumber: string | undefined) => [
  ...columns.flatMap(({ header, field }, at) => {
    const column = field === null ? undefined : columnOf[field];
    return column === undefined ? [] : [{ at, header, column }];
  }),
  ...(poNumber === undefined ? [] : [{ at: -1, header: 'PO number', column: poNumbers, fixed: poNumber }]),
];

/** Up to so many of them beside a hundred plain ones are rather items with a remark than items with words in their names. */
const mostMixed = 25;

/**
 * Whether a few PO numbers or items of a file look unlike the others, as a remark, a trailer or two numbers in one cell do. Then each is remembered
 * as itself, and otherwise what they look like. Of items only those with words besides a number (`AX-9 replaced`): many dealers have some
 * without a number. Pure.
 */
export const areExceptions = (
  column: string,
  { counts, filled }: Pick<ColumnValues, 'counts' | 'filled'>,
): boolean => {
  const usual = counts.get(one) ?? 0;
  if (column === poNumbers) return usual < filled && usual > filled - usual;
  const odd = counts.get(mixed) ?? 0;
  return odd > 0 && odd * 100 <= usual * mostMixed;
};

/** Whether somebody has to look at the first file of a header for what its PO numbers and items look like: also if half of the numbers are odd. Pure. */
export const hasOddOnes = (
  column: string,
  values: Pick<ColumnValues, 'counts' | 'filled'>,
  forms: ColumnValues,
): boolean => {
  const { counts } = values;
  const isMixture = counts.has(one) && (counts.has(mixed) || counts.has(several));
  const isUnlikeOthers = haveUsualForm(forms) && forms.counts.size > 1;
  return areExceptions(column, values) || (column === poNumbers && (isMixture || isUnlikeOthers));
};
