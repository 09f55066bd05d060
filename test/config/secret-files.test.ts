import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { configurationText } from '../../src/config/configuration-text.ts';
import { describeSettings } from '../../src/config/describe-settings.ts';
import { loadConfig } from '../../src/config/load-config.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-secrets-'));
  await writeFile(join(folder, 'north'), 'hidden-token\n');
  await writeFile(join(folder, 'empty'), '\n');
  await writeFile(join(folder, 'database'), 'postgres://cartwright:hidden@db/cartwright\n');
});
afterAll(() => rm(folder, { recursive: true }));

const load = async (yaml: string, env: NodeJS.ProcessEnv = {}) => {
  const file = join(folder, 'cartwright.yaml');
  await writeFile(file, yaml);
  return loadConfig({ file }, env);
};
const account = (auth: string) =>
  `accounts: { north: { baseUrl: "http://x", auth: { kind: bearer, ${auth} } } }`;

test('the secret of an account is read from a file, without its line break', async () => {
  const { accounts } = await load(account('secretFile: north'));
  expect(accounts[0]?.api?.secret).toBe('hidden-token');
});

test.each(['missing', 'empty'])('a file that is %s affects only its account, and is named', async (name) => {
  const { accounts } = await load(account(`secretFile: ${name}`));
  expect(accounts[0]?.api).toBeUndefined();
  expect(accounts[0]?.problem?.message).toContain(
    `${join(folder, name)}, named by accounts.north.auth.secretFile`,
  );
});

test.each(['secretFile: north, secretEnv: NORTH', 'user: x'])(
  'either a file or a variable: %s',
  async (auth) => {
    await expect(
      load(account(auth).replace('bearer', auth === 'user: x' ? 'basic' : 'bearer')),
    ).rejects.toThrow('accounts.north.auth.secretEnv: must be set, or secretFile instead of it; not both');
  },
);

const routes = `notifications:
  smtp: { host: mail, user: u, secretFile: north, from: a@example.com }
  routes:
    mail: { kind: email, to: [b@example.com] }
    hook: { kind: webhook, url: "https://x", secretFile: north }
    chat: { kind: slack, urlFile: address }
    none: { kind: teams, urlFile: missing }
`;

test('secrets of notifications are read from files, and are known as secrets', async () => {
  await writeFile(join(folder, 'address'), 'https://chat.example.com/hidden-path\n');
  const { notifications } = await load(routes);
  expect(notifications.routes.map(({ channel }) => channel)).toMatchObject([
    { smtp: { password: 'hidden-token' } },
    { secret: 'hidden-token' },
    { url: 'https://chat.example.com/hidden-path' },
    {
      kind: 'unusable',
      message: expect.stringContaining('missing, named by notifications.routes.none.urlFile,'),
    },
  ]);
  expect(notifications.secrets).toEqual(['hidden-token', 'https://chat.example.com/hidden-path']);
  const webhook = 'webhooks: { erp: { url: "https://erp.example", secretFile: north } }';
  for (const yaml of [account('secretFile: north'), `accounts: { north: { sync: { ${webhook} } } }`])
    expect((await load(yaml)).notifications.secrets).toEqual(['hidden-token']);
});

test.each([
  ['secretFile: north', 'secretFile: north, secretEnv: X', 'notifications.smtp.secretEnv'],
  ['urlFile: address', 'urlFile: address, urlEnv: X', 'notifications.routes.chat.urlEnv'],
  ['urlFile: address', 'secretFile: north', 'notifications.routes.chat.secretFile'],
])('a route with %s instead of %s is refused', async (right, wrong, setting) => {
  await expect(load(routes.replace(right, wrong))).rejects.toThrow(`${setting}: `);
});

test('addresses are read from files where their variables are not set', async () => {
  const file = join(folder, 'database');
  expect((await load('', { DATABASE_URL_FILE: file })).databaseUrl).toContain('@db/cartwright');
  expect((await load('', { DATABASE_URL_FILE: file, DATABASE_URL: 'postgres://y' })).databaseUrl).toBe(
    'postgres://y',
  );
  await expect(load('', { REDIS_URL_FILE: join(folder, 'none') })).rejects.toThrow('named by REDIS_URL_FILE');
});

describe('the configuration in a backup', () => {
  const whole = async (text: string): Promise<string> => {
    const file = join(folder, 'whole.yaml');
    await writeFile(file, text);
    return file;
  };

  test('has no secrets, and is refused until they are filled in', async () => {
    const file = await whole(`dataFolder: d # a comment
accounts: { north: { baseUrl: "http://user:hidden@x/v4" } }
notifications: { routes: { hook: { kind: webhook, secretEnv: HOOK, url: "http://hooks/h?x=hidden" } } }
service: { adminToken: hidden, dealers: [{ name: a, token: hidden }, { name: b, tokenEnv: B }] }`);
    const text = configurationText({ file })!;
    expect(text).toContain('dataFolder: d');
    expect(text).not.toContain('hidden');
    await writeFile(file, text);
    for (const name of ['accounts.north.baseUrl', 'notifications.routes.hook.url', 'service.dealers.0.token'])
      expect(() => loadConfig({ file }, {})).toThrow(`${name}: was removed from the backup; fill it in`);
  });

  test('is otherwise the same, whatever its names are', async () => {
    const text = `accounts:
  badtoken: {}
  password:
    intake:
      columns: { Password: po_number, Secret: item_sku, "http://x/?token=1": ignore }
      constants: { ship_via: "BEST" }
      layouts: { secret: { columns: { Token: quantity } } }
`;
    const file = await whole(text);
    expect(parse(configurationText({ file })!)).toEqual(parse(text));
    const described = describeSettings(loadConfig({ file }, {}));
    expect(described.filter(({ value }) => value === null)).toEqual([]);
    expect(described).toContainEqual(
      expect.objectContaining({ name: 'accounts.password.intake.columns.Secret', value: 'item_sku' }),
    );
  });
});

test('settings that have their default value are known', async () => {
  const file = join(folder, 'defaults.yaml');
  await writeFile(
    file,
    'notifications: { routes: { hook: { kind: webhook, secretEnv: HOOK, url: "http://hooks/h", severity: warning } } }',
  );
  const changed = describeSettings(loadConfig({ file }, {}))
    .filter(({ name, isDefault }) => name.startsWith('notifications.routes.') && !isDefault)
    .map(({ name }) => name.split('.').at(-1));
  expect(changed).toEqual(['kind', 'url', 'secretEnv']);
});
