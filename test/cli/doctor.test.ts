import { chmod, mkdir, readdir } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Finding } from '../../src/cli/doctor/finding.ts';
import { migrateLedger } from '../../src/ledger/migrate.ts';
import { createPool } from '../../src/ledger/pool.ts';
import { silentLogger } from '../../src/logger.ts';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { startRedis } from '../support/redis.ts';
import { startService } from '../support/run-system.ts';
import { startSshd } from '../support/sshd.ts';
import { useCliFolder } from './use-cli-folder.ts';

const cli = useCliFolder();
let service: ListeningService;
beforeAll(async () => {
  service = await startService(cli.databaseUrl, {});
});
afterAll(() => service.stop());

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const configure = (accounts: object, more: object = {}) =>
  cli.write('cartwright.yaml', JSON.stringify({ accounts, ...more }));

/** Runs `doctor`; returns its findings by check, and its exit code. */
const diagnose = async (env: Record<string, string> = {}, args: string[] = []) => {
  const { exitCode, out, err } = await cli.start(['doctor', '--json', ...args], env).ended;
  expect(err).toBe('');
  const report = JSON.parse(out) as {
    healthy: boolean;
    findings: Finding[];
    schedules: { account: string; what: string; next: string[] }[];
    settings: { name: string; value: string | null }[];
  };
  expect(exitCode).toBe(report.healthy ? 0 : 1);
  return {
    ...report,
    of: (check: string, account?: string) =>
      report.findings.find((one) => one.check === check && one.account === account),
  };
};

test('of notifications and backups it says what cannot work, and sends nothing', async () => {
  const hits: string[] = [];
  const url = await serve((request, response) => {
    hits.push(request.url!);
    response.end();
  });
  await mkdir(join(cli.folder, 'backups'), { recursive: true });
  await configure(
    { north: { baseUrl: service.url }, south: {} },
    {
      backup: { folder: 'backups', keep: 3 },
      notifications: {
        smtp: { host: 'mail.example.com', from: 'cartwright@example.com', ca: 'no-such.pem' },
        routes: {
          chat: { kind: 'slack', urlFile: 'no-such-secret', accounts: ['north'] },
          hook: { kind: 'webhook', url, secretEnv: 'HOOK', accounts: ['north'] },
          mail: { kind: 'email', to: ['ops@example.com'], accounts: ['north'] },
          open: {
            kind: 'webhook',
            url: 'http://hooks.example.com/in',
            secretEnv: 'HOOK',
            accounts: ['north'],
          },
        },
      },
    },
  );
  const found = await diagnose({ HOOK: 'a signing secret' });
  const about = found.findings.filter(({ check }) => check.startsWith('notifications'));
  expect(about.map(({ level, check }) => `${level} ${check}`)).toEqual([
    'problem notifications',
    'fine notifications',
    'problem notifications',
    'problem notifications_tls',
    'note notifications_accounts',
  ]);
  expect(about[0]!.advice).toContain('no-such-secret, named by notifications.routes.chat.urlFile');
  expect(about[2]!.message).toContain('no-such.pem cannot be read');
  expect(about[4]!.message).toBe('No route covers south.');
  expect(found.of('backup')).toMatchObject({
    level: 'fine',
    message: expect.stringContaining('last 3 are kept'),
  });
  expect(found.of('backup_space')).toBeDefined();
  expect(hits).toEqual([]);

  await cli.write('a-file', '');
  await configure({ north: {} }, { backup: { folder: 'a-file/below' } });
  const without = await diagnose();
  expect(without.of('backup')).toMatchObject({ level: 'problem' });
  expect(without.of('notifications')).toMatchObject({ level: 'note' });
});

test('it connects to mail servers and webhooks, lists all schedules, and notes secrets that others may read', async () => {
  const gone = await serve(() => {});
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  await cli.write('open-secret', 'hidden');
  await chmod(join(cli.folder, 'open-secret'), 0o644);
  await configure(
    {
      badtoken: {
        baseUrl: service.url,
        auth: { kind: 'bearer', secretFile: 'open-secret' },
        schedule: { expectFiles: '30 9 * * *', takeFiles: '0 18 * * *', open: '08:00-17:00' },
      },
    },
    {
      backup: { folder: 'backups' },
      notifications: {
        smtp: { host: '127.0.0.1', port, security: 'none', from: 'cartwright@example.com' },
        routes: {
          mail: { kind: 'email', to: ['ops@example.com'], summary: '0 7 * * *', severity: 'warning' },
          dead: { kind: 'webhook', url: `http://127.0.0.1:${port}/`, secretEnv: 'HOOK' },
          live: { kind: 'webhook', url: gone, secretEnv: 'HOOK' },
        },
      },
    },
  );
  const found = await diagnose({ HOOK: 'a signing secret' });
  const about = found.findings.filter(({ check }) => check.startsWith('notifications'));
  expect(about.map(({ level, check }) => `${level} ${check}`)).toEqual([
    'problem notifications_connection',
    'problem notifications_connection',
    'fine notifications',
  ]);
  expect(about[0]!.message).toContain(`The mail server 127.0.0.1:${port}`);
  expect(found.of('secret_file_permissions')).toMatchObject({ level: 'note' });
  expect(found.of('configuration_permissions')).toBeUndefined();
  expect(found.of('schedule_take_files', 'badtoken')).toMatchObject({ level: 'note' });
  expect(found.schedules.map(({ what }) => what)).toEqual([
    'summary to mail',
    'backup',
    'removal of old data',
    'status check',
    'status report',
    'picking up of files',
    'expected files',
  ]);
  expect(found.settings).toContainEqual({ name: 'accounts.badtoken.auth.kind', value: 'bearer' });
  const { out } = await cli.start(['doctor'], { HOOK: 'a signing secret' }).ended;
  expect(out).not.toMatch(/severity: warning|timeZone: UTC/);
});

test('of folders that nobody can create it says so, and does not promise to create them', async () => {
  await configure(
    { north: { folder: '/proc/orders/north' } },
    { dataFolder: '/proc/orders', backup: { folder: '/proc/orders/backups' } },
  );
  const found = await diagnose();
  for (const finding of [found.of('data_folder'), found.of('folder', 'north'), found.of('backup')])
    expect(finding).toMatchObject({
      level: 'problem',
      message: expect.stringMatching(/does not exist and cannot be created: \/proc does not allow it\.$/),
    });
});

test('of a sound installation it finds nothing to do, changes nothing, and shows the settings and the next runs', async () => {
  await configure({
    north: { baseUrl: service.url, schedule: { timeZone: 'America/Chicago', statusReport: '0 6 * * *' } },
  });
  const found = await diagnose();
  const problems = found.findings.filter(({ level }) => level === 'problem').map(({ check }) => check);
  // The tests' own Postgres may be configured for speed instead of safety.
  expect(problems.filter((check) => check !== 'database_durability')).toEqual([]);
  expect(found.of('ledger')).toMatchObject({ level: 'note' });
  for (const check of ['database_version', 'database_privileges', 'database_clock'])
    expect(found.of(check), check).toMatchObject({ level: 'fine' });
  for (const check of [
    'service_credential',
    'service_clock',
    'service_unknown_order',
    'service_unknown_cart',
  ])
    expect(found.of(check, 'north'), check).toMatchObject({ level: 'fine' });
  const report = found.schedules.find(({ what }) => what === 'status report')!;
  expect(report.next).toHaveLength(3);
  expect(report.next.map((at) => at.slice(11))).toEqual(
    expect.arrayContaining([expect.stringMatching(/^1[12]:00:00/)]),
  );
  expect(found.settings).toContainEqual({ name: 'accounts.north.baseUrl', value: service.url });
  expect(found.settings).toContainEqual({ name: 'DATABASE_URL', value: null });

  // It is read-only: there is still neither a ledger nor a folder.
  const again = await diagnose();
  expect(again.of('ledger')).toMatchObject({ level: 'note' });
  expect(again.of('folder', 'north')?.message).toContain('does not exist yet');
});

test('it names what is wrong with services, folders and files with secrets, each with what to do', async () => {
  const yesterday = new Date(Date.now() - 86_400_000).toUTCString();
  const refusing = await serve((_request, response) => response.writeHead(401).end('{"message":"no"}'));
  const odd = await serve((request, response) => {
    const body = request.url?.startsWith('/orders?') ? '[]' : '{}';
    response.writeHead(200, { 'content-type': 'application/json', date: yesterday }).end(body);
  });
  const site = await serve((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome'),
  );
  await configure(
    {
      refused: { baseUrl: refusing },
      odd: { baseUrl: odd },
      site: { baseUrl: site },
      down: { baseUrl: 'http://127.0.0.1:1' },
      secretless: { baseUrl: service.url, auth: { kind: 'bearer', secretEnv: 'NOT_SET' } },
      north: { baseUrl: service.url, folder: join(cli.folder, 'north') },
    },
    { service: { dealers: [{ name: 'north', token: 'a-token-that-must-stay-secret' }] } },
  );
  await chmod(join(cli.folder, 'cartwright.yaml'), 0o644);
  await mkdir(join(cli.folder, 'north/done'), { recursive: true });
  await chmod(join(cli.folder, 'north/done'), 0o755);

  const found = await diagnose();
  expect(found.of('service_credential', 'refused')).toMatchObject({ level: 'problem' });
  expect(found.of('service_credential', 'secretless')?.message).toContain('NOT_SET');
  expect(found.of('service', 'down')?.message).toContain('127.0.0.1:1');
  expect(found.of('service', 'site')?.message).toContain('A web page answers in place of the service');
  expect(found.of('service_clock', 'odd')?.message).toContain('24 h behind');
  expect(found.of('service_unknown_cart', 'odd')).toMatchObject({ level: 'problem' });
  expect(found.of('folder_permissions', 'north')).toMatchObject({
    level: 'problem',
    advice: expect.stringContaining('chmod -R go-rwx'),
  });
  expect(found.of('configuration_permissions')).toMatchObject({ level: 'problem' });
  for (const { level, advice, message, check } of found.findings)
    if (level === 'problem')
      expect(advice ?? message, check).toMatch(
        /\b(?:Check|Set|Run|Ask|Synchronise|Open|Write|Correct|Have|Let)\b/,
      );
  expect(JSON.stringify(found)).not.toContain('must-stay-secret');

  const one = await diagnose({}, ['--account', 'odd']);
  expect(new Set(one.findings.map(({ account }) => account))).toEqual(new Set([undefined, 'odd']));
});

test('it reads as sections with one line for each finding and a sum, and a database that is down is a finding', async () => {
  await configure({ north: { baseUrl: service.url } });
  const { exitCode, out, err } = await cli.start(['doctor'], {
    DATABASE_URL: 'postgres://someone:must-stay-secret@127.0.0.1:1/ledger',
  }).ended;
  expect([exitCode, err]).toEqual([1, '']);
  expect(out).toMatch(/^Configuration\n {2}fine {4}/);
  expect(out).toMatch(/\nDatabase\n {2}problem The database at 127\.0\.0\.1:1\/ledger /);
  expect(out).toContain('\nAccount north\n');
  expect(out).toMatch(/\n {2}planned status report: 0 6 \* \* \* \(UTC\), next /);
  expect(out).toContain('\n  accounts.north.baseUrl: ');
  expect(out).toContain('1 problem for a person to solve');
  expect(out).not.toContain('must-stay-secret');
});

test('a folder that the ledger does not know as the account’s is a problem', async () => {
  await configure({ north: { baseUrl: service.url, folder: join(cli.folder, 'known') } });
  const pool = createPool(cli.databaseUrl, { max: 2, logger: silentLogger });
  await migrateLedger(pool);
  await pool.query(
    `insert into account_folders (id, account, host, path) values (gen_random_uuid(), 'north', 'elsewhere', '/srv/north')`,
  );
  await pool.end();
  expect((await diagnose()).of('folder', 'north')).toMatchObject({
    level: 'fine',
    message: expect.stringContaining('/srv/north on elsewhere'),
  });
  await mkdir(join(cli.folder, 'known/inbox'), { recursive: true });
  expect((await diagnose()).of('folder', 'north')).toMatchObject({
    level: 'problem',
    advice: expect.stringContaining('cartwright use-folder --account north'),
  });
});

test('it looks at Redis: version, eviction and persistence', async () => {
  const redis = (await startRedis())!;
  onTestFinished(() => redis.stop());
  await configure({ north: { baseUrl: service.url } });
  const found = await diagnose({ REDIS_URL: redis.url });
  expect(found.of('redis_version')?.message).toMatch(/^Redis \d+\.\d+/);
  expect(found.of('redis_eviction')).toMatchObject({ level: 'fine' });
  expect(found.of('redis_persistence')).toMatchObject({ level: 'fine' });
  const down = await diagnose({ REDIS_URL: 'redis://:must-stay-secret@127.0.0.1:1' });
  expect(down.of('queue_down')).toMatchObject({ level: 'problem' });
  expect(JSON.stringify(down)).not.toContain('must-stay-secret');
});

test('the SFTP server of an account: reachable, its key, the login and the folders; nothing stays there', async (context) => {
  const sshd = await startSshd();
  if (!sshd) return context.skip('this machine has no sshd');
  onTestFinished(() => sshd.stop());
  for (const folder of ['orders', 'results']) {
    await mkdir(join(sshd.root, folder));
    sshd.give(folder);
  }
  await chmod(join(sshd.root, 'results'), 0o500);
  const { host, port, user } = sshd.server;
  const section = (over: object) => ({
    sftp: {
      ...{ host, port, user, hostKey: sshd.hostKey() },
      auth: { kind: 'key', secretFile: sshd.privateKeyFile },
      fetch: { folder: 'orders' },
      ...over,
    },
  });
  await configure({
    good: section({ deliver: { results: 'reports' } }),
    locked: section({ fetch: { folder: 'nowhere' }, deliver: { results: 'results' } }),
    posing: section({ hostKey: `SHA256:${'x'.repeat(43)}` }),
    stranger: section({ user: 'nobody-at-all' }),
    silent: section({ auth: { kind: 'password', secretEnv: 'NOT_SET' } }),
  });
  const found = await diagnose();
  expect(found.of('sftp_login', 'good')).toMatchObject({ level: 'fine' });
  expect(found.of('sftp_fetch', 'good')).toMatchObject({ level: 'fine' });
  expect(found.of('sftp_done', 'good')).toMatchObject({ level: 'note' });
  expect(found.of('sftp_results', 'good')).toMatchObject({ level: 'note' });
  expect(found.of('sftp_fetch', 'locked')?.message).toContain(
    'nowhere, which purchase files come from, does not exist',
  );
  expect(found.of('sftp_results', 'locked')?.message).toContain('permission denied');
  expect(found.of('sftp_host_key', 'posing')?.message).toContain(sshd.hostKey());
  expect(found.of('sftp_login', 'stranger')).toMatchObject({ level: 'problem' });
  expect(found.of('sftp_login', 'silent')?.message).toContain('NOT_SET');
  expect(await readdir(join(sshd.root, 'orders'))).toEqual([]);
  expect(await readdir(sshd.root)).toEqual(['orders', 'results']);
}, 120_000);
