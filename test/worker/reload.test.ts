import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { silentLogger } from '../../src/logger.ts';
import { openAccounts } from '../../src/worker/open-accounts.ts';
import { createReload, describeReload } from '../../src/worker/reload.ts';
import { useTestLedger } from '../support/ledger-rows.ts';

const db = useTestLedger();
const folder = mkdtempSync(join(tmpdir(), 'cartwright-reload-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = join(folder, 'cartwright.yaml');
const load = () => loadConfig({ file }, {});
const write = (north: object, more: object = {}) =>
  writeFileSync(file, JSON.stringify({ accounts: { north, ...more } }));

/** A running process with the current configuration. */
const start = () => {
  // A copy, like in a process, because a reload replaces sections.
  const config = { ...load() };
  const accounts = openAccounts(config, db.pool, silentLogger, 'a-worker');
  return {
    config,
    reload: createReload({ config, accounts }, load),
    north: () => accounts.get('north').account,
  };
};

test('what jobs read anew is reloaded, and what needs a restart keeps its value and is named', () => {
  write({ baseUrl: 'http://127.0.0.1:1' });
  const { reload, north } = start();
  write(
    {
      baseUrl: 'http://127.0.0.1:2',
      guards: { orderTotal: 100 },
      schedule: { statusReport: '0 7 * * *' },
      intake: { decimal: 'comma' },
      readLag: '1s',
    },
    { south: {} },
  );
  const reloaded = reload();
  expect(describeReload(reloaded)).toBe(
    'Reloaded accounts.north.guards, accounts.north.intake, accounts.north.schedule. These need a restart: accounts.north.baseUrl, accounts.north.readLag, accounts.south (new).',
  );
  expect(north()).toMatchObject({
    baseUrl: 'http://127.0.0.1:1',
    placing: { readLagMs: 0, guards: { orderTotal: 100 } },
    schedule: { statusReport: '0 7 * * *' },
    intake: { decimal: 'comma' },
  });
  expect(describeReload(reload())).toBe(
    'Nothing to reload has changed. These need a restart: accounts.north.baseUrl, accounts.north.readLag, accounts.south (new).',
  );
});

test.each([
  ['empty', () => writeFileSync(file, '')],
  ['only a comment', () => writeFileSync(file, '# being written')],
  ['missing', () => rmSync(file)],
])('a file that is %s is refused, and the configuration before stays in use', (_what, damage) => {
  write({}, { south: {} });
  writeFileSync(file, JSON.stringify({ accounts: { north: {} }, backup: { folder: '/backups' } }));
  const config = { ...load() };
  const accounts = openAccounts(config, db.pool, silentLogger, 'a-worker');
  const named = createReload({ config, accounts }, () => loadConfig({ file, before: config }, {}));
  const unnamed = createReload({ config, accounts }, () => loadConfig({ before: config }, {}));
  damage();
  for (const reload of [named, unnamed]) {
    expect(reload()).toEqual({ kind: 'refused', message: expect.stringContaining(file) });
    expect(config.backup.folder).toBe('/backups');
  }
});

test('backup and retention are reloaded', () => {
  writeFileSync(file, JSON.stringify({ retention: { rows: '40d' }, accounts: { north: {} } }));
  const { config, reload } = start();
  const day = 86_400_000;
  expect(config.retention).toMatchObject({ rows: 40 * day });
  writeFileSync(
    file,
    JSON.stringify({
      backup: { folder: 'backups', keep: 2, at: '0 3 * * *' },
      retention: { files: '35d', rows: '50d' },
      accounts: { north: {} },
    }),
  );
  expect(describeReload(reload())).toBe('Reloaded backup, retention.');
  expect(config.retention).toEqual({ rows: 50 * day, files: 35 * day });
  expect(config.backup).toMatchObject({
    folder: join(folder, 'backups'),
    keep: 2,
    at: { cron: '0 3 * * *' },
  });
  expect(config.backup.at.cron).toBe('0 3 * * *');
  expect(describeReload(reload())).toBe('Nothing to reload has changed.');
});

test('a configuration that is not valid is refused with the reason, and the one before stays in use', () => {
  write({ schedule: { statusReport: '0 7 * * *' } });
  const { reload, north } = start();
  write({ schedule: { statusReport: '0 25 * * *' } });
  expect(describeReload(reload())).toMatch(
    /^The configuration was not reloaded, and the one before stays in use: .*accounts\.north\.schedule\.statusReport: must be a cron pattern/s,
  );
  expect(north().schedule.statusReport).toBe('0 7 * * *');
  writeFileSync(file, 'accounts: [');
  expect(reload().kind).toBe('refused');
  write({ schedule: { statusReport: '0 8 * * *' } });
  expect(describeReload(reload())).toBe('Reloaded accounts.north.schedule.');
  expect(north().schedule.statusReport).toBe('0 8 * * *');
});
