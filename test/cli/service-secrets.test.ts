import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { startCli } from './run-cli.ts';

const token = 'a-token-that-nobody-may-see';
let folder: string;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-cli-'));
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const serve = (dealer: object, env: Record<string, string> = {}) =>
  startCli(['service', '--port', '0', '--dealers', JSON.stringify([dealer]), '--json'], {
    cwd: folder,
    env: { DATABASE_URL: database.url, ...env },
  });
const statusWith = async (url: string, given: string): Promise<number> =>
  (await fetch(`${url}/orders/P-1`, { headers: { authorization: `Bearer ${given}` } })).status;

test('a token comes from the environment variable that the dealer names, and no process list shows it', async () => {
  const service = serve({ name: 'north', tokenEnv: 'NORTH_TOKEN' }, { NORTH_TOKEN: token });
  await service.said('"url"');
  const shown = await readFile(`/proc/${service.child.pid}/cmdline`, 'utf8').catch(() => '');
  expect(shown).not.toContain(token);
  service.child.kill('SIGTERM');
  const { out, err } = await service.ended;
  expect(`${out}${err}`).not.toContain(token);
  expect(err).not.toContain('every user of this machine');
});

test.each([
  ['named by tokenEnv', { tokenEnv: 'NORTH_TOKEN' }, ''],
  [
    'given as an argument, which earns a warning',
    { token },
    'every user of this machine can read the tokens',
  ],
])('a token opens the service: %s', async (_, how, warning) => {
  const service = serve({ name: 'north', ...how }, { NORTH_TOKEN: token });
  let out = '';
  service.child.stdout!.on('data', (chunk) => {
    out += chunk;
  });
  await service.said('}');
  const { url } = JSON.parse(out) as { url: string };
  expect(await statusWith(url, token)).toBe(404);
  expect(await statusWith(url, 'another')).toBe(401);
  service.child.kill('SIGTERM');
  const { err } = await service.ended;
  expect(err.includes('every user of this machine')).toBe(warning !== '');
  expect(err).not.toContain(token);
});

test.each([
  [
    'the variable is not set',
    { tokenEnv: 'NO_SUCH_TOKEN' },
    'NO_SUCH_TOKEN, an environment variable that is not set',
  ],
  ['there is neither', {}, 'give either token or tokenEnv'],
  ['there are both', { token, tokenEnv: 'NORTH_TOKEN' }, 'give either token or tokenEnv'],
])('the service does not start where %s, and says so', async (_, how, sentence) => {
  const ended = await serve({ name: 'north', ...how }).ended;
  expect(ended.exitCode).toBe(2);
  expect(ended.err).toContain(sentence);
  expect(ended.err).not.toContain(token);
});
