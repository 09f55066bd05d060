import type pg from 'pg';
import { isOver } from './old-imports.ts';
import { onOneProcessor } from './on-one-processor.ts';
import { createPace, type Pace } from './pace.ts';
import { updatePos } from './po/write.ts';
import { rowBytes, sizeOf } from './row-sizes.ts';
import { keepWorthOf, lockStatistics } from './statistics/count-day.ts';
import { inTransaction } from './transaction.ts';

export interface Pruned {
  count: number;
  /** An estimate. */
  bytes: number;
}

/** Counts an account's lines and row issues older than `before`. */
export const countOldRows = async (pool: pg.Pool, account: string, before: Date): Promise<Pruned> => {
  const { rows } = await onOneProcessor<Pruned>(
    pool,
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
 * Marks an import before its rows are removed. Failed POs could be retried meanwhile, so their run increases: an action that has read the
 * lines no longer applies, and one that came first keeps the import. Only failed POs are locked, because other ended POs never change
 * again. The statistics of its lines are kept.
 */
const markRowsPruned = (pool: pg.Pool, account: string, before: Date, importId: string): Promise<boolean> =>
  inTransaction(pool, {}, async (client) => {
    await lockStatistics(client);
    await client.query(
      `select from purchase_orders where import_id = $1 and state = 'failed' order by id for update`,
      [importId],
    );
    const { rowCount } = await client.query(
      `update imports i set rows_pruned_at = clock_timestamp(), result_due = false
       where i.id = $3 and ${isOver} and i.rows_pruned_at is null`,
      [account, before, importId],
    );
    if (rowCount !== 1) return false;
    await keepWorthOf(client, importId);
    await client.query(
      updatePos({
        by: 'rows removed',
        set: {},
        newRun: true,
        where: `p.import_id = $1 and p.state = 'failed'`,
      }),
      [importId],
    );
    return true;
  });

/** Removes the rows of an import in order, so that no step scans dead rows of an earlier one. */
const pruneRowsOf = async (
  { pool, importId, table }: { pool: pg.Pool; importId: string; table: 'lines' | 'row_issues' },
  pace: Pace,
  isStopping: () => boolean,
): Promise<number> => {
  let deleted = 0;
  for (let from: number | null = 0; from !== null && !isStopping(); ) {
    const step: { read: number; last: number | null } = await pace.step(async (limit) => {
      const { rows } = await pool.query<{ read: number; last: number | null }>({
        name: `prune-${table}`,
        text: `with gone as (
            delete from ${table} where ctid = any(array(
              select ctid from ${table} where import_id = $1 and row_number >= $2 order by row_number limit $3))
            returning row_number)
          select count(*)::int as read, max(row_number) as last from gone`,
        values: [importId, from, limit],
      });
      return rows[0]!;
    });
    deleted += step.read;
    from = step.last;
  }
  return deleted;
};

/**
 * Removes the lines and row issues of an account's imports that have not changed since `before`, in small steps. Keeps the proof of who
 * ordered what: imports with checksums, POs with content hashes, intents and orders. Safe to interrupt. Does not count first, because that
 * would read everything at once.
 */
export const pruneRows = async (
  pool: pg.Pool,
  account: string,
  before: Date,
  isStopping: () => boolean,
): Promise<Pruned> => {
  const tables = ['lines', 'row_issues'] as const;
  const size = await sizeOf(pool, tables);
  const { rows } = await onOneProcessor<{ id: string; marked: boolean }>(
    pool,
    `select i.id, i.rows_pruned_at is not null as marked from imports i
     where ${isOver} and (i.rows_pruned_at is null
       -- A run was interrupted here.
       or exists (select from lines l where l.import_id = i.id) or exists (select from row_issues r where r.import_id = i.id))
     order by i.id`,
    [account, before],
  );
  const pace = createPace();
  const pruned: Pruned = { count: 0, bytes: 0 };
  for (const { id, marked } of rows) {
    if (isStopping()) break;
    const mark = async () => ({ read: 0, isMarked: await markRowsPruned(pool, account, before, id) });
    if (!marked && !(await pace.step(mark)).isMarked) continue;
    for (const table of tables) {
      const deleted = await pruneRowsOf({ pool, importId: id, table }, pace, isStopping);
      pruned.count += deleted;
      pruned.bytes += size(table, deleted);
    }
  }
  return pruned;
};

/** Rows of a table that are removed by age. */
interface OldRows {
  table: 'status_changes' | 'operator_actions';
  /** The column with the age. */
  at: string;
  before: Date;
  /** SQL: from and where, with the rows as `c`. */
  from: string;
  values: unknown[];
}

const oldChanges = (account: string, before: Date): OldRows => ({
  table: 'status_changes',
  at: 'seen_at',
  before,
  from: `from status_changes c join orders o on o.id = c.order_id join purchase_orders p on p.id = o.purchase_order_id
    where c.seen_at < $2 and o.account = $1 and p.state = 'closed'`,
  values: [account, before],
});
const oldActivity = (before: Date): OldRows => ({
  table: 'operator_actions',
  at: 'at',
  before,
  from: 'from operator_actions c where c.at < $1 and c.purchase_order_id is null and c.import_id is null',
  values: [before],
});

const countOld = async (pool: pg.Pool, { table, from, values }: OldRows): Promise<Pruned> => {
  const { rows } = await onOneProcessor<Pruned>(
    pool,
    `select count(*)::float8 as count, round(count(*) * ${rowBytes(table)})::float8 as bytes ${from}`,
    values,
  );
  return rows[0]!;
};

/** Removes old rows in id order, so that each row is read once. */
const pruneById = async (
  pool: pg.Pool,
  { table, at, from, before, values }: OldRows,
  isStopping: () => boolean,
): Promise<Pruned> => {
  const pace = createPace();
  const size = await sizeOf(pool, [table]);
  const bounds = await onOneProcessor<{ first: string | null; last: string | null }>(
    pool,
    // The id before the first old row, found by a separate query: a scan of the id index would pass every younger row.
    `select min(id) - 1 as first, max(id) as last from (select id from ${table} where ${at} < $1 offset 0) aged`,
    [before],
  );
  let { first: after } = bounds.rows[0]!;
  const { last } = bounds.rows[0]!;
  let deleted = 0;
  while (after !== null && !isStopping()) {
    const step = await pace.step(async (limit) => {
      const nth = values.length;
      const { rows } = await pool.query<{ deleted: number; read: number; last: string | null }>(
        `with part as materialized (
            select id from ${table} where id > $${nth + 1} and id <= $${nth + 2} order by id limit $${nth + 3}),
          gone as (
            delete from ${table} where id = any(array(
              select c.id ${from} and c.id > $${nth + 1} and c.id <= (select max(id) from part)))
            returning 1)
          select (select count(*)::int from gone) as deleted, count(*)::int as read, max(id) as last from part`,
        [...values, after, last, limit],
      );
      return rows[0]!;
    });
    deleted += step.deleted;
    after = step.last;
  }
  return { count: deleted, bytes: size(table, deleted) };
};

/** Counts status changes older than `before` of closed POs. */
export const countOldChanges = (pool: pg.Pool, account: string, before: Date): Promise<Pruned> =>
  countOld(pool, oldChanges(account, before));

/** Removes them. */
export const pruneChanges = (
  pool: pg.Pool,
  account: string,
  before: Date,
  isStopping: () => boolean,
): Promise<Pruned> => pruneById(pool, oldChanges(account, before), isStopping);

/** Counts recorded actions older than `before` that are not about a PO or an import. */
export const countOldActivity = (pool: pg.Pool, before: Date): Promise<Pruned> =>
  countOld(pool, oldActivity(before));

/** Removes them. */
export const pruneActivity = (pool: pg.Pool, before: Date, isStopping: () => boolean): Promise<Pruned> =>
  pruneById(pool, oldActivity(before), isStopping);
