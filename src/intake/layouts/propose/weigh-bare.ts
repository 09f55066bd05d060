import { type ColumnContent, describeContent } from '../../columns/column-content.ts';
import { sayField } from '../../columns/field-words.ts';
import type { FieldName, RequiredField } from '../../columns/fields.ts';
import type { Weighed, WeighedColumn } from '../../columns/weigh-columns.ts';
import { type Weight, weighItem, weighPo, weighQuantity } from '../../columns/weigh-values.ts';
import { isStateCode } from '../../rows/state-names.ts';

/** The name of a column without a header. */
export const bareName = (at: number): string => `column ${at + 1}`;

/** The weight of values under a low name rank, so that only convincing values pass. */
const weak: Record<RequiredField, (content: ColumnContent) => Weight> = {
  po_number: (content) => weighPo(content, 4),
  item_sku: (content) => weighItem(content, 1.5, 0),
  quantity: (content) => weighQuantity(content, 3),
};

const all = ({ cells, values }: ColumnContent, test: (cell: string) => boolean): boolean =>
  values > 0 && cells.every((cell) => cell === '' || test(cell));

const isZip = (cell: string) => /^\d{5}(?:-\d{4})?$/.test(cell);
const isEmail = (cell: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cell);

/** A state beside a ZIP code is unmistakable. */
const addressColumns = (
  columns: readonly ColumnContent[],
  free: (at: number) => boolean,
): WeighedColumn[] => {
  const which = (test: (cell: string) => boolean) =>
    columns.flatMap((content, at) => (free(at) && all(content, test) ? [at] : []));
  const found: WeighedColumn[] = [];
  const take = (column: number, field: FieldName, why: string) =>
    found.push({ column, field, certain: true, why });
  const [state, otherState] = which(isStateCode);
  if (state !== undefined && otherState === undefined) {
    const zips = which(isZip).filter((at) => Math.abs(at - state) <= 2);
    if (zips.length === 1) {
      take(state, 'ship_state', 'all its values are codes of states');
      take(zips[0]!, 'ship_zip', 'all its values are ZIP codes, beside the state');
    }
  }
  const [email, otherEmail] = which(isEmail);
  if (email !== undefined && otherEmail === undefined)
    take(email, 'email', 'all its values are e-mail addresses');
  return found;
};

/**
 * Weighs the columns of a file without a header. Values alone identify an e-mail address, but not the PO number, item or quantity: for
 * those it lists candidates, and a person must choose. Pure.
 *
 * @param rows cells of the first rows
 * @param known the columns that the account maps, by position
 * @param needed the required fields that still need a column
 */
export const weighBare = (
  rows: readonly (readonly string[])[],
  known: ReadonlyMap<number, FieldName | null>,
  needed: ReadonlySet<RequiredField>,
): Weighed => {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, at) => describeContent(rows.map((row) => row[at] ?? '')));
  const given = new Set(known.values());
  const found = addressColumns(columns, (at) => !known.has(at)).filter(({ field }) => !given.has(field));
  const taken = new Set([...known.keys(), ...found.map(({ column }) => column)]);
  const doubts: Weighed['doubts'] = {};
  const candidates: Weighed['candidates'] = {};
  for (const field of needed) {
    const possible = columns.flatMap((content, at) =>
      !taken.has(at) && 'weight' in weak[field](content) ? [at] : [],
    );
    candidates[field] = possible;
    const shown = possible
      .slice(0, 4)
      .map((at) => `${bareName(at)} (${columns[at]!.cells.find((cell) => cell !== '')})`);
    doubts[field] =
      shown.length === 0
        ? `the file has no header, and no column looks like the ${sayField(field)}`
        : `the file has no header, and values alone do not say which column is the ${sayField(field)}; it could be ${shown.join(' or ')}`;
  }
  return { columns: found.sort((a, b) => a.column - b.column), doubts, candidates };
};
