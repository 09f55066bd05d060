import { beforeEach, expect, test } from 'vitest';
import { beat, findEndedAccounts } from '../../src/ledger/workers.ts';
import { createScheduleKeeper } from '../../src/queue/keep-schedules.ts';
import type { Schedule } from '../../src/queue/schedules.ts';
import { useLedgerAndQueue } from './ledger-and-queue.ts';

const both = useLedgerAndQueue();
beforeEach(async () => {
  for (const { id, name } of await both.queues.listSchedules()) await both.queues.removeSchedule(name, id);
  await both.pool.query('truncate served_accounts, workers');
});

const poll = (account: string, cron = '0 6 * * *'): Schedule => ({
  id: `poll ${account}`,
  job: { name: 'poll-status', data: { account } },
  timing: { cron, timeZone: 'UTC' },
});

const createKeeper = () => {
  const logged: string[] = [];
  const logger = {
    ...both.sweepDeps.logger,
    error: ({ account }: { account?: string }, message: string) => void logged.push(`${account}: ${message}`),
  };
  const endedAccounts = (names: readonly string[]) => findEndedAccounts(both.pool, names);
  return { ...createScheduleKeeper({ queues: both.queues, endedAccounts, logger }), logged };
};
const inPlace = async () => (await both.queues.listSchedules()).map(({ id }) => id).toSorted();
const serves = (pid: number, ...places: string[]) =>
  beat(both.pool, {
    id: `00000000-0000-4000-8000-00000000000${pid}`,
    host: 'h',
    pid,
    places,
    reads: [],
    troubles: {},
  });

test('one schedule that cannot be put in place costs no other account its own, and is logged once', async () => {
  const { restore, logged } = createKeeper();
  const schedules = [
    poll('a'),
    poll('b', '0 24 * * *'),
    poll('c'),
    { ...poll('d'), id: 'poll:d:e:f' },
    poll('e'),
  ];
  await restore(schedules);
  await restore(schedules);
  expect(await inPlace()).toEqual(expect.arrayContaining(['poll a', 'poll c', 'poll e']));
  expect(logged).toContain('b: Cannot set the schedule "poll b"; all others are set');
  expect(logged.filter((line) => line.startsWith('b:'))).toHaveLength(1);
});

test('two processes with different accounts leave each other’s schedules alone', async () => {
  await serves(1, 'north');
  await serves(2, 'south');
  await createKeeper().restore([poll('north')]);
  await createKeeper().restore([poll('south')]);
  await createKeeper().restore([poll('north')]);
  expect(await inPlace()).toEqual(['poll north', 'poll south']);
});

test('a schedule that its own account no longer has is removed', async () => {
  const takes: Schedule = {
    ...poll('north'),
    id: 'take north',
    job: { name: 'import-file', data: { account: 'north' } },
  };
  await createKeeper().restore([poll('north'), takes]);
  await createKeeper().restore([poll('north')]);
  expect(await inPlace()).toEqual(['poll north']);
});

test('the schedules of an account end when no worker has had it for a day, and not because one process lacks it', async () => {
  const { restore } = createKeeper();
  await serves(1, 'north', 'gone');
  await restore([poll('north'), poll('gone'), poll('unheard')]);
  await serves(1, 'north');
  const age = (account: string, hours: number) =>
    both.pool.query(
      `update served_accounts set served_at = clock_timestamp() - $2 * interval '1 hour' where account = $1`,
      [account, hours],
    );
  await age('gone', 23);
  await restore([poll('north')]);
  expect(await inPlace()).toEqual(['poll gone', 'poll north', 'poll unheard']);
  await age('gone', 25);
  // For an account unknown to the ledger, it records from now on that nobody serves it.
  await age('unheard', 25);
  await restore([poll('north')]);
  expect(await inPlace()).toEqual(['poll north']);
});

test('many schedules are read one by one only where one is missing or another one is wanted, a few each time', async () => {
  let reads = 0;
  const listSchedules = () => {
    reads += 1;
    return both.queues.listSchedules();
  };
  const { restore } = createScheduleKeeper({
    queues: { ...both.queues, listSchedules },
    endedAccounts: async () => new Set(),
    logger: both.sweepDeps.logger,
  });
  const many = Array.from({ length: 101 }, (_, at) => poll(`a${at}`));
  for (const _again of [1, 2, 3]) await restore(many);
  expect(reads).toBe(1);
  await both.queues.removeSchedule('poll-status', 'poll a7');
  await restore(many);
  expect([reads, (await inPlace()).includes('poll a7')]).toEqual([2, true]);
  await restore([...many.slice(1), poll('a0', '0 7 * * *')]);
  expect(reads).toBe(3);
  const changed = (await both.queues.listSchedules()).find(({ id }) => id === 'poll a0');
  expect(changed?.timing).toMatchObject({ cron: '0 7 * * *' });
  for (const _again of [1, 2]) await restore(many.slice(0, 2));
  expect(reads).toBe(5);
});
