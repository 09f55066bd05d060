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

/** The pseudo-column of a layout for shapes of PO numbers. Keys of real columns never begin with a blank. */
export const poNumbers = ' PO numbers';
/** The pseudo-columns of a layout for shapes of PO numbers and items, by field. */
const columnOf: Partial<Record<FieldName, string>> = {
  po_number: poNumbers,
  item_sku: ' items',
  item_id: ' items',
};

/** Whether a column of a layout is a pseudo-column for shapes of PO numbers or items. Pure. */
export const isOfIdentifiers = (column: string): boolean => Object.values(columnOf).includes(column);

/** Matches nearly all identifiers, and is faster than the other tests. */
const plain = /^[\w./#-]*\d[\w./#-]*$/;
/** Shorter words are meaningless here. */
const hasWord = /[a-z]{3}/i;
/** A day, a time or both, as spreadsheets and programs write them. `2026-12-01` alone is excluded: a person has accepted it for a cell. */
const dayOrTime = /^(?:(?:\d{4}-\d{2}-\d{2}[ T])?\d{1,2}:\d{2}(?::\d{2})?|\d{1,2}[/.]\d{1,2}[/.]\d{4})$/;
/** PO 4711, P.O. 4711, No. 4711: a short text before a number is part of it. */
const prefix = /^\p{L}{1,3}\.?(?:\p{L}\.)?[\s#:]+(?=\S*\p{N})/u;
const numbersApart = /\p{N}[^\s,;&+\n]*\s*(?:[,;&+\n]|\s\/\s)\s*\S*\p{N}/u;

/** `4711 ?`, `4711 n/a`, `✗ 4711`: a separate part that questions the number. Plain punctuation (`2026 - 001`) belongs to a number. */
const inQuestion = /(?:^|\s)(?:n\/a|[^\s\p{L}\p{N}]*[?!\u2700-\u27bf][^\s\p{L}\p{N}]*)(?:\s|$)/iu;

/** The shape of an identifier; empty for a blank cell. Pure. */
export const shapeKey = (cell: string): ValueKey => {
  if (plain.test(cell)) return one;
  const text = cleanCell(cell, 'identifier').text.replace(prefix, '');
  if (text === '') return '';
  if (!/\p{N}/u.test(text)) return words;
  if (numbersApart.test(text)) return several;
  return /\s/.test(text) && (/\p{L}{2}/u.test(text) || inQuestion.test(text)) ? mixed : one;
};

/** Whether a text is a single number or code, not words or several numbers. Pure. */
export const isNumber = (text: string): boolean => shapeKey(text) === one;

/**
 * The key for comparing an identifier with answered ones: all single numbers are alike, any other text is compared itself, so that an
 * answer for `STOCK` does not apply to `see below`. Pure.
 */
export const identifierKey = (cell: string): ValueKey => {
  const shape = shapeKey(cell);
  return shape === '' || shape === one ? shape : textKey(cleanCell(cell, 'identifier').text);
};

/** The same if the forms of PO numbers are known: single numbers are compared by form. Pure. */
export const numberKey = (cell: string): ValueKey => {
  const key = identifierKey(cell);
  return key === one ? formKey(cleanCell(cell, 'identifier').text) : key;
};

/** The key of a PO number with added words, without its digits; undefined: there are no such words, or they say not to order something. */
const withoutDigits = (cell: string): ValueKey | undefined => {
  const { text } = cleanCell(cell, 'identifier');
  if (shapeKey(cell) !== mixed || questionOf(poNumbers, text)) return undefined;
  return textKey(text.replace(/\d+/g, '0'));
};

/**
 * Numbers whose added words a person has already had ordered: after 4711 rush, 4712 rush raises no question. A skipped one decides nothing
 * about the next. Pure.
 */
export const orderedAlike = (
  answers: ReadonlyMap<ValueKey, string> | undefined,
): ((cell: string) => boolean) => {
  const ordered = new Set(
    [...(answers ?? [])].flatMap(([key, answer]) => (answer === 'order' ? (withoutDigits(key) ?? []) : [])),
  );
  return (cell) => ordered.size > 0 && ordered.has(withoutDigits(cell) ?? '');
};

/** Whether the forms of a layout's PO numbers are known. Pure. */
export const knowsForms = (answers: ReadonlyMap<ValueKey, unknown> | undefined): boolean =>
  [...(answers?.keys() ?? [])].some(isForm);

/** Counts the form of a PO number, if it is a single number. */
export const addForm = (forms: ColumnValues, cell: string): void => {
  const key = numberKey(cell);
  if (isForm(key)) addValue(forms, key, cell);
};

/** The minimum of numbers that establishes a form. */
const fewest = 3;

/** Whether nearly all PO numbers of a file have the same form. Random IDs all differ in form. Pure. */
const haveUsualForm = ({ counts, filled, many }: ColumnValues): boolean =>
  !many && filled >= fewest && Math.max(...counts.values()) * 4 >= filled * 3;

/** The ways in which PO numbers are written, and whether nearly all have one of them. Pure. */
export const formsOf = (numbers: readonly string[]): { forms: ValueKey[]; haveUsual: boolean } => {
  const forms = noValues();
  for (const number of numbers) addForm(forms, number);
  return { forms: [...forms.counts.keys()], haveUsual: haveUsualForm(forms) };
};

/**
 * The values of a file's PO numbers, with their forms instead of the general shape; unchanged if there are many forms. Pure.
 *
 * @param forms of its numbers; adjacent rows with the same number count once
 * @param asked new values
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

/** `VOID` of VOID-4711 and VOID4711: the words without the digits. Pure. */
const wordsBeside = (name: string): string =>
  name.replace(/[\p{N}./#-]*\p{N}[\p{N}./#-]*/gu, ' ').replace(/^[\s_-]+|[\s_-]+$/g, '');

/** Separate words that, beside a PO number, withdraw it or say that it was replaced: `NOT 4711`, `4711 x`. */
const takesBackNumber = /^(?:not|nicht|nein|pas|del|old|alt|ex|was|war|out|off|see|x)$/iu;
/** The same for items, whose names may contain the others: `EX 12`, `OLD 100`. */
const takesBackItem = /^(?:not|nicht|pas|del)$/iu;

/** Why a person must say whether a text is a number, whatever its shape. */
const questionOf = (column: string, name: string): Omit<DoubtfulItem, 'name'> | undefined => {
  const words = name.split(/\s+/);
  const takesBack = column === poNumbers ? takesBackNumber : takesBackItem;
  const isTakenBack = /\p{N}/u.test(name) && words.some((word) => takesBack.test(word));
  const saysSo = column === poNumbers ? nameSaysNotToOrder : maySayNotToOrder;
  if (saysSo(name) || saysSo(wordsBeside(name)) || isTakenBack)
    return { usually: 'which says that something is not to be ordered', saysNotToOrder: true };
  // Inside a text they are part of it: what?x=1.
  return /^[?!]|[?!]$/.test(name) ? { usually: 'which puts it in question' } : undefined;
};

/**
 * Why a text in a column of PO numbers or items may not be one. Pure.
 *
 * @param isSeen a person has looked at this file's rows and noticed charges, sums and remarks; a number converted to a date goes unnoticed
 */
export const doubtAbout = (column: string, cell: string, isSeen: boolean): DoubtfulItem | undefined => {
  const isPlain = plain.test(cell);
  // People use dates as PO numbers, but not as item numbers.
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

/** The columns whose shapes are watched, including the PO number of the whole file if there is one. Pure. */
export const shapedColumns = (columns: readonly DetectedColumn[], poNumber: string | undefined) => [
  ...columns.flatMap(({ header, field }, at) => {
    const column = field === null ? undefined : columnOf[field];
    return column === undefined ? [] : [{ at, header, column }];
  }),
  ...(poNumber === undefined ? [] : [{ at: -1, header: 'PO number', column: poNumbers, fixed: poNumber }]),
];

/** Up to this many per hundred plain ones are more likely items with a remark than items with words in their names. */
const mostMixed = 25;

/**
 * Whether only a few PO numbers or items of a file look different, such as a remark, a trailer or two numbers in one cell. Then each text
 * is stored, otherwise their shape. For items, only those with words beside a number (`AX-9 replaced`) count, because many dealers have
 * items without a number. Pure.
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

/** Whether a person must look at the first file of a header because of odd-looking PO numbers or items, even if half of them are odd. Pure. */
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
