import type pg from 'pg';
import type { GroupedPurchaseOrder, RowIssue } from '../intake/types.ts';
import { heldByGuard, type UnusualLine } from './foresee-holds.ts';
import { rowWithoutNulls } from './nulls.ts';

/** Pieces and goods of some lines. A line without an expected price counts only as pieces. */
export interface LineSums {
  pieces: number;
  /** Quantity × expected price, as decimal text; undefined if no line has an expected price. */
  goods: string | undefined;
  /** The number of lines with an expected price. */
  pricedLines: number;
}

/** A line of a PO that would be ordered. */
export interface PreviewedLine {
  rowNumber: number;
  poNumber: string;
  /** SKU or item ID. */
  item: string;
  quantity: number;
  /** Decimal text. */
  expectedPrice: string | undefined;
}

/** The first POs and issues of a file, for a person who checks it before anything is ordered. */
export interface StagedPreview {
  purchaseOrders: (GroupedPurchaseOrder & LineSums)[];
  issues: RowIssue[];
  /** Sums over all POs that would be ordered. */
  sums: LineSums & { lines: number };
  /** The lines with the largest quantities among the POs that would be ordered, largest first. */
  largestLines: PreviewedLine[];
  /** Lines of unusual quantities, for which a guard would hold their POs, largest first. */
  unusual: UnusualLine[];
}

const largest = 5;

const sums = `coalesce(sum(l.quantity), 0)::float8 as pieces, sum(l.quantity * l.expected_price)::text as goods,
    count(l.expected_price)::int as "pricedLines"`;

const ordersSql = `
  with shown as materialized (select * from staged order by first_row limit $2)
  select s.po_number as "poNumber", s.first_row as "firstRow", s.line_count as "lineCount", s.options::json,
    coalesce(s.outcome, 'ready') as outcome, s.reason, sums.*
  from shown s
  cross join lateral (
    select ${sums} from lines l where l.import_id = $1 and l.po_number = s.po_number) sums
  order by s.first_row`;

const readyLines = `
  from lines l join staged s on s.po_number = l.po_number and s.outcome is null where l.import_id = $1`;

const sumsSql = `select count(*)::int as lines, ${sums} ${readyLines}`;

const lineColumns = `l.row_number as "rowNumber", l.po_number as "poNumber", coalesce(l.item_sku, l.item_id) as item, l.quantity,
    l.expected_price::text as "expectedPrice"`;

// Includes POs that a guard holds: a ZIP code read as a quantity shows up there.
const largestSql = `
  select ${lineColumns} from lines l
  join staged s on s.po_number = l.po_number and (s.outcome is null or ${heldByGuard('s')})
  where l.import_id = $1 order by l.quantity desc, l.row_number limit ${largest}`;

const issuesSql = `
  select row_number as "rowNumber", po_number as "poNumber", severity, column_name as "column", code, message, found, expected
  from row_issues where import_id = $1 order by severity = 'note', row_number limit $2`;

/**
 * The preview of a staged import, in its transaction: at most `count` POs and issues.
 * @param unusual as the guards foresee them
 */
export const previewOf = async (
  client: pg.PoolClient,
  importId: string,
  count: number,
  unusual: UnusualLine[],
): Promise<StagedPreview> => {
  const none = { lines: 0, pieces: 0, goods: undefined, pricedLines: 0 };
  if (count === 0) return { purchaseOrders: [], issues: [], sums: none, largestLines: [], unusual };
  const orders = await client.query(ordersSql, [importId, count]);
  const issues = await client.query(issuesSql, [importId, count]);
  const all = await client.query(sumsSql, [importId]);
  const lines = await client.query(largestSql, [importId]);
  return {
    purchaseOrders: orders.rows.map((row) => rowWithoutNulls<GroupedPurchaseOrder & LineSums>(row)),
    issues: issues.rows.map((row) => rowWithoutNulls<RowIssue>(row)),
    sums: rowWithoutNulls<LineSums & { lines: number }>(all.rows[0]),
    largestLines: lines.rows.map((row) => rowWithoutNulls<PreviewedLine>(row)),
    unusual,
  };
};
