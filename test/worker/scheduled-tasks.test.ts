import { beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import type { NewJob } from '../../src/dispatch/job-schemas.ts';
import { listScheduleRuns } from '../../src/ledger/schedule-runs.ts';
import { silentLogger } from '../../src/logger.ts';
import { openAccounts } from '../../src/worker/open-accounts.ts';
import { createCatchUp, createTaskRuns } from '../../src/worker/scheduled-tasks.ts';
import { useTestLedger } from '../support/ledger-rows.ts';

const db = useTestLedger();
beforeEach(() => db.pool.query('truncate schedule_runs'));

/** A schedule whose account was open one minute, twelve hours ago. */
const closedNow = () => {
  const clock = (at: number) => new Date(at).toISOString().slice(11, 16);
  const then = Date.now() + 12 * 3_600_000;
  return `${clock(then)}-${clock(then + 60_000)}`;
};
/** A cron pattern that was due 30 minutes ago. */
const halfAnHourAgo = () => {
  const at = new Date(Date.now() - 30 * 60_000);
  return `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`;
};

const accountsWith = (schedule: object) => {
  const config = structuredClone(loadConfig({}, { CARTWRIGHT_BASE_URL: 'http://127.0.0.1:1' }));
  const [account] = config.accounts;
  Object.assign(account!.schedule, schedule);
  const accounts = openAccounts(config, db.pool, silentLogger, 'a-worker');
  return { ...accounts, serving: () => ({ places: ['default'], reads: ['default'], troubles: {} }) };
};
const runs = async () =>
  (await listScheduleRuns(db.pool, ['default'])).map(({ task, result, note }) => ({ task, result, note }));
const tasksWith = (schedule: object) =>
  createTaskRuns({ pool: db.pool, accounts: accountsWith(schedule), logger: silentLogger });

test('a run is recorded with its result, and a failure also with its reason', async () => {
  const runTask = tasksWith({});
  const during: unknown[] = [];
  await runTask('report', 'default', { asked: false }, async () => {
    during.push(...(await runs()));
    return undefined;
  });
  expect(during).toEqual([{ task: 'report', result: null, note: null }]);
  await runTask('poll', 'default', { asked: false }, async () => 'The account is paused.');
  expect(await runs()).toEqual([
    { task: 'poll', result: 'failed', note: 'The account is paused.' },
    { task: 'report', result: 'done', note: null },
  ]);
  const broken = runTask('report', 'default', { asked: false }, async () => {
    throw new Error('no space is left');
  });
  await expect(broken).rejects.toThrow('no space is left');
  expect((await runs())[1]).toEqual({ task: 'report', result: 'failed', note: 'no space is left' });
  const [, report] = await listScheduleRuns(db.pool, ['default']);
  expect(report!.succeededAt!.getTime()).toBeLessThan(report!.endedAt!.getTime());
});

test('outside the opening hours no files are picked up, unless a person asks; reports are written', async () => {
  const runTask = tasksWith({ open: closedNow() });
  const done: string[] = [];
  const work = (name: string) => async () => void done.push(name);
  await runTask('take_files', 'default', { asked: false }, work('by the clock'));
  expect(await runs()).toEqual([
    {
      task: 'take_files',
      result: 'skipped',
      note: expect.stringMatching(/^No files are picked up now: schedule\.open is /),
    },
  ]);
  await runTask('take_files', 'default', { asked: true }, work('asked'));
  await runTask('report', 'default', { asked: false }, work('report'));
  expect(done).toEqual(['asked', 'report']);
});

describe('a run that was due while the account was closed', () => {
  const minutes = (ago: number) => new Date(Date.now() - ago * 60_000);
  const clock = (at: Date) => at.toISOString().slice(11, 16);
  const catchUpWith = (open: string) => {
    const due = minutes(30);
    const enqueued: NewJob[] = [];
    const catchUp = createCatchUp({
      pool: db.pool,
      accounts: accountsWith({
        takeFiles: `${due.getUTCMinutes()} ${due.getUTCHours()} * * *`,
        open,
      }),
      enqueue: async (jobs) => void enqueued.push(...jobs),
    });
    return { catchUp, names: () => enqueued.map(({ name }) => name) };
  };
  /** The task was skipped when it was due. */
  const skipped = async () => {
    await db.pool.query(
      `insert into schedule_runs (account, task, known_since, started_at, ended_at, result)
       values ('default', 'take_files', now() - interval '1 day', $1, $1, 'skipped')`,
      [minutes(30)],
    );
  };

  test('is made once when it opens', async () => {
    const { catchUp, names } = catchUpWith(`${clock(minutes(1))}-${clock(minutes(-60))}`);
    await skipped();
    await catchUp();
    expect(names()).toEqual(['import-file']);
    await db.pool.query(
      `update schedule_runs set started_at = now(), result = 'done' where task = 'take_files'`,
    );
    await catchUp();
    await catchUp();
    expect(names()).toEqual(['import-file']);
  });

  test('is not made before', async () => {
    const { catchUp, names } = catchUpWith(`${clock(minutes(-60))}-${clock(minutes(-120))}`);
    await skipped();
    await catchUp();
    await catchUp();
    expect(names()).toEqual([]);
  });
});

test('a last run in the future is from before the clock was set back, and prevents no run', async () => {
  const enqueued: NewJob[] = [];
  const catchUp = createCatchUp({
    pool: db.pool,
    accounts: accountsWith({ statusReport: halfAnHourAgo() }),
    enqueue: async (jobs) => void enqueued.push(...jobs),
  });
  await db.pool.query(
    `insert into schedule_runs (account, task, known_since, started_at, ended_at, result)
     values ('default', 'report', now() - interval '1 day', now() + interval '1 day', now() + interval '1 day', 'done')`,
  );
  await catchUp();
  await catchUp();
  expect(enqueued.map(({ name }) => name)).toEqual(['write-report']);
});

test('a run that the queue has lost is found once', async () => {
  const enqueued: NewJob[] = [];
  const catchUp = createCatchUp({
    pool: db.pool,
    accounts: accountsWith({ statusReport: halfAnHourAgo() }),
    enqueue: async (jobs) => void enqueued.push(...jobs),
  });
  // A new schedule has missed nothing.
  await catchUp();
  await catchUp();
  expect([enqueued, (await runs()).map(({ result }) => result)]).toEqual([[], [null, null]]);
  await db.pool.query(`update schedule_runs set known_since = now() - interval '1 day'`);
  await catchUp();
  expect([enqueued, (await runs())[1]!.result]).toEqual([[], null]);
  await catchUp();
  expect(enqueued).toEqual([
    {
      name: 'write-report',
      data: { account: 'default' },
      single: expect.stringMatching(/^missed report default/),
    },
  ]);
});
