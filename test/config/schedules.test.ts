import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'cartwright-schedules-'));
afterAll(() => rmSync(folder, { recursive: true }));

const load = (schedule: object) => {
  const file = join(folder, 'cartwright.yaml');
  writeFileSync(file, JSON.stringify({ accounts: { north: {}, south: { schedule } } }));
  return loadConfig({ file }, {});
};

describe('a schedule that would never run is refused when the configuration is loaded', () => {
  test.each([
    ['statusReport', '0 24 * * *', 'expected range 0-23'],
    ['statusReport', '0 0 31 2 *', 'day of month'],
    ['statusReport', '0 5-2 * * *', 'Invalid range'],
    ['takeFiles', '* * * * 8', 'expected range 0-7'],
    ['takeFiles', 'every day at six', 'five or six fields'],
    ['poll', '61 * * * *', 'expected range 0-59'],
    ['poll', '0s', 'at least 1s'],
    ['timeZone', 'Mars/Base', 'a time zone'],
    ['open', '8 to 5', 'two different times'],
    ['closedOn', ['2026-02-30'], 'must be a day such as'],
  ])('%s: %s', (setting, value, why) => {
    expect(() => load({ [setting]: value })).toThrow(
      expect.objectContaining({
        code: 'config_invalid',
        message: expect.stringMatching(
          new RegExp(`accounts\\.south\\.schedule\\.${setting}(?:\\.0)?: .*${why}`),
        ),
      }),
    );
  });

  test.each([
    { statusReport: '0 6 * * 1-5', timeZone: 'America/Chicago' },
    { statusReport: '0 0 29 2 *', timeZone: 'US/Pacific' },
    { statusReport: '30 0 6 L * *', poll: '*/5 * * * *', takeFiles: '0 2 * * MON' },
    { poll: '1s' },
  ])('and one that runs is taken: %j', (schedule) => {
    const { poll, ...others } = schedule as { poll?: string };
    const expected = poll === undefined ? {} : { poll: poll === '1s' ? { everyMs: 1000 } : { cron: poll } };
    expect(load(schedule).accounts[1]?.schedule).toMatchObject({ ...others, ...expected });
  });
});
