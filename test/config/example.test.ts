import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { UserError } from '../../src/errors.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const secrets = { NORTHSIDE_TOKEN: 'north', SOUTHGATE_TOKEN: 'south' };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-config-'));
});
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
/** The refusal of a configuration file with this content. */
const refusalOf = async (yaml: string, env: NodeJS.ProcessEnv = {}): Promise<UserError> => {
  files += 1;
  const file = join(folder, `${files}.yaml`);
  await writeFile(file, yaml);
  try {
    loadConfig({ file }, env);
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(UserError);
    return thrown as UserError;
  }
  throw new Error('it was taken');
};

test('the commented example is a valid configuration', () => {
  const config = loadConfig({ file: join(project, 'cartwright.example.yaml') }, secrets);
  expect(config.accounts.map(({ name }) => name)).toEqual(['northside', 'southgate']);
  const [northside, southgate] = config.accounts;
  expect(northside).toMatchObject({
    folder: expect.stringMatching(/cartwright-data\/accounts\/northside$/),
    api: { baseUrl: 'https://orders.example.com/v4', secret: 'north', requestTimeoutMs: 30_000 },
    placing: { guards: { abovePercent: 5, orderTotal: 25_000 } },
    intake: { columns: { Document: 'po_number' }, decimal: 'comma' },
  });
  expect(southgate?.folder).toBe(join(project, 'cartwright-data/accounts/southgate'));
  expect(southgate?.codeLists.warehouses).toContain('NV');
});

test('the defaults in the example are the real defaults', async () => {
  const example = loadConfig({ file: join(project, 'cartwright.example.yaml') }, secrets);
  const empty = join(folder, 'empty.yaml');
  await writeFile(empty, '');
  const plain = loadConfig({ file: empty }, {});
  expect(example.worker).toEqual(plain.worker);
  expect(example.log).toEqual(plain.log);
  expect(example.console).toEqual(plain.console);
  expect(example.service).toEqual(plain.service);
});

test('a sandbox asks for statuses more often than a real service is asked', () => {
  const file = join(project, 'cartwright.example.yaml');
  const every = (sandbox?: object) => loadConfig({ file, sandbox }, secrets).accounts[0]!.schedule.poll;
  expect(every()).toEqual({ everyMs: 300_000 });
  expect(every({})).toEqual({ everyMs: 30_000 });
});

test('the configuration of the samples has the tokens of the sandbox', () => {
  const config = loadConfig({ file: join(project, 'samples/cartwright.yaml') }, secrets);
  expect(config.accounts.map(({ name }) => name)).toEqual(['northside', 'southgate']);
  expect(config.service.dealers.map(({ name }) => name)).toEqual(['northside', 'southgate']);
});

test('without a file one default account takes its address and token from the environment', async () => {
  const empty = join(folder, 'nothing.yaml');
  await writeFile(empty, '# nothing\n');
  const { accounts } = loadConfig(
    { file: empty },
    { CARTWRIGHT_BASE_URL: 'http://127.0.0.1:8480', CARTWRIGHT_TOKEN: 'secret' },
  );
  expect(accounts).toHaveLength(1);
  expect(accounts[0]).toMatchObject({
    name: 'default',
    api: { baseUrl: 'http://127.0.0.1:8480', auth: { kind: 'bearer' }, secret: 'secret' },
  });
});

test('every unknown setting is refused with its full name', async () => {
  const { code, message } = await refusalOf(
    'accounts:\n  north:\n    baseUrll: http://x\n    guards: { abovePercentage: 5 }\nworkers: {}\n',
  );
  expect(code).toBe('config_invalid');
  for (const key of ['accounts.north.baseUrll', 'accounts.north.guards.abovePercentage', 'workers']) {
    expect(message).toContain(`  ${key}: is not a setting`);
  }
});

test.each([
  ['worker: { lease: 5 minutes }', 'worker.lease', 'a duration such as'],
  [
    'accounts: { north: { schedule: { timeZone: Mars } } }',
    'accounts.north.schedule.timeZone',
    'a time zone',
  ],
  ['accounts: { North: {} }', 'accounts.North', 'a name of lower-case letters'],
  ['accounts: { north: { baseUrl: orders.example.com } }', 'accounts.north.baseUrl', 'a web address'],
  [
    'notifications: { routes: { ops: { kind: slack, urlEnv: X, timeZone: Mars } } }',
    'notifications.routes.ops.timeZone',
    'a time zone',
  ],
  [
    'notifications: { routes: { ops: { kind: email, to: [a@example.com] } } }',
    'notifications.smtp',
    'must be set for the route ops',
  ],
  [
    'notifications: { routes: { ops: { kind: webhook, url: "http://x" } } }',
    'notifications.routes.ops.secretEnv',
    'must be set for kind: webhook',
  ],
  [
    'notifications: { routes: { ops: { kind: teams, urlEnv: X, quietHours: "20:00-6:30" } } }',
    'notifications.routes.ops.quietHours',
    'two different times',
  ],
  [
    'notifications: { smtp: { host: mail.example.com, from: a@example.com, user: a, secretEnv: B, security: none } }',
    'notifications.smtp.security',
    'the password would be readable',
  ],
  [
    'accounts: { north: { schedule: { expectFiles: 0 9 31 2 * } } }',
    'accounts.north.schedule.expectFiles',
    'never runs',
  ],
  ['queueView: { port: 8490 }', 'queueView', 'is now called console'],
  ['console: { trustProxy: [10.0.0.1] }', 'console.publicUrl', 'https://'],
  ['console: { trustProxy: [proxy] }', 'console.trustProxy.0', 'an IP address'],
  ['console: { openId: { issuer: "https://id.example.com", clientId: a } }', 'console.publicUrl', 'openId'],
])('%s is refused, naming %s', async (yaml, key, words) => {
  const { message } = await refusalOf(yaml);
  expect(message).toContain(`  ${key}: `);
  expect(message).toContain(words);
});

test('a route without its secret can send nothing, and the message names the variable; other routes are not affected', async () => {
  const file = join(folder, 'routes.yaml');
  await writeFile(
    file,
    `notifications:
  routes:
    ops: { kind: slack, urlEnv: OPS_URL }
    hook: { kind: webhook, url: "https://hooks.example.com", secretEnv: HOOK }
`,
  );
  const { routes, secrets: known } = loadConfig({ file }, { HOOK: 'signing secret' }).notifications;
  expect(routes.map(({ channel }) => channel)).toEqual([
    { kind: 'unusable', message: expect.stringContaining('OPS_URL') },
    { kind: 'webhook', url: 'https://hooks.example.com', secret: 'signing secret' },
  ]);
  expect(known).toEqual(['signing secret']);
});

test('broken YAML is refused with its line', async () => {
  const { code, message } = await refusalOf('accounts:\n  - [');
  expect(code).toBe('config_unreadable');
  expect(message).toMatch(/line 2/);
});

test('a missing secret affects only its account, and the message names its variable', async () => {
  const file = join(folder, 'secrets.yaml');
  await writeFile(
    file,
    `accounts:
  north: { baseUrl: "http://x", auth: { kind: bearer, secretEnv: NORTH } }
  west: { baseUrl: "http://x", auth: { kind: bearer, secretEnv: WEST } }
  south: { baseUrl: "http://x", auth: { kind: bearer, secretEnv: SOUTH } }`,
  );
  const [north, west, south] = loadConfig({ file }, { SOUTH: 'here' }).accounts;
  expect(north).toMatchObject({ api: undefined, problem: { code: 'secret_missing' } });
  expect(north?.problem?.message).toContain('NORTH');
  expect(west?.problem?.message).toContain('WEST');
  expect(south).toMatchObject({ api: { secret: 'here' }, problem: undefined });
});

test('no secret is ever shown', async () => {
  const twins = `accounts:
  one: { baseUrl: "http://x", auth: { kind: bearer, secretEnv: ONE } }
  two: { baseUrl: "http://x/", auth: { kind: bearer, secretEnv: TWO } }`;
  const same = await refusalOf(twins, { ONE: 'hidden', TWO: 'hidden' });
  expect(same.message).toContain('accounts.two: has the same baseUrl and credential as accounts.one');
  expect(same.message).not.toContain('hidden');
});

test('the configuration cannot be changed by anybody who reads it', async () => {
  const config = loadConfig({ file: join(project, 'samples/cartwright.yaml') }, secrets);
  expect(Object.isFrozen(config.accounts[0]?.placing.guards)).toBe(true);
  expect(await readFile(join(project, 'samples/cartwright.yaml'), 'utf8')).toContain('accounts');
});
