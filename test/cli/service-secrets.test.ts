import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { useCliFolder } from './use-cli-folder.ts';

const token = 'a-token-that-must-stay-secret';
const cli = useCliFolder();

const serve = (dealer: object, env: Record<string, string> = {}) =>
  cli.start(['service', '--port', '0', '--dealers', JSON.stringify([dealer]), '--json'], env);
const statusWith = async (url: string, given: string): Promise<number> =>
  (await fetch(`${url}/orders/P-1`, { headers: { authorization: `Bearer ${given}` } })).status;

test('a token comes from the environment variable that the dealer names, and no process list shows it', async () => {
  const service = serve({ name: 'north', tokenEnv: 'NORTH_TOKEN' }, { NORTH_TOKEN: token });
  await service.printed('"url"');
  const shown = await readFile(`/proc/${service.child.pid}/cmdline`, 'utf8').catch(() => '');
  expect(shown).not.toContain(token);
  service.child.kill('SIGTERM');
  const { out, err } = await service.ended;
  expect(`${out}${err}`).not.toContain(token);
  expect(err).not.toContain('Every user of this machine');
});

test.each([
  ['named by tokenEnv', { tokenEnv: 'NORTH_TOKEN' }, ''],
  ['given as an argument, which earns a warning', { token }, 'Every user of this machine can read tokens'],
])('a token opens the service: %s', async (_, how, warning) => {
  const service = serve({ name: 'north', ...how }, { NORTH_TOKEN: token });
  let out = '';
  service.child.stdout!.on('data', (chunk) => {
    out += chunk;
  });
  await service.printed('}');
  const { url } = JSON.parse(out) as { url: string };
  expect(await statusWith(url, token)).toBe(404);
  expect(await statusWith(url, 'another')).toBe(401);
  service.child.kill('SIGTERM');
  const { err } = await service.ended;
  expect(err.includes('Every user of this machine')).toBe(warning !== '');
  expect(err).not.toContain(token);
});

test.each([
  ['the variable is not set', { tokenEnv: 'NO_SUCH_TOKEN' }, 'The environment variable NO_SUCH_TOKEN'],
  ['neither is set', {}, 'set exactly one of token and tokenEnv'],
  ['both are set', { token, tokenEnv: 'NORTH_TOKEN' }, 'set exactly one of token and tokenEnv'],
])('the service does not start if %s, and prints the reason', async (_, how, sentence) => {
  const ended = await serve({ name: 'north', ...how }).ended;
  expect(ended.exitCode).toBe(2);
  expect(ended.err).toContain(sentence);
  expect(ended.err).not.toContain(token);
});
