import { expect, test } from 'vitest';
import type { CallResult, ObservedCall } from '../../src/dealer-api/answers.ts';
import { createHealth, type HealthParts } from '../../src/health/create-health.ts';
import { firstMissedBackup } from '../../src/worker/look-for-backups.ts';
import { busyFigures, figuresOf, healthParts, noFigures } from './health-parts.ts';

const resultKinds: CallResult<never>['kind'][] = [
  ...(['ok', 'not_found', 'refused', 'conflict', 'denied'] as const),
  ...(['limited', 'unsupported', 'misdirected', 'not_sent', 'unknown'] as const),
];

const metricsOf = async (parts: Partial<HealthParts>): Promise<string> => {
  const health = createHealth(healthParts(parts));
  const { text } = await health.metrics();
  health.stop();
  return text;
};

const call = (result: CallResult<never>['kind'], durationMs = 20): ObservedCall => ({
  name: 'createOrder',
  result,
  durationMs,
  serviceTime: undefined,
});

test('figures of the ledger are shown by account, ages in seconds, and what is 0 is left out', async () => {
  const text = await metricsOf({
    readFigures: async () => ({
      ...noFigures,
      accounts: [busyFigures('north'), figuresOf('south', { states: { ordered: 2 } })],
      holds: { price_above: 4 },
      files: { read: 7, refused: 1 },
      rows: 321,
      workers: { placing: 0, files: 2 },
    }),
    pollDueAfter: (_account, polledAt) => new Date(polledAt.getTime() + 600_000),
  });
  for (const line of [
    'cartwright_purchase_orders{account="north",state="held"} 1001',
    'cartwright_purchase_orders{account="south",state="ordered"} 2',
    'cartwright_held_purchase_orders{reason="price_above"} 4',
    'cartwright_files{state="refused"} 1',
    'cartwright_file_rows 321',
    'cartwright_workers{role="placing"} 0',
    'cartwright_workers{role="files"} 2',
    'cartwright_account_paused{account="north",code="not_answering"} 1',
    'cartwright_up{server="ledger"} 1',
    'cartwright_build_info{version="1.2.3"} 1',
  ])
    expect(text).toContain(`${line}\n`);
  expect(text).toMatch(/cartwright_oldest_waiting_purchase_order_seconds\{account="north"\} 9\d\n/);
  expect(text).toMatch(/cartwright_poll_lag_seconds\{account="north"\} 10\d\n/);
  expect(text).not.toMatch(/cartwright_(?:alarms|account_paused|poll_failed)\{account="south"/);
});

test('undelivered messages and the regular backup have figures, however many routes there are', async () => {
  const dueAt = new Date('2026-11-23T02:30:00Z');
  const readFigures = async () => ({
    ...noFigures,
    undelivered: 7,
    undeliveredSince: new Date(Date.now() - 600_000),
    backup: { dueAt, endedAt: new Date('2026-11-23T02:31:00Z') },
  });
  const text = await metricsOf({ readFigures, backupDue: () => new Date(Date.now() + 3_600_000) });
  expect(text).toContain('cartwright_undelivered_notifications 7\n');
  expect(text).toMatch(/cartwright_oldest_undelivered_notification_seconds 60\d\n/);
  expect(text).toContain(
    `cartwright_last_backup_timestamp_seconds ${Date.parse('2026-11-23T02:31:00Z') / 1000}\n`,
  );
  expect(text).toContain('cartwright_backup_overdue_seconds 0\n');
  const late = await metricsOf({ readFigures, backupDue: () => new Date(Date.now() - 7_200_000) });
  expect(late).toMatch(/cartwright_backup_overdue_seconds 720\d\n/);
  const none = await metricsOf({});
  expect(none).not.toMatch(/^cartwright_(?:backup_overdue|last_backup)\w* /m);
});

test('a backup that is due often counts as overdue since the first one that was missed', async () => {
  const config = { backup: { folder: '/backups', keep: 3, at: { cron: '*/10 * * * *', timeZone: 'UTC' } } };
  const backupDue = (lastDueAt: Date) => firstMissedBackup(config, lastDueAt);
  const lastDue = new Date(Math.floor(Date.now() / 600_000) * 600_000 - 6 * 3_600_000);
  const readFigures = async () => ({ ...noFigures, backup: { dueAt: lastDue, endedAt: lastDue } });
  const text = await metricsOf({ readFigures, backupDue });
  const seconds = Number(/^cartwright_backup_overdue_seconds (\d+)/m.exec(text)?.[1]);
  expect(seconds).toBeGreaterThanOrEqual(5.8 * 3600);
  // Without any backup, it is not overdue before the first due time.
  expect(await metricsOf({ backupDue })).toContain('cartwright_backup_overdue_seconds 0\n');
});

test('what waits for the opening hours of its account is not waiting too long', async () => {
  const readFigures = async () => ({ ...noFigures, accounts: [busyFigures('north'), busyFigures('south')] });
  const text = await metricsOf({ readFigures, isClosed: (account) => account === 'north' });
  const waits = text.split('\n').filter((line) => /^cartwright_oldest_(?:waiting|unread)/.test(line));
  expect(waits).toHaveLength(2);
  for (const line of waits) expect(line).toContain('{account="south"}');
});

test('calls are counted by account and result, and measured by call', async () => {
  let listener: Parameters<HealthParts['onCall']>[0] = () => {};
  const health = createHealth(
    healthParts({
      namedAccounts: 1,
      onCall: (given) => {
        listener = given;
      },
    }),
  );
  listener('north', call('ok', 200));
  listener('south', call('unknown', 40_000));
  listener('west', call('unknown', 40_000));
  const { text } = await health.metrics();
  health.stop();
  expect(text).toContain('cartwright_api_calls_total{account="north",result="ok"} 1\n');
  expect(text).toContain('cartwright_api_calls_total{account="other",result="unknown"} 2\n');
  expect(text).toContain('cartwright_api_call_duration_seconds_bucket{le="0.25",call="createOrder"} 1\n');
  expect(text).toContain('cartwright_api_call_duration_seconds_count{call="createOrder"} 3\n');
});

test('1,000 accounts with everything that can be shown stay below 200 KB, and none in trouble is hidden', async () => {
  let listener: Parameters<HealthParts['onCall']>[0] = () => {};
  const names = Array.from({ length: 1000 }, (_, at) => `${'long-name-of-a-dealer-in-the-north-'}${at}`);
  const health = createHealth(
    healthParts({
      readFigures: async () => ({
        ...noFigures,
        accounts: names.map((name, at) =>
          at % 20 === 7
            ? busyFigures(name)
            : { ...busyFigures(name), alarms: 0, fileProblems: 0, pauseCode: undefined, pollFailed: false },
        ),
      }),
      onCall: (given) => {
        listener = given;
      },
    }),
  );
  for (const name of names) for (const kind of resultKinds) listener(name, call(kind));
  const { text } = await health.metrics();
  health.stop();
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(200_000);
  expect(text.match(/cartwright_account_paused\{/g)).toHaveLength(50);
  expect(text).not.toMatch(/cartwright_account_paused\{account="other"/);
  // Counts of the others are added up, so that sums stay correct.
  expect(text).toContain(`cartwright_purchase_orders{account="other",state="ordered"} ${950 * 1007}\n`);
});

test('without the ledger its figures are left out, and without the queue those of the queue', async () => {
  const down = async () => {
    throw new Error('connection refused');
  };
  const text = await metricsOf({ readFigures: down, readQueues: down });
  expect(text).toContain('cartwright_up{server="ledger"} 0\n');
  expect(text).toContain('cartwright_up{server="queue"} 0\n');
  expect(text).not.toMatch(/^cartwright_(?:workers|file_rows|purchase_orders|queue_jobs)/m);
});

test('figures are read once for many who ask', async () => {
  let read = 0;
  const health = createHealth(
    healthParts({
      readFigures: async () => {
        read += 1;
        return noFigures;
      },
    }),
  );
  await Promise.all([health.metrics(), health.metrics(), health.metrics()]);
  await health.metrics();
  health.stop();
  expect(read).toBe(1);
});

test('a process is ready while ledger and queue answer and not all folders have a problem', async () => {
  const readinessOf = (parts: Partial<HealthParts>) => createHealth(healthParts(parts)).readiness();
  const down = async () => {
    throw new Error('down');
  };
  expect(await readinessOf({})).toMatchObject({ ready: true, ledger: 'ok', queue: 'ok' });
  expect(await readinessOf({ pingLedger: down })).toMatchObject({ ready: false, ledger: 'down' });
  expect(await readinessOf({ pingQueue: down })).toMatchObject({ ready: false, queue: 'down' });
  expect(await readinessOf({ folders: () => ({ usable: 1, problems: 3 }) })).toMatchObject({ ready: true });
  expect(await readinessOf({ folders: () => ({ usable: 0, problems: 3 }) })).toMatchObject({ ready: false });
});
