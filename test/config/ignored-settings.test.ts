import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'cartwright-ignored-'));
afterAll(() => rmSync(folder, { recursive: true }));

const load = (text: string) => {
  const file = join(folder, 'cartwright.yaml');
  writeFileSync(file, text);
  return loadConfig({ file }, {});
};

test('a setting that was removed is named, with what happens instead, and the file still works', () => {
  const config = load('worker:\n  jobPerStage: always\n  lease: 7s\n');
  expect(config.worker.leaseMs).toBe(7000);
  expect(config.ignored).toEqual([
    'The setting worker.jobPerStage has no effect any more: one job takes a PO to its order; with `console.queues.readOnly: false`, where people pause queues, each stage is a job of its own. Remove it.',
  ]);
});

test('a file with present settings only says nothing, and an unknown one is still refused', () => {
  expect(load('worker:\n  lease: 7s\n').ignored).toEqual([]);
  expect(() => load('worker:\n  jobPerStages: always\n')).toThrow(/jobPerStages/);
});

/** Required settings of a section, besides those under test. */
const needed: Readonly<Record<string, object>> = {
  'accounts.*.sftp.timeout': {
    ...{ host: 'sftp.example.com', user: 'me', hostKey: `SHA256:${'x'.repeat(43)}` },
    auth: { kind: 'password', secretEnv: 'SFTP' },
  },
  accounts: {
    notifications: {
      smtp: { host: 'mail.example.com', from: 'cartwright@example.com', security: 'none' },
    },
  },
  'accounts.*.answers.send': { to: ['orders@example.com'] },
  'console.openId': { publicUrl: 'https://orders.example.com' },
  'console.openId.scope': { issuer: 'https://id.example.com', clientId: 'cartwright' },
  'console.openId.name': { issuer: 'https://id.example.com', clientId: 'cartwright' },
};

/** Settings that files of earlier versions may have; `*` is an account. */
const ofBefore = [
  'worker.jobPerStage',
  'worker.concurrency',
  'worker.sweepEvery',
  'worker.drain',
  'worker.startPatience',
  'log.format',
  'retention.at',
  'console.openId.scope',
  'notifications.digest',
  'notifications.diskFreeBelow',
  'console.session.absolute',
  'console.uploads',
  'health.accounts',
  'retention.timeZone',
  'retention.copies',
  'retention.results',
  'retention.reports',
  'retention.changes',
  'retention.activity',
  'notifications.pollsLateAfter',
  'notifications.giveUpAfter',
  'console.openId.name',
  'service.unknownItems',
  'service.orderPrefix',
  'service.unknownFields',
  'service.errorShape',
  'service.cartItems',
  'service.orderItems',
  'service.latencyMs',
  'service.rateBurst',
  'service.bodyLimitBytes',
  'service.headerLimitBytes',
  'service.requestTimeoutMs',
  'service.idleTimeoutMs',
  'service.poolSize',
  'service.accessLog',
  'service.adminToken',
  'service.examples',
  'accounts.*.closeUnchangedAfter',
  'accounts.*.incompleteFileSettle',
  'accounts.*.maxAnswerBytes',
  'accounts.*.settle',
  'accounts.*.rebuildsAllowed',
  'accounts.*.orderSeenWithin',
  'accounts.*.sftp.timeout',
  'accounts.*.schedule.pollOlder',
  'accounts.*.retention',
  'accounts.*.unreachableAllowed',
  'accounts.*.deniedPause',
  'accounts.*.cancelledAgain',
  'accounts.*.restoredFiles',
  'accounts.*.answers.send',
  'accounts.*.schedule.missed',
  'accounts.*.intake.dateLikeIdentifiers',
  'accounts.*.intake.lostZipZeros',
  'accounts.*.intake.limits',
  'accounts.*.intake.stateCodes',
  'accounts.*.intake.fallbackEncoding',
  'accounts.*.intake.poNumberMaxLength',
];

test.each(ofBefore)('a file with %s still works, and what an account sets is named', (path) => {
  const names = path.replace('*', 'north').split('.');
  const settings = names.reduceRight<unknown>(
    (inner, name, at) => ({
      [name]: inner,
      ...needed[
        path
          .split('.')
          .slice(0, at + 1)
          .join('.')
      ],
    }),
    'as it was',
  );
  const config = load(JSON.stringify(settings));
  expect(config.ignored).toEqual([
    expect.stringMatching(new RegExp(`^The setting ${names.join('.')} has no effect any more: \\S`)),
  ]);
});

test('nothing is removed earlier than an account’s own age of before says', () => {
  const kept = (text: string) => load(text).retention;
  const day = 86_400_000;
  const accounts =
    'accounts:\n  a: { retention: { rows: 2000d, files: 60d } }\n  b: { retention: { rows: 40d } }\n';
  expect(kept(accounts)).toEqual({ rows: 2000 * day, files: 730 * day });
  expect(kept(`retention: { files: 50d, rows: 3000d }\n${accounts}`)).toEqual({
    rows: 3000 * day,
    files: 60 * day,
  });
  expect(kept('accounts: { a: { retention: { rows: forever } } }\n')).toEqual({
    rows: null,
    files: 730 * day,
  });
});

test('a service outside loopback whose token is no setting any more serves no /admin, and the file still works', () => {
  const dealers = '[{ name: a, token: secret }]';
  const open = `service: { host: 0.0.0.0, admin: true, adminToken: x, dealers: ${dealers} }\n`;
  expect(load(open)).toMatchObject({
    service: { admin: false },
    ignored: [expect.stringContaining('adminTokenEnv')],
  });
  expect(() => load(open.replace('adminToken: x, ', ''))).toThrow('must be off without an admin token');
});

test('quiet hours of before mean the same, and the one line for them is named', () => {
  const routes = (hours: string) =>
    `notifications: { routes: { ops: { kind: teams, urlEnv: X, quietHours: ${hours} } } }\n`;
  const before = load(routes('{ from: "20:00", to: "06:30" }'));
  expect(before.notifications.routes[0]!.quietHours).toEqual({ from: 1200, to: 390 });
  expect(before.ignored).toEqual([
    'The setting notifications.routes.ops.quietHours is written in one line now: quietHours: 20:00-06:30. Change it.',
  ]);
  const now = load(routes('20:00-06:30'));
  expect(now.notifications.routes[0]!.quietHours).toEqual({ from: 1200, to: 390 });
  expect(now.ignored).toEqual([]);
});

test('of several accounts each one is named', () => {
  const { ignored } = load(
    'accounts:\n  a: { maxAnswerBytes: 70000 }\n  b: {}\n  c: { maxAnswerBytes: 70000 }\n',
  );
  expect(ignored.map((sentence) => sentence.split(' ')[2])).toEqual([
    'accounts.a.maxAnswerBytes',
    'accounts.c.maxAnswerBytes',
  ]);
});

test('a list where accounts belong is still refused', () => {
  expect(() => load('accounts: [{ settle: 1s }]\n')).toThrow(/accounts/);
});
