import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeSettings } from '../../src/config/describe-settings.ts';
import { loadConfig } from '../../src/config/load-config.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-sftp-settings-'));
});
afterAll(() => rm(folder, { recursive: true }));

const hostKey = `SHA256:${'k'.repeat(43)}`;
const load = async (sftp: object, env: NodeJS.ProcessEnv = {}) => {
  const file = join(folder, 'cartwright.yaml');
  const whole = { host: 'sftp.example.com', user: 'cartwright', hostKey, ...sftp };
  await writeFile(file, JSON.stringify({ accounts: { north: { sftp: whole } } }));
  return loadConfig({ file }, env);
};

test('a password from a variable, a key and its passphrase from files', async () => {
  const password = { kind: 'password', secretEnv: 'NORTH_SFTP' };
  const config = await load({ auth: password, fetch: { folder: 'orders' } }, { NORTH_SFTP: 'hidden word' });
  expect(config.accounts[0]!.sftp).toMatchObject({
    server: { port: 22, hostKeys: [hostKey], auth: { kind: 'password', password: 'hidden word' } },
    everyMs: 60_000,
    fetch: { folder: 'orders', doneFolder: 'orders/done' },
  });
  expect(config.notifications.secrets).toContain('hidden word');
  expect(config.notifications.dropPlaces?.get('north')).toBe('orders at the SFTP server sftp.example.com:22');
  expect(JSON.stringify(describeSettings(config))).not.toContain('hidden word');

  await writeFile(join(folder, 'key'), 'the private key\n');
  const key = { kind: 'key', secretFile: 'key', passphrase: { secretEnv: 'WORD' } };
  const other = await load({ auth: key, hostKey: [hostKey, `${hostKey}=`] }, { WORD: 'hidden phrase' });
  expect(other.accounts[0]!.sftp?.server).toMatchObject({
    hostKeys: [hostKey, hostKey],
    auth: { kind: 'key', privateKey: 'the private key', passphrase: 'hidden phrase' },
  });
  expect(other.notifications.secrets).toEqual(expect.arrayContaining(['the private key', 'hidden phrase']));
});

test.each([
  [
    { kind: 'password', secretEnv: 'NONE' },
    'The environment variable NONE, named by accounts.north.sftp.auth.secretEnv',
  ],
  [{ kind: 'key', secretFile: 'none' }, 'none, named by accounts.north.sftp.auth.secretFile, cannot be read'],
  [
    { kind: 'key', secretEnv: 'KEY', passphrase: { secretEnv: 'NONE' } },
    'NONE, named by accounts.north.sftp.auth.passphrase.secretEnv',
  ],
])(
  'a secret that is missing concerns only the exchange of its account, and is named',
  async (auth, sentence) => {
    const { accounts } = await load({ auth }, { KEY: 'x' });
    expect(accounts[0]!.sftp?.server).toBeUndefined();
    expect(accounts[0]!.sftp?.problem).toContain(sentence);
  },
);

const auth = { kind: 'password', secretEnv: 'X' };
test.each([
  [{ auth, hostKey: 'aa:bb:cc' }, 'accounts.north.sftp.hostKey'],
  [{ auth, hostKey: undefined }, 'accounts.north.sftp.hostKey'],
  [{ auth: { kind: 'password' } }, 'must be set, or secretFile instead of it; not both'],
  [{ auth, every: '100ms' }, 'must be at least 1s'],
  [{ auth, fetch: { folder: '../x' } }, 'must be a folder at the server'],
  [{ auth, fetch: { folder: 'orders/' } }, 'must be a folder at the server'],
  [{ auth, fetch: { folder: 'a' }, deliver: { results: 'a' } }, 'must be another folder than fetch.folder'],
  [{ auth, fetch: { folder: 'a', doneFolder: 'a' } }, 'must be another folder than fetch.folder'],
])('what cannot work is refused with the name of the setting: %j', async (sftp, sentence) => {
  await expect(load(sftp)).rejects.toThrow(sentence);
});
