import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { inTransaction } from './transaction.ts';

/** Rows removed by one statement, so that none takes long and placing goes on between them. */
const batch = 5_000;
const pauseMs = 20;

export interface Pruned {
  count: number;
  /** In the ledger an estimate. */
  bytes: number;
}

const ended = `('rejected', 'closed', 'failed', 'cancelled')`;

/**
 * SQL: nothing that import i shows can change any more, and nothing has since $2: its own POs, those that it repeats, and
 * the imports that repeat it.
 */
const isOver = `i.account = $1 and i.state <> 'taken' and coalesce(i.read_at, i.taken_at) < $2
  and not exists (select from purchase_orders p where p.import_id = i.id
    and (p.state not in ${ended} or p.changed_at >= $2))
  and not exists (select from repeated_purchase_orders r join purchase_orders p on p.id = r.purchase_order_id
    where r.import_id = i.id and (p.state not in ${ended} or p.changed_at >= $2))
  and not exists (select from purchase_orders p join repeated_purchase_orders r on r.purchase_order_id = p.id
    join imports o on o.id = r.import_id where p.import_id = i.id and coalesce(o.read_at, o.taken_at) >= $2)`;

/** Private copies of an account that are no longer needed: nothing of their imports has changed since `before`. */
export const listOldCopies = async (
  pool: pg.Pool,
  { account, before, folderId }: { account: string; before: Date; folderId: string },
): Promise<{ importId: string; path: string }[]> => {
  const { rows } = await pool.query(
    `select i.id as "importId", i.file_path as path from imports i
     where ${isOver} and i.copy_pruned_at is null and (i.folder_id is null or i.folder_id = $3) order by i.id`,
    [account, before, folderId],
  );
  return rows;
};

/** Records that the private copy of an import is removed; before it is, so that its result file is not written without it. */
export const markCopyPruned = async (pool: pg.Pool, importId: string): Promise<void> => {
  await pool.query(
    'update imports set copy_pruned_at = clock_timestamp(), result_due = false where id = $1',
    [importId],
  );
};

const rowBytes = (table: string): string =>
  `(select pg_total_relation_size('${table}') / greatest(1, reltuples) from pg_class where oid = '${table}'::regclass)`;

/** How many lines and row issues of an account are older than `before`. */
export const countOldRows = async (pool: pg.Pool, account: string, before: Date): Promise<Pruned> => {
  const { rows } = await pool.query<Pruned>(
    `with old as materialized (select i.id from imports i where ${isOver}),
       n as (select (select count(*) from lines l where l.import_id in (select id from old)) as lines,
         (select count(*) from row_issues r where r.import_id in (select id from old)) as issues)
     select (lines + issues)::float8 as count,
       round(lines * ${rowBytes('lines')} + issues * ${rowBytes('row_issues')})::float8 as bytes from n`,
    [account, before],
  );
  return rows[0]!;
};

/**
 * Marks an import before its rows are removed. A failed PO could be retried meanwhile: its run rises, so that an action that
 * has read the lines no longer applies, and one that was faster keeps the import.
 */
const markRowsPruned = (pool: pg.Pool, account: string, before: Date, importId: string): Promise<boolean> =>
  inTransaction(pool, {}, async (client) => {
    await client.query('select from purchase_orders where import_id = $1 order by id for update', [importId]);
    const { rowCount } = await client.query(
      `update imports i set rows_pruned_at = clock_timestamp(), result_due = false
       where i.id = $3 and ${isOver} and i.rows_pruned_at is null`,
      [account, before, importId],
    );
    if (rowCount !== 1) return false;
    await client.query(`update purchase_orders set run = run + 1 where import_id = $1 and state = 'failed'`, [
      importId,
    ]);
    return true;
  });

const deleteBatches = async (
  pool: pg.Pool,
  sql: string,
  values: readonly unknown[],
  isStopping: () => boolean,
): Promise<number> => {
  let deleted = 0;
  while (!isStopping()) {
    const { rowCount } = await pool.query(sql, [...values]);
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < batch) break;
    await sleep(pauseMs);
  }
  return deleted;
};

const deleteRowsOf = (table: 'lines' | 'row_issues'): string =>
  `delete from ${table} where ctid = any(array(select ctid from ${table} where import_id = $1 limit ${batch}))`;

/**
 * Removes the lines and row issues of an account's imports that have not changed since `before`, in small batches. What proves
 * who ordered what stays: imports with their checksums, POs with their content hashes, intents and orders. Safe to interrupt.
 */
export const pruneRows = async (
  pool: pg.Pool,
  account: string,
  before: Date,
  isStopping: () => boolean,
): Promise<number> => {
  const { rows } = await pool.query<{ id: string; marked: boolean }>(
    `select i.id, i.rows_pruned_at is not null as marked from imports i
     where ${isOver} and (i.rows_pruned_at is null
       -- A run was interrupted here.
       or exists (select from lines l where l.import_id = i.id) or exists (select from row_issues r where r.import_id = i.id))
     order by i.id`,
    [account, before],
  );
  let deleted = 0;
  for (const { id, marked } of rows) {
    if (isStopping()) break;
    if (!marked && !(await markRowsPruned(pool, account, before, id))) continue;
    for (const table of ['lines', 'row_issues'] as const)
      deleted += await deleteBatches(pool, deleteRowsOf(table), [id], isStopping);
  }
  return deleted;
};

const oldChanges = `from status_changes c join orders o on o.id = c.order_id
  join purchase_orders p on p.id = o.purchase_order_id
  where c.seen_at < $2 and o.account = $1 and p.state = 'closed'`;
const oldActivity = `from operator_actions c
  where c.at < $1 and c.purchase_order_id is null and c.import_id is null`;

const countOld = async (pool: pg.Pool, table: string, from: string, values: unknown[]): Promise<Pruned> => {
  const { rows } = await pool.query<Pruned>(
    `select count(*)::float8 as count, round(count(*) * ${rowBytes(table)})::float8 as bytes ${from}`,
    values,
  );
  return rows[0]!;
};

/** Changes of status from before `before`, of POs that are closed. */
export const countOldChanges = (pool: pg.Pool, account: string, before: Date): Promise<Pruned> =>
  countOld(pool, 'status_changes', oldChanges, [account, before]);

/** Removes them. */
export const pruneChanges = (
  pool: pg.Pool,
  account: string,
  before: Date,
  isStopping: () => boolean,
): Promise<number> =>
  deleteBatches(
    pool,
    `delete from status_changes where id = any(array(select c.id ${oldChanges} limit ${batch}))`,
    [account, before],
    isStopping,
  );

/** Recorded actions from before `before` that are not about a PO or an import. */
export const countOldActivity = (pool: pg.Pool, before: Date): Promise<Pruned> =>
  countOld(pool, 'operator_actions', oldActivity, [before]);

/** Removes them. */
export const pruneActivity = (pool: pg.Pool, before: Date, isStopping: () => boolean): Promise<number> =>
  deleteBatches(
    pool,
    `delete from operator_actions where id = any(array(select c.id ${oldActivity} limit ${batch}))`,
    [before],
    isStopping,
  );
