import type pg from 'pg';
import type { BulkRun as ShownRun } from '../../api-contract/bulk.ts';
import { noteChange } from '../changes.ts';
import { execute, firstRow, rowsOf } from '../query.ts';
import { type Actor, activityCode } from './activity.ts';
import type { PoFilter } from './po-filter.ts';
import { iso } from './sql-parts.ts';

export interface BulkRun extends Omit<ShownRun, 'filter' | 'sentence' | 'reasons'> {
  filter: PoFilter;
  /** The accounts that the person may act on; null: all. */
  accounts: string[] | null;
  via: Actor['via'];
  /** Why POs could not be changed: sentence to number. */
  reasons: Record<string, number>;
}

const columns = `id::text, action, filter, accounts, who, via, note, assignee, state, expected, tried, done, not_done as "notDone", reasons,
  ${iso('created_at')} as "createdAt", ${iso('finished_at')} as "finishedAt", stopped_by as "stoppedBy"`;

/** A run belongs to a process for this long after the process last renewed it. */
const heldFor = `interval '30 seconds'`;

/** Starts a run. It covers only POs that exist now. */
export const addRun = async (
  pool: pg.Pool,
  run: Pick<BulkRun, 'action' | 'filter' | 'expected'> &
    Actor & { accounts: string[] | null; note?: string | undefined; assignee?: string | null | undefined },
): Promise<BulkRun> => {
  const { rows } = await pool.query<BulkRun>(
    `with added as (
      insert into bulk_runs (action, filter, accounts, who, via, note, expected, assignee, up_to_id)
      select $1::text, $2::jsonb, $3::text[], $4::text, $5::text, $6::text, $7::int, $8::text, coalesce((select max(id) from purchase_orders), 0)
      returning *
    ), recorded as (
      insert into operator_actions (who, via, action, account, import_id, note, detail)
      select $4, $5, 'bulk_' || $1::text, $2::jsonb ->> 'account', ($2::jsonb ->> 'importId')::bigint, $6,
        jsonb_strip_nulls(jsonb_build_object('bulkRun', a.id::text, 'expected', $7::int, 'filter', $2::jsonb, 'assignee', $8::text)) from added a
    )
    select ${columns} from added`,
    [
      ...[
        run.action,
        JSON.stringify(run.filter),
        run.accounts,
        run.who,
        run.via,
        run.note ?? null,
        run.expected,
      ],
      run.assignee ?? null,
    ],
  );
  noteChange(pool, { topics: ['bulk', 'activity'], account: run.filter.account });
  return rows[0]!;
};

const ofReader = `($1::text[] is null or (accounts is not null and accounts <@ $1) or filter ->> 'account' = any($1))`;

/** Runs, latest first. A reader limited to some accounts sees only runs that concern no other account. */
export const listRuns = (
  pool: pg.Pool,
  page: { running: boolean; after?: string | undefined; limit: number },
  allowed: readonly string[] | null,
): Promise<BulkRun[]> =>
  rowsOf(
    pool,
    `select ${columns} from bulk_runs where ${ofReader} and (not $2 or state in ('waiting', 'running'))
       and ($3::bigint is null or id < $3) order by bulk_runs.id desc limit $4`,
    [allowed, page.running, page.after ?? null, page.limit],
  );

export const findRun = (
  pool: pg.Pool,
  id: string,
  allowed: readonly string[] | null,
): Promise<BulkRun | undefined> =>
  firstRow(pool, `select ${columns} from bulk_runs where ${ofReader} and id = $2`, [allowed, id]);

/** Stops a run after the POs in progress. False if it had ended. */
export const stopRun = async (pool: pg.Pool, id: string, { who, via }: Actor): Promise<boolean> => {
  const { rowCount } = await pool.query(
    `with stopped as (
      update bulk_runs set state = 'stopped', finished_at = clock_timestamp(), stopped_by = $2::text
      where id = $1 and state in ('waiting', 'running') returning id, action, filter
    )
    insert into operator_actions (who, via, action, account, import_id, detail)
    select $2::text, $3::text, ${activityCode('bulk_stopped')}, filter ->> 'account', (filter ->> 'importId')::bigint,
      jsonb_build_object('bulkRun', id::text, 'of', action) from stopped`,
    [id, who, via],
  );
  noteChange(pool, { topics: ['bulk', 'activity'] });
  return rowCount === 1;
};

/** Takes the oldest run that no process works on; undefined without one. */
export const takeRun = (pool: pg.Pool, runner: string): Promise<BulkRun | undefined> =>
  firstRow(pool, {
    name: 'take-bulk-run',
    text: `update bulk_runs set state = 'running', runner = $1, runner_until = clock_timestamp() + ${heldFor}
     where id = (select id from bulk_runs where state in ('waiting', 'running')
       and (runner is null or runner = $1 or runner_until < clock_timestamp())
       order by id limit 1 for update skip locked)
     returning ${columns}`,
    values: [runner],
  });

/** Renews a run, and returns where it continues. Undefined if it was stopped or another process has it. */
export const keepRun = (
  pool: pg.Pool,
  id: string,
  runner: string,
): Promise<{ afterId: string; upToId: string } | undefined> =>
  firstRow(pool, {
    name: 'keep-bulk-run',
    text: `update bulk_runs set runner_until = clock_timestamp() + ${heldFor}
      where id = $1 and runner = $2 and state = 'running'
      returning after_id::text as "afterId", up_to_id::text as "upToId"`,
    values: [id, runner],
  });

/** SQL: the reasons of a run with some more POs for one of them, which is $3. */
const withReason = (count: string) =>
  `jsonb_set(reasons, array[$3::text], to_jsonb(coalesce((reasons ->> $3::text)::int, 0) + ${count}))`;

/**
 * Records that a run could not change a PO. Changed POs are counted in the same statement as the action: counted later, a crash could count
 * them twice or never.
 */
export const noteRefused = (pool: pg.Pool, id: string, poId: string, why: string): Promise<void> =>
  execute(pool, {
    name: 'bulk-run-refused',
    text: `update bulk_runs set tried = tried + 1, not_done = not_done + 1, after_id = $2,
        reasons = ${withReason('1')}
      where id = $1 and after_id < $2::bigint`,
    values: [id, poId, why],
  });

/** Records the end of a run. POs not tried no longer matched and count as skipped. */
export const finishRun = async (pool: pg.Pool, id: string, runner: string): Promise<void> => {
  await pool.query(
    `update bulk_runs set state = 'finished', finished_at = clock_timestamp(), runner = null, runner_until = null,
       tried = greatest(tried, expected), not_done = not_done + greatest(0, expected - tried),
       reasons = case when tried >= expected then reasons else ${withReason('expected - tried')} end
     where id = $1 and runner = $2 and state = 'running'`,
    [id, runner, 'it no longer matched when its turn came'],
  );
  noteChange(pool, { topics: ['bulk'] });
};

/** Releases the runs of this process to others. */
export const leaveRuns = (pool: pg.Pool, runner: string): Promise<void> =>
  execute(pool, 'update bulk_runs set runner = null, runner_until = null where runner = $1', [runner]);
