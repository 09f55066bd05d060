import { expect, test } from 'vitest';
import { describeSchedule, listSchedules } from '../../src/cli/doctor/list-schedules.ts';
import { loadConfig } from '../../src/config/load-config.ts';

test('the next runs are shown as the clocks of the account’s zone show them, also where these change', () => {
  const config = loadConfig({}, { CARTWRIGHT_BASE_URL: 'http://127.0.0.1:1' });
  const account = {
    ...config.accounts[0]!,
    schedule: {
      ...config.accounts[0]!.schedule,
      timeZone: 'America/Chicago',
      takeFiles: undefined,
      poll: { everyMs: 90_000 },
      statusReport: '0 6 * * *',
    },
  };
  const lines = listSchedules(account, new Date('2026-10-31T00:00:00Z')).map(describeSchedule);
  expect(lines).toEqual([
    'status check: every 90 s',
    // Daylight saving time ends in the night before the second run.
    'status report: 0 6 * * * (America/Chicago), next Sat 2026-10-31 06:00, Sun 2026-11-01 06:00, Mon 2026-11-02 06:00',
  ]);
});
