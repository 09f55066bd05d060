import type { CodeLists } from '../../contract/carts.ts';
import { payTypes } from '../../contract/codes.ts';
import type { IntakeOptions } from '../options.ts';
import type { Decision, DetectedColumn, RawRow } from '../types.ts';
import { type FieldName, headerKey } from './fields.ts';

/** Cart options whose usual headers can also belong to the item, and the headers that can only mean the option. */
const sharedNames: Partial<Record<FieldName, ReadonlySet<string>>> = {
  description: new Set(['cartdescription', 'orderdescription']),
  default_warehouse: new Set(['defaultwarehouse']),
  ship_via: new Set(['shipvia', 'shipviacode']),
  pay_type: new Set(['paytype']),
  comment1: new Set(['comment1']),
};

const cellAt = (row: RawRow, at: number): string => (at < 0 ? '' : (row.cells[at] ?? '').trim());

/** The first two rows of one PO with different values, if there are any. */
const differingRows = (rows: readonly RawRow[], poAt: number, at: number): [RawRow, RawRow] | undefined => {
  const first = new Map<string, RawRow>();
  let po = '';
  for (const row of rows) {
    // A blank PO number continues the PO above, or the row is refused anyway.
    po = cellAt(row, poAt) || po;
    const value = cellAt(row, at);
    if (value === '') continue;
    const before = first.get(po);
    if (!before) first.set(po, row);
    else if (cellAt(before, at) !== value) return [before, row];
  }
  return undefined;
};

const codesOf = (field: FieldName, lists: CodeLists): ReadonlySet<string> | undefined => {
  const codes = { default_warehouse: lists.warehouses, ship_via: lists.cartShipCodes, pay_type: payTypes }[
    field as string
  ];
  return codes && new Set(codes.map((code) => code.toLowerCase()));
};

const whyItsOwn = (
  field: FieldName,
  at: number,
  poAt: number,
  rows: readonly RawRow[],
  lists: CodeLists,
): string | undefined => {
  if (field === 'description') return 'it usually describes the item';
  const differ = differingRows(rows, poAt, at);
  if (differ) {
    const [one, other] = differ.map((row) => `row ${row.rowNumber} has "${cellAt(row, at).slice(0, 30)}"`);
    return `its values differ within a PO: ${one}, ${other}`;
  }
  const codes = codesOf(field, lists);
  const values = rows.map((row) => cellAt(row, at)).filter((value) => value !== '');
  if (codes && values.length > 0 && !values.some((value) => codes.has(value.toLowerCase())))
    return `it has no codes of ${field}: "${values[0]!.slice(0, 30)}"`;
  return undefined;
};

/**
 * Recognised columns that belong to the item rather than to the PO lose their field, so that they are only copied to the
 * result file: `Description` always; `Warehouse`, `Payment Method`, `Shipping Method` and `Comments` if their first values
 * differ within a PO or are no codes of the service. A column that the account maps keeps its field. Pure.
 *
 * @param rows the first rows below the header
 * @see docs/purchase-files.md#columns-of-the-item
 */
export const withoutItemAttributes = (
  columns: readonly DetectedColumn[],
  rows: readonly RawRow[],
  options: Pick<IntakeOptions, 'columns' | 'header'>,
  lists: CodeLists,
): { columns: DetectedColumn[]; decisions: Decision[] } => {
  const decisions: Decision[] = [];
  if (options.header === 'none') return { columns: [...columns], decisions };
  const mapped = new Set(Object.keys(options.columns).map(headerKey));
  const poAt = columns.findIndex(({ field }) => field === 'po_number');
  const kept = columns.map((column, at): DetectedColumn => {
    const { field, header } = column;
    const clear = field && sharedNames[field];
    if (!clear || clear.has(headerKey(header)) || mapped.has(headerKey(header))) return column;
    const why = whyItsOwn(field, at, poAt, rows, lists);
    if (why === undefined) return column;
    decisions.push({
      what: 'columns',
      decided: `"${header}" is not read as ${field}`,
      why: `${why}; map it to ${field} if it applies to the whole PO`,
      override: 'intake.columns',
    });
    return { header, field: null };
  });
  return { columns: kept, decisions };
};
