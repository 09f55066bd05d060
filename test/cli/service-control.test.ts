import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { servicesOfTest, type TestServices } from '../service/run-service.ts';
import { useCliFolder } from './use-cli-folder.ts';

const cli = useCliFolder();
let services: TestServices;
let service: ListeningService;
beforeAll(async () => {
  services = await servicesOfTest();
  service = await services.listen({ admin: true, adminToken: 'let-me' });
});
afterAll(() => services.end());

const control = (...args: string[]) => cli.run('service', ...args, '--url', service.url);

test('seed, clock, journal and reset control a running service', async () => {
  const file = join(cli.folder, 'seeds.yaml');
  await writeFile(
    file,
    '- po_number: P1\n  items: [{ item_sku: A, quantity: 2 }]\n  status: Shipped\n- po_number: P2\n',
  );
  expect(await control('seed', file)).toMatchObject({
    exitCode: 0,
    out: expect.stringMatching(/^P1: 1 order 2\d+\nP2: cart C\d+\n$/),
  });
  await fetch(`${service.url}/orders/P1`, { headers: { 'x-request-id': 'seen' } });
  const set = ['--freeze', '--set', '2030-01-01T00:00:00Z', '--advance', '36h'];
  expect((await control('clock', ...set)).out).toBe('The clock shows 2030-01-02T12:00:00.000Z, stopped.\n');
  const journal = await control('journal', '--po', 'P1', '--json');
  expect(JSON.parse(journal.out)).toEqual([expect.objectContaining({ requestId: 'seen', status: 200 })]);
  expect((await control('journal', '--endpoint', 'showOrder')).out).toMatch(/GET +\/orders\/P1 +200/);
  expect((await control('reset', '--po', 'P2')).out).toBe('Removed 1 cart and 0 orders.\n');
  expect((await control('reset')).out).toBe('Removed 1 cart and 1 order.\n');
});

test('the sample seeds are accepted', async () => {
  const { exitCode, out } = await control(
    'seed',
    fileURLToPath(new URL('../../samples/seeds.yaml', import.meta.url)),
  );
  expect([exitCode, out.split('\n').length]).toEqual([0, 5]);
});

test('what goes wrong is said in a sentence', async () => {
  const refusals: [string[], string][] = [
    [['clock', '--set', 'yesterday'], '--set must be "real", or a time such as 2026-01-31T08:00:00Z.'],
    [['clock', '--speed', 'abc'], '--speed must be a number.'],
    [['clock', '--speed', ''], '--speed must be a number.'],
    [['clock', '--speed', '-1'], '--speed must be at least 0.'],
    [['clock', '--advance', 'long'], '--advance long: must be a duration'],
    [['journal', '--endpoint', 'carts'], '--endpoint must be one of createCart,'],
    [['journal', '--since', 'monday'], '--since must be a time such as 2026-01-31T08:00:00Z.'],
    [['journal', '--until', ''], '--until must be a time such as 2026-01-31T08:00:00Z.'],
    [['journal', '--limit', '0'], '--limit must be a whole number from 1 to 5000.'],
    [['journal', '--dealer', 'nobody'], '--dealer must be dealer.'],
    [['reset', '--dealer', 'nobody'], '--dealer must be dealer.'],
    [['reset', '--po', ''], '--po must be text that is not empty.'],
  ];
  for (const [args, sentence] of refusals) {
    const { exitCode, err } = await control(...args);
    expect([args, exitCode, err.replace(/\s+/g, ' ')]).toEqual([args, 2, expect.stringContaining(sentence)]);
    expect(err).not.toMatch(/undefined|received|NaN/);
  }
  expect((await control('seed', 'missing.yaml')).err).toContain('Cannot read the seeds in missing.yaml');
  const nobody = await cli.run('service', 'reset', '--url', 'http://127.0.0.1:9');
  expect([nobody.exitCode, nobody.err]).toEqual([3, expect.stringContaining('No dealer order service')]);
  const plain = await services.listen();
  const closed = await cli.run('service', 'reset', '--url', plain.url);
  expect([closed.exitCode, closed.err]).toEqual([3, expect.stringContaining('Start it with --admin')]);
});

test('the admin token comes from the environment', async () => {
  const withToken = (token: string) =>
    cli.start(['service', 'clock', '--url', service.url, '--admin-token-env', 'ADMIN'], { ADMIN: token })
      .ended;
  expect((await withToken('let-me')).exitCode).toBe(0);
  expect((await withToken('')).err).toContain('The environment variable ADMIN is not set');
});

test('a seed file that is not UTF-8 is refused with its place, and nothing of it is sent', async () => {
  const file = join(cli.folder, 'latin1.yaml');
  await writeFile(
    file,
    Buffer.from('- po_number: N1\n- po_number: M\u00fc-7\n- po_number: M\u00e4-7\n', 'latin1'),
  );
  const { exitCode, err } = await control('seed', file);
  expect([exitCode, err.replace(/\s+/g, ' ')]).toEqual([
    2,
    expect.stringMatching(
      /Cannot read the seeds in .*latin1\.yaml: line 2, column 15 is not UTF-8\. Save the file/,
    ),
  ]);
  expect((await fetch(`${service.url}/carts/N1`)).status).toBe(404);
});

test('each refused seed field is named once', async () => {
  const file = join(cli.folder, 'wrong.yaml');
  await writeFile(file, '- { po_number: P9, ship_to: "1", a: 1, b: 1, c: 1 }\n');
  const { err } = await control('seed', file);
  expect(err.match(/ship_to/g)).toHaveLength(1);
  for (const name of ['a', 'b', 'c']) expect(err).toContain(`${name}: unknown field`);
});

test('a misspelt command is named, whatever options follow', async () => {
  for (const args of [['rest'], ['rest', '--url', service.url], ['--admin', 'rest', '--json']]) {
    const { exitCode, err } = await cli.run('service', ...args);
    expect([exitCode, err]).toEqual([
      2,
      expect.stringContaining(
        "'service' has no command 'rest'. Its commands are reset, clock, seed, journal.",
      ),
    ]);
  }
  expect((await cli.run('schedule', 'rn', 'north/statusReport')).err).toContain(
    "'schedule' has no command 'rn'. Its commands are run.",
  );
  expect((await cli.run('service', '--prot', '1')).err).toContain("unknown option '--prot'");
});
