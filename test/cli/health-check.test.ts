import { expect, test } from 'vitest';
import { checkHealth } from '../../src/cli/health-check.ts';

const now = new Date('2026-11-22T12:00:00Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const worker = { host: 'h', pid: 1, slots: 16, startedAt: minutesAgo(60) };

const account = (over: object) =>
  ({
    account: 'north',
    states: {},
    heldFor: {},
    orderStatuses: {},
    unread: 0,
    unknownFiles: [],
    failingWebhooks: [],
    alarms: 0,
    alarmPo: null,
    fileTroubles: [],
    stalled: [],
    ...over,
  }) as never;
const problemsOf = (over: object) =>
  checkHealth(
    { accounts: [account(over)], workers: [worker] as never, queueHolds: [], maintenance: [] },
    now,
  );

test.each([
  ['between two pauses', undefined],
  ['while it pauses', { until: minutesAgo(-0.1), code: 'rate_limited', reason: 'answered 429' }],
])(
  'an account whose every call is limited for longer than ten minutes is a problem, also %s',
  (_when, paused) => {
    const found = problemsOf({ pausedSince: minutesAgo(11), paused });
    expect(found).toMatchObject([
      { code: 'account_paused', message: expect.stringContaining('no call has succeeded since') },
    ]);
  },
);

test('a short rate limit is not a problem', () => {
  const paused = { until: minutesAgo(-0.1), code: 'rate_limited', reason: 'answered 429' };
  expect(problemsOf({ pausedSince: minutesAgo(9), paused })).toEqual([]);
});

test('many file problems of one kind are one, and a few are one each', () => {
  const trouble = (code: string, at: number) => ({
    code,
    fileName: `${code}-${at}`,
    message: 'Why.',
    since: now,
  });
  const folders = Array.from({ length: 12 }, (_, at) => trouble('folder', at));
  const found = problemsOf({ fileTroubles: [trouble('EACCES', 0), ...folders, trouble('EACCES', 1)] });
  expect(found.map(({ message }) => message)).toEqual([
    expect.stringMatching(/EACCES-0 \(since/),
    expect.stringMatching(/folder-0 and 11 others \(since .*\): Why\./),
    expect.stringMatching(/EACCES-1 \(since/),
  ]);
});
