import type { IntakeOptions } from '../options.ts';
import { isAnswerHeader } from '../own-columns.ts';
import { quoted } from '../quoted.ts';
import type { DetectedColumn, RawRow } from '../types.ts';
import { describeContent } from './column-content.ts';
import { sayField } from './field-words.ts';
import { type FieldName, isRequired, type RequiredField, requiredFields } from './fields.ts';
import { guessHeaders } from './guess-header.ts';
import { headerTexts } from './header-rows.ts';
import { type ColumnOptions, ownFieldBy } from './match-header.ts';
import { type Weighed, weighColumns } from './weigh-columns.ts';
import { weighPo } from './weigh-values.ts';
import { addressPartOf } from './whose-address.ts';

/** The account's mapping of the columns of a header; null: ignore the column. */
export const knownColumns = (
  headers: readonly string[],
  { columns }: Pick<ColumnOptions, 'columns'>,
): Map<number, FieldName | null> => {
  const ownField = ownFieldBy(columns);
  const known = new Map<number, FieldName | null>();
  for (const [at, header] of headers.entries()) {
    const field = ownField(header);
    if (isAnswerHeader(header)) known.set(at, null);
    else if (field !== undefined) known.set(at, field === 'ignore' ? null : field);
  }
  return known;
};

/** The required fields that the account neither maps in these columns nor sets as a constant. */
export const neededFields = (
  known: ReadonlyMap<number, FieldName | null>,
  { constants }: Pick<ColumnOptions, 'constants'>,
): Set<RequiredField> => {
  const given = new Set<FieldName | null>([...known.values(), ...(Object.keys(constants) as FieldName[])]);
  if (given.has('item_id')) given.add('item_sku');
  return new Set(requiredFields.filter((field) => !given.has(field)));
};

const list = ({ columns }: Weighed, headers: readonly string[]): string =>
  columns
    .filter(({ field }) => isRequired(field))
    .map(
      ({ column, field, certain }) =>
        `${quoted(headers[column]!)} as ${sayField(field)}${certain ? '' : ' (probably)'}`,
    )
    .join(', ');

/** Whether all headers are API names, which are unambiguous: wrong values below them are row issues. */
const isOwnFormat = (headers: readonly string[]): boolean => {
  const names = new Set(headers.map((header) => header.trim().toLowerCase()));
  return names.has('po_number') && names.has('quantity') && (names.has('item_sku') || names.has('item_id'));
};

const parts = ['ship_address1', 'ship_city', 'ship_state', 'ship_zip'] as const;
/** A hostile header must not cost time. */
const mostColumns = 200;

/** Why only part of an address would be read: its other parts are in columns with unrecognised names. */
const halfAddress = (
  columns: readonly DetectedColumn[],
  known: ReadonlyMap<number, FieldName | null>,
): string | undefined => {
  const isPart = (field: FieldName | null | undefined) => parts.some((one) => one === field);
  const read = columns.find(({ field }, at) => isPart(field) && !known.has(at));
  if (!read || [...known.values()].some(isPart)) return undefined;
  for (const [at, { header, field }] of columns.slice(0, mostColumns).entries()) {
    const part = field === null && !known.has(at) ? addressPartOf(header) : undefined;
    if (!isPart(part) || columns.some((one) => one.field === part)) continue;
    return `"${header.slice(0, 40)}" seems to be of the same address as "${read.header.slice(0, 40)}", but is not recognised: map it to ${part} or to ignore in intake.columns of the account`;
  }
  return undefined;
};

/** Why an unnamed column of numbers to the right of the quantity could also be a quantity: `Qty` may span several columns. */
const numbersBeside = (
  columns: readonly DetectedColumn[],
  rows: readonly RawRow[],
  known: ReadonlyMap<number, FieldName | null>,
): string | undefined => {
  const at = columns.findIndex(({ field }) => field === 'quantity') + 1;
  if (at === 0 || known.has(at - 1) || columns[at]?.header !== `column ${at + 1}`) return undefined;
  const values = rows.map(({ cells }) => (cells[at] ?? '').trim()).filter((cell) => cell !== '');
  if (values.length === 0 || !values.every((value) => /^\d{1,6}$/.test(value))) return undefined;
  return `column ${at + 1}, to the right of "${columns[at - 1]!.header.slice(0, 40)}", has numbers and no name, so they may be quantities, too: give it a name in the file`;
};

/**
 * Why the recognised columns of a header need confirmation: their values, or another column, suggest that one holds something else.
 * Undefined if there is no doubt. Columns mapped by the account are not doubted. Pure.
 *
 * @param rows the first rows below the header
 * @see docs/decisions/062-layouts-are-agreed.md
 */
export const whyDoubtful = (
  columns: readonly DetectedColumn[],
  rows: readonly RawRow[],
  options: ColumnOptions,
): { why: string; proposal: string } | undefined => {
  const headers = columns.map(({ header }) => header);
  const known = knownColumns(headers, options);
  const needed = neededFields(known, options);
  const other = halfAddress(columns, known) ?? numbersBeside(columns, rows, known);
  if (other !== undefined) return { why: other, proposal: '' };
  if (needed.size === 0 || isOwnFormat(headers)) return undefined;
  const weighed = weighColumns(
    headers,
    rows.map(({ cells }) => cells),
    known,
    needed,
  );
  for (const field of needed) {
    const at = columns.findIndex(
      (one) => one.field === field || (field === 'item_sku' && one.field === 'item_id'),
    );
    // Without values, each row has its own issue.
    if (at < 0 || rows.every(({ cells }) => (cells[at] ?? '').trim() === '')) continue;
    const found = weighed.columns.find((one) => one.field === field);
    if (found?.column === at && found.certain) continue;
    const name = `"${headers[at]!.slice(0, 40)}"`;
    const why =
      found === undefined
        ? weighed.doubts[field]!
        : found.column === at
          ? `${name} is only probably the ${sayField(field)}: ${found.why}`
          : `${name} could be the ${sayField(field)}, but so could "${headers[found.column]!.slice(0, 40)}"`;
    return { why, proposal: list(weighed, headers) };
  }
  return undefined;
};

/** The columns that `cartwright map` would propose for an unrecognised header, in words. Pure. */
export const proposeInWords = (
  rows: readonly RawRow[],
  options: ColumnOptions & Pick<IntakeOptions, 'headerRows'>,
): string => {
  const header = guessHeaders(rows)[0]?.row;
  if (!header) return '';
  const names = headerTexts(rows, header, options);
  const known = knownColumns(names, options);
  const below = rows.filter((row) => row.rowNumber > header.rowNumber).map(({ cells }) => cells);
  return list(weighColumns(names, below, known, neededFields(known, options)), names);
};

/** Rank of a name that does not contradict a PO number. */
const namelessPo = 4;

/** The first column of a table without a header whose values can be PO numbers. Pure. */
export const likelyPoColumn = (rows: readonly RawRow[]): number | undefined => {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const at = Array.from({ length: width }, (_, column) =>
    describeContent(rows.map(({ cells }) => cells[column] ?? '')),
  ).findIndex((content) => 'weight' in weighPo(content, namelessPo));
  return at < 0 ? undefined : at;
};
