import { expect, test } from 'vitest';
import { configSchema } from '../../src/config/schema.ts';
import { listSettingErrors, settingErrors } from '../../src/config/setting-errors.ts';

const errorsOf = (settings: object): string[] => {
  const { error } = configSchema.safeParse(settings, { error: settingErrors });
  return listSettingErrors(settings, error!).map(({ name, message }) => `${name}: ${message}`);
};
const account = (settings: object) => ({ accounts: { a: settings } });

test.each([
  [
    account({ fileSettle: 5 }),
    'accounts.a.fileSettle: must be a duration such as 250ms, 30s, 5m, 24h or 7d (got 5)',
  ],
  [{ log: { level: 'loud' } }, 'log.level: must be one of debug, info, warn, error, silent (got loud)'],
  [account({ linesInFlight: 5000 }), 'accounts.a.linesInFlight: must be at most 100 (got 5000)'],
  [account({ inFlight: 'many' }), 'accounts.a.inFlight: must be a number (got many)'],
  [account({ callsPerSecond: 0 }), 'accounts.a.callsPerSecond: must be greater than 0 (got 0)'],
  [account({ folder: '' }), 'accounts.a.folder: must not be empty'],
  [account({ guards: [] }), 'accounts.a.guards: must be a group of settings'],
  [account({ retries: 3 }), 'accounts.a.retries: is not a setting'],
  [
    account({ auth: { kind: 'barer', secretEnv: 'TOKEN' } }),
    'accounts.a.auth.kind: must be one of none, bearer, basic, header, query (got barer)',
  ],
  [
    account({ baseUrl: 'https://user:word@localhost' }),
    'accounts.a.baseUrl: must not contain a user or password; set accounts.a.auth, and the secret in an environment variable',
  ],
  [
    account({ auth: { kind: 'bearer' } }),
    'accounts.a.auth.secretEnv: must be set, or secretFile instead of it; not both',
  ],
  [
    account({ schedule: { poll: 'every day' } }),
    'accounts.a.schedule.poll: must be an interval of at least 1s such as 5m, or a cron pattern with five or six fields such as "0 2 * * *" (got every day)',
  ],
  [
    account({ schedule: { poll: 5 } }),
    'accounts.a.schedule.poll: must be an interval of at least 1s such as 5m, or a cron pattern with five or six fields such as "0 2 * * *" (got 5)',
  ],
  [
    account({ schedule: { timeZone: 'Mars/Base' } }),
    'accounts.a.schedule.timeZone: must be a time zone such as America/Chicago, Europe/Berlin, Asia/Tokyo (got Mars/Base)',
  ],
])('%j', (settings, message) => {
  expect(errorsOf(settings)).toEqual([message]);
});

test('a value that may be a secret is not repeated', () => {
  const wrong = { baseUrl: 'ftp://u:hidden@x', auth: 'hidden' };
  expect(errorsOf(account(wrong)).join('\n')).not.toContain('hidden');
});
