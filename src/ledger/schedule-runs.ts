import type pg from 'pg';
import type { ScheduledTask } from '../dispatch/job-schemas.ts';
import { execute, rowsOf } from './query.ts';

/** The last run of a task. */
export interface ScheduleRun {
  account: string;
  task: ScheduledTask;
  /** Earlier due times do not count as missed. */
  knownSince: Date;
  /** Null: none yet. */
  startedAt: Date | null;
  endedAt: Date | null;
  /** Null while it runs, and if its process ended before the run did. */
  result: 'done' | 'failed' | 'skipped' | null;
  /** Why it failed or was skipped. */
  note: string | null;
  succeededAt: Date | null;
}

export const listScheduleRuns = (pool: pg.Pool, accounts: readonly string[]): Promise<ScheduleRun[]> =>
  rowsOf(
    pool,
    `select account, task, known_since as "knownSince", started_at as "startedAt", ended_at as "endedAt", result, note,
       succeeded_at as "succeededAt"
     from schedule_runs where account = any($1) order by account, task`,
    [accounts],
  );

/** Records that these tasks are scheduled from now on. Idempotent. */
export const knowSchedules = async (
  pool: pg.Pool,
  tasks: readonly Pick<ScheduleRun, 'account' | 'task'>[],
): Promise<void> => {
  // Sorted, so that two workers that write the same rows cannot deadlock.
  const sorted = tasks.toSorted((a, b) => `${a.account} ${a.task}`.localeCompare(`${b.account} ${b.task}`));
  await pool.query(
    `insert into schedule_runs (account, task) select * from unnest($1::text[], $2::text[]) on conflict do nothing`,
    [sorted.map(({ account }) => account), sorted.map(({ task }) => task)],
  );
};

export const beginScheduleRun = (pool: pg.Pool, account: string, task: ScheduledTask): Promise<void> =>
  execute(
    pool,
    `insert into schedule_runs (account, task, started_at) values ($1, $2, clock_timestamp())
     on conflict (account, task) do update set started_at = clock_timestamp(), ended_at = null, result = null, note = null`,
    [account, task],
  );

export const endScheduleRun = (
  pool: pg.Pool,
  account: string,
  task: ScheduledTask,
  { result, note }: { result: 'done' | 'failed' | 'skipped'; note: string | undefined },
): Promise<void> =>
  execute(
    pool,
    `insert into schedule_runs (account, task, started_at, ended_at, result, note, succeeded_at)
     values ($1, $2, clock_timestamp(), clock_timestamp(), $3, $4, case when $3 = 'done' then clock_timestamp() end)
     on conflict (account, task) do update set ended_at = excluded.ended_at, result = excluded.result, note = excluded.note,
       started_at = case when $3 = 'skipped' then excluded.started_at else coalesce(schedule_runs.started_at, excluded.started_at) end,
       succeeded_at = coalesce(excluded.succeeded_at, schedule_runs.succeeded_at)`,
    [account, task, result, note ?? null],
  );
