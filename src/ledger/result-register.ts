import type pg from 'pg';
import type {
  ImportFacts,
  ImportTotals,
  ResultLedger,
  ResultRegister,
  ResultWritten,
  RowFacts,
} from '../reports/types.ts';
import { isInReplacedFolder } from './account-folders.ts';
import { noteChange } from './changes.ts';
import { reasonTextOf } from './conflict-reason.ts';
import { rowWithoutNulls, withoutNulls } from './nulls.ts';
import { canBeWritten } from './po/result-due.ts';
import { hasOpenAlarm, isActive, isUnsolved } from './purchase-order-sql.ts';
import { inTransaction } from './transaction.ts';
import { withLock } from './with-lock.ts';

const orderNumbersOf = (po: string) =>
  `(select coalesce(json_agg(o.order_number order by o.id), '[]') from orders o where o.purchase_order_id = ${po}.id)`;

// For a repeated PO, the rows of the earlier import are shown; its lines are matched by item and quantity, because the
// rows may be in another order. POs and issues are read once: without statistics (the file was just staged) Postgres
// would search for them again for every line.
const rowsSql = `
  with line as (
    select * from lines where import_id = $1 and row_number between $2 and $3
  ), noted as materialized (
    select row_number, json_agg(json_build_object('severity', severity, 'column', column_name, 'code', code,
      'message', message) order by severity, column_name, code) as issues
    from row_issues r where import_id = $1 and row_number between $2 and $3
      -- Answered questions are no longer shown.
      and (r.question is null or exists (select from purchase_orders p where p.import_id = $1 and p.po_number = r.po_number
        and p.state = 'held' and p.reason_code = 'question')) group by row_number
  ), po as materialized (
    select named.po_number as asked_as, p.import_id, p.po_number,
      json_build_object('poNumber', p.po_number, 'state', p.state, 'reasonCode', p.reason_code,
        'reasonText', ${reasonTextOf('p')}, 'quoteOnly', p.quote_only, 'alarm', case when ${hasOpenAlarm('p')} then p.alarm end, 'cartNumber', p.cart_number, 'orderNumbers', ${orderNumbersOf('p')},
        'repeats', case when own.id is null then json_build_object('importId', i.id::text, 'fileName', i.file_name) end) as facts
    from (select distinct po_number from line where po_number is not null) named
    left join purchase_orders own on own.import_id = $1 and own.po_number = named.po_number
    left join lateral (
      -- Lateral, so that the key is used even without statistics (the file was just staged).
      select r.purchase_order_id from repeated_purchase_orders r
      where own.id is null and r.import_id = $1 and r.po_number = named.po_number limit 1
    ) r on true
    join purchase_orders p on p.id = coalesce(own.id, r.purchase_order_id)
    join imports i on i.id = p.import_id
  ), fixed as materialized (
    select (one.value ->> 'rowNumber')::int as row_number, json_build_object('who', u.confirmed_by, 'kind', one.value -> 'kind',
      'cells', one.value -> 'cells') as correction
    from corrections c join uploads u on u.id = c.upload_id join imports n on n.id = u.import_id and n.state = 'read'
    cross join jsonb_array_elements(c.changes) one
    where c.import_id = $1 and (one.value ->> 'rowNumber')::int between $2 and $3
  )
  select coalesce(l.row_number, n.row_number) as "rowNumber", po.facts as po,
    coalesce(n.issues, '[]') as issues, (select coalesce(json_agg(f.correction), '[]') from fixed f
      where f.row_number = coalesce(l.row_number, n.row_number)) as corrections, a.refusal, a.available_quantity as available,
    a.backorder_quantity as backorder, a.dealer_price::text as price
  from line l
  full join noted n on n.row_number = l.row_number
  left join po on po.asked_as = l.po_number
  left join lateral (
    select l.refusal, l.available_quantity, l.backorder_quantity, l.dealer_price where po.import_id = $1
    union all
    (select f.refusal, f.available_quantity, f.backorder_quantity, f.dealer_price from lines f
     where po.import_id <> $1 and f.import_id = po.import_id and f.po_number = po.po_number
       and f.item_sku is not distinct from l.item_sku and f.item_id is not distinct from l.item_id
       and f.quantity is not distinct from l.quantity
     order by f.row_number limit 1)
  ) a on true`;

// The POs of an import: its own, and the earlier POs that it repeated.
const posSql = `
  select p.id, p.state, p.reason_code, false as repeated, p.line_count from purchase_orders p where p.import_id = $1
  union all
  select p.id, p.state, p.reason_code, true, r.line_count
  from repeated_purchase_orders r join purchase_orders p on p.id = r.purchase_order_id where r.import_id = $1`;

const statesSql = `
  select state, case when reason_code in ('quoted', 'conflicting_po', 'corrected') then reason_code end as "reasonCode", repeated,
    count(*)::int as "poCount", sum(line_count)::int as "lineCount"
  from (${posSql}) po group by 1, 2, 3 order by 1, 2, 3`;

const sumsSql = `
  select
    (select count(*)::int from (${posSql}) po join orders o on o.purchase_order_id = po.id where not po.repeated) as "orderCount",
    (select sum(o.order_total)::text from (${posSql}) po join orders o on o.purchase_order_id = po.id where not po.repeated) as "orderTotal",
    (select sum(dealer_price * quantity)::text from lines where import_id = $1) as "pricedTotal",
    (select count(distinct row_number)::int from row_issues
     where import_id = $1 and severity = 'issue' and po_number is null) as "rowsWithoutPo"`;

const toDo = `p.state = 'held' or ${isUnsolved('p')} or ${hasOpenAlarm('p')}`;
const toDoShown = 200;
const toDoSql = `
  select po_number as "poNumber", first_row as "firstRow", state, reason_code as "reasonCode",
    ${reasonTextOf('p')} as "reasonText", quote_only as "quoteOnly", case when ${hasOpenAlarm('p')} then alarm end as alarm, count(*) over ()::int as total
  from purchase_orders p where import_id = $1 and (${toDo}) order by first_row limit ${toDoShown}`;

const readRow = (row: Record<string, unknown>): RowFacts => withoutNulls(row);

const readTotals = async (client: pg.PoolClient, importId: string): Promise<ImportTotals> => {
  const states = await client.query(statesSql, [importId]);
  const sums = await client.query(sumsSql, [importId]);
  const open = await client.query(toDoSql, [importId]);
  const toDoCount = (open.rows[0]?.total as number | undefined) ?? 0;
  return withoutNulls({ ...sums.rows[0], states: states.rows, toDo: open.rows, toDoCount });
};

// From here on, a change of the import makes its result due again. Without `result_written_at` it is due as well, so that a result is
// written again after a crash during the write.
const beginSql = `
  update imports i set result_due = false, result_written_at = null
  where id = $1 and state in ('read', 'refused') and ($2 or result_due or result_written_at is null)
    and not ${isInReplacedFolder('i')} and ${canBeWritten('i')}
  returning id as "importId", account, file_name as "fileName", file_path as "filePath", state,
    reason_text as "reasonText", detection, row_count as "rowCount", taken_at as "takenAt", quote_only as "quoteOnly",
    clock_timestamp() as "asOf"`;

// Statements that write POs take this lock before they read the ledger. Transactions that hold it now may have seen the result as due
// already and so not marked it; later ones see that it is not due.
const writersSql = `
  select virtualtransaction as id from pg_locks
  where relation = 'purchase_orders'::regclass and mode = 'RowExclusiveLock' and pid <> pg_backend_pid()`;

const writersPauseMs = 5;
const writersLimitMs = 10_000;

/**
 * Waits for the transactions that may have read the import before it was marked. False if one of them does not end,
 * because its worker hangs.
 */
const waitForWriters = async (pool: pg.Pool): Promise<boolean> => {
  const read = async () => (await pool.query<{ id: string }>(writersSql)).rows.map(({ id }) => id);
  const giveUpAt = performance.now() + writersLimitMs;
  let before = new Set(await read());
  while (before.size > 0) {
    if (performance.now() > giveUpAt) return false;
    await new Promise((resolve) => setTimeout(resolve, writersPauseMs));
    before = new Set((await read()).filter((id) => before.has(id)));
  }
  return true;
};

// Dealers get a result when every PO has an outcome, and again when an outcome changes, but not when only order statuses change. The result
// of a refused file is its note.
const outcomesSql = `md5(case when i.state = 'refused' then 'refused' else (
    select case when not coalesce(bool_or(${isActive('p')}), false)
      then coalesce(string_agg(p.id || case when p.reason_code = 'corrected' then 'corrected' when p.state = 'closed' then 'ordered' else p.state end, ',' order by p.id), 'none') end
    from purchase_orders p where p.import_id = i.id) end)`;
const writtenSql = `
  with before as (
    select i.id, i.result_outcomes, ${outcomesSql} as outcomes from imports i where i.id = $1 for update
  ), written as (
    update imports i set result_path = $2, result_written_at = now(), result_due = i.result_due or not $3,
      result_outcomes = coalesce(b.outcomes, i.result_outcomes)
    from before b where i.id = b.id
    returning i.id, i.account, i.file_name, b.outcomes is not null and b.outcomes is distinct from b.result_outcomes as is_news
  )
  select record_notification('result_written', account, $2, file_name, null, id) from written where is_news`;

const writeAlone = async (
  pool: pg.Pool,
  importId: string,
  force: boolean,
  write: (ledger: ResultLedger) => Promise<{ path: string }>,
): Promise<ResultWritten> => {
  const begun = await pool.query(beginSql, [importId, force]);
  const row = begun.rows[0];
  if (!row) {
    const known = await pool.query(`select from imports where id = $1`, [importId]);
    return { kind: known.rowCount === 1 ? 'current' : 'unknown' };
  }
  const sawAll = await waitForWriters(pool);
  const { path } = await inTransaction(pool, { snapshot: true, long: true }, (client) =>
    write({
      facts: rowWithoutNulls<ImportFacts>(row),
      rowsBetween: async (firstRow, lastRow) => {
        const { rows } = await client.query(rowsSql, [importId, firstRow, lastRow]);
        return new Map(rows.map((found) => [found.rowNumber, readRow(found)]));
      },
      totals: () => readTotals(client, importId),
    }),
  );
  await pool.query(writtenSql, [importId, path, sawAll]);
  noteChange(pool, { topics: ['imports'], importId });
  return { kind: 'written', path };
};

/** The register of result files. */
export const createResultRegister = (pool: pg.Pool): ResultRegister => ({
  write: async (importId, { force }, write) => {
    const written = await withLock(pool, `result of import ${importId}`, () =>
      writeAlone(pool, importId, force, write),
    );
    return written ?? { kind: 'busy' };
  },
});
