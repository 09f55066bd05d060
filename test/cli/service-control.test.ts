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
  expect(await control('clock', '--set', 'yesterday')).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('set: "real", or a time such as'),
  });
  expect((await control('clock', '--advance', 'long')).err).toContain('--advance long: must be a duration');
  expect((await control('journal', '--endpoint', 'carts')).err).toContain('endpoint:');
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
