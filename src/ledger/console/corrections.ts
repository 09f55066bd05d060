import type pg from 'pg';
import type { CorrectionsAnswer } from '../../api-contract/corrections.ts';
import type { StoredReading } from '../../intake/file-reading.ts';
import { codesBeyondText } from '../../intake/rows/row-issue.ts';
import type { Detection } from '../../intake/types.ts';
import type { PurchaseOrderState } from '../../placing/types.ts';
import { reasonTextOf } from '../conflict-reason.ts';
import { isMeant, isSettled, posOfFile } from '../purchase-order-sql.ts';
import { firstRow, rowsOf } from '../query.ts';
import { iso } from './sql-parts.ts';

/** An import with what is needed to read its rows again. */
export interface CorrectableImport {
  id: string;
  account: string;
  fileName: string;
  /** The private copy, relative to the account's folder. */
  filePath: string;
  sha256: string;
  quoteOnly: boolean;
  /** When retention removed the private copy or the rows; null: they exist. */
  prunedAt: string | null;
  /** How it was read; null: it was never read. */
  detection: Detection | null;
  /** The reading that a person chose; null: none. */
  reading: StoredReading | null;
}

/** A PO that was not ordered and is not corrected yet. */
export interface PoToCorrect {
  id: string;
  poNumber: string;
  state: 'rejected' | 'failed';
  reasonText: string | null;
  /** Its lines, and rows with issues that may belong to it. */
  rowCount: number;
}

/** A row of such a PO. */
export interface LedgerRow {
  rowNumber: number;
  /** The PO that it belongs to; null: none. */
  poNumber: string | null;
  /** Why the service refused the line; null: it did not. */
  refusal: string | null;
  /** Issues that the text of the cells does not show, only the file itself. */
  beyondText: { column: string; code: string; message: string; expected: string | null }[];
}

/** @param allowed the accounts that the reader may see; null: all */
export const findCorrectable = (
  pool: pg.Pool,
  importId: string,
  allowed: readonly string[] | null,
): Promise<CorrectableImport | undefined> =>
  firstRow(pool, {
    name: 'console-correctable',
    text: `select i.id::text, i.account, i.file_name as "fileName", i.file_path as "filePath", i.sha256, i.quote_only as "quoteOnly", i.detection,
        ${iso('coalesce(i.copy_pruned_at, i.rows_pruned_at)')} as "prunedAt",
        (select json_build_object('mapping', u.mapping, 'correction', case when c.upload_id is not null
            then json_build_object('settings', c.settings, 'headerKey', c.header_key) end)
          from uploads u left join corrections c on c.upload_id = u.id where u.import_id = i.id limit 1) as reading
      from imports i where i.id = $1 and ($2::text[] is null or i.account = any($2))`,
    values: [importId, allowed],
  });

const isOpen = (po: string): string => `(${po}.state in ('rejected', 'failed') and ${isMeant(po)})`;

// A PO brings along the POs that share the row that it was rejected for: the row may belong to any of them.
const posSql = `
  with chosen as (
    select p.po_number from purchase_orders p
    where p.import_id = $1 and ${isOpen('p')} and case when $2::bigint[] is null then not (${isSettled('p')}) else p.id = any($2) end
  ), beside as (
    select l.po_number from row_issues r join lines l on l.import_id = r.import_id and l.row_number = r.row_number
    where $2::bigint[] is not null and r.import_id = $1 and r.severity = 'issue' and r.po_number in (select po_number from chosen)
  )
  select p.id::text, p.po_number as "poNumber", p.state, ${reasonTextOf('p')} as "reasonText",
    (select count(*)::int from (
      select l.row_number from lines l where l.import_id = $1 and l.po_number = p.po_number
      union select r.row_number from row_issues r
        where r.import_id = $1 and r.po_number = p.po_number and r.severity = 'issue') n) as "rowCount"
  from purchase_orders p
  where p.import_id = $1 and ${isOpen('p')} and p.po_number in (select po_number from chosen union select po_number from beside)
  order by p.first_row limit $3`;

/** POs of an import that can be corrected, in the file's order. @param ids the POs that a person chose; null: all that need correction */
export const listPosToCorrect = (
  pool: pg.Pool,
  importId: string,
  ids: readonly string[] | null,
  limit: number,
): Promise<PoToCorrect[]> =>
  rowsOf(pool, {
    name: 'console-pos-to-correct',
    text: posSql,
    values: [importId, ids, limit],
  });

/** A PO that needs no correction any more. */
export interface ChangedPo {
  poNumber: string;
  /** Present state of the PO that a person means by this number, and the other import that has it. */
  state: PurchaseOrderState;
  elsewhere: string | null;
}

/** The POs among these that can no longer be corrected, in the file's order. */
export const listChangedPos = (
  pool: pg.Pool,
  importId: string,
  ids: readonly string[],
): Promise<ChangedPo[]> =>
  rowsOf(pool, {
    name: 'console-changed-pos',
    text: `select (w.asked).po_number as "poNumber", w.state, nullif(w.import_id, $1)::text as elsewhere
      from ${posOfFile('$1::bigint')} w where w.own and (w.asked).id = any($2::bigint[]) and not ${isOpen('(w.asked)')}
      order by (w.asked).first_row`,
    values: [importId, ids],
  });

const rowsSql = `
  with own as (
    select row_number, po_number, refusal from lines where import_id = $1 and po_number = any($2)
  ), wrong as (
    select r.row_number, r.column_name, r.code, r.message, r.expected from row_issues r
    where r.import_id = $1 and r.severity = 'issue' and (r.po_number = any($2) or $3 and r.po_number is null)
      and not exists (select from lines l where l.import_id = $1 and l.row_number = r.row_number and l.po_number <> all($2))
  )
  select n.row_number as "rowNumber", o.po_number as "poNumber", o.refusal,
    (select coalesce(json_agg(distinct jsonb_build_object('column', w.column_name, 'code', w.code, 'message', w.message,
        'expected', w.expected)), '[]')
      from wrong w where w.row_number = n.row_number and w.code = any($4)) as "beyondText"
  from (select row_number from own union select row_number from wrong) n
  left join own o on o.row_number = n.row_number order by n.row_number`;

/** The rows of POs of an import. @param withRest also wrong rows that belong to no PO */
export const listRowsToCorrect = (
  pool: pg.Pool,
  importId: string,
  poNumbers: readonly string[],
  withRest: boolean,
): Promise<LedgerRow[]> =>
  rowsOf(pool, {
    name: 'console-rows-to-correct',
    text: rowsSql,
    values: [importId, poNumbers, withRest, codesBeyondText],
  });

type ShownCorrection = CorrectionsAnswer['items'][number];
/** What a person did to a row. */
export type ChangedRow = ShownCorrection['changes'][number];
export type ChangedCell = ChangedRow['cells'][number];

const mostChanges = 200;

const shownSql = (which: string, changes: string) => `
  select u.id::text, u.confirmed_by as who, ${iso('u.confirmed_at')} as at, u.note,
    json_build_object('id', i.id::text, 'fileName', i.file_name) as of,
    case when n.id is not null then json_build_object('id', n.id::text, 'fileName', n.file_name) end as as,
    (select coalesce(json_agg(one.value), '[]') from (
      select value from jsonb_array_elements(c.changes) where ${changes} limit ${mostChanges}) one) as changes,
    (select count(*)::int from jsonb_array_elements(c.changes) where ${changes}) as "changeCount"
  from corrections c join uploads u on u.id = c.upload_id join imports i on i.id = c.import_id
  left join imports n on n.id = u.import_id
  where c.upload_id in (${which}) order by u.confirmed_at desc limit 20`;

/** Corrections of an import, and the one that created it if it has corrected rows; latest first. */
export const listCorrectionsOfImport = (pool: pg.Pool, importId: string): Promise<ShownCorrection[]> =>
  rowsOf(pool, {
    name: 'console-corrections-of-import',
    text: shownSql(
      `select upload_id from corrections where import_id = $1
         union select k.upload_id from corrections k join uploads w on w.id = k.upload_id where w.import_id = $1`,
      'true',
    ),
    values: [importId],
  });

/** The same for one PO, whether its rows were corrected or are corrected ones. */
export const listCorrectionsOfPo = (pool: pg.Pool, purchaseOrderId: string): Promise<ShownCorrection[]> =>
  rowsOf(pool, {
    name: 'console-corrections-of-po',
    text: shownSql(
      `select upload_id from corrected_purchase_orders where purchase_order_id = $1
         union select k.upload_id from corrections k join uploads w on w.id = k.upload_id
           join purchase_orders p on p.import_id = w.import_id where p.id = $1`,
      `value ->> 'poNumber' in (
          select p.po_number from purchase_orders p where p.id = $1
          union select k.po_number from corrected_purchase_orders k where k.upload_id = c.upload_id and k.purchase_order_id = $1)`,
    ),
    values: [purchaseOrderId],
  });
