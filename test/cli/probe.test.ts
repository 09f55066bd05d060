import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { startService } from '../support/run-system.ts';
import { useCliFolder } from './use-cli-folder.ts';

const cli = useCliFolder();
let service: ListeningService;
beforeAll(async () => {
  service = await startService(cli.databaseUrl, {});
  await cli.write(
    'cartwright.yaml',
    `# Our dealers.\naccounts:\n  north:\n    baseUrl: ${service.url} # the sandbox\n    inFlight: 4\n`,
  );
});
afterAll(() => service.stop());

const configuration = () => readFile(join(cli.folder, 'cartwright.yaml'), 'utf8');

test('a probe shows each manner with its meaning, and writes the settings next to what the file has', async () => {
  const shown = await cli.run('accounts', 'probe', '--sku', 'A-1', '--po', 'TEST-1', '--yes');
  expect([shown.exitCode, shown.err]).toEqual([0, '']);
  expect(shown.out).toMatch(
    /refuses a second cart +yes +The cart need not be looked up before its creation\./,
  );
  expect(shown.out).toContain('The test PO was TEST-1. The service has no cart under it.');
  expect(shown.out).toContain('createRefusesExistingCart: true');
  expect(await configuration()).not.toContain('createRefuses');

  const written = await cli.run('accounts', 'probe', 'north', '--sku', 'A-1', '--yes', '--write', '--json');
  expect(written.exitCode).toBe(0);
  expect(JSON.parse(written.out)).toMatchObject({
    account: 'north',
    poNumber: expect.stringMatching(/^PROBE-\d{8}-\d{6}$/),
    settings: { createRefusesExistingCart: true },
    cartGone: true,
  });
  const text = await configuration();
  expect(text).toContain('# Our dealers.');
  expect(text).toContain('# the sandbox');
  expect(text).toContain('    createRefusesExistingCart: true');
});

test('what it wrote is used by running workers after a reload, or after a restart if it cannot be reloaded', async () => {
  const write = (...more: string[]) =>
    cli.run('accounts', 'probe', 'north', '--sku', 'A-1', '--yes', '--write', ...more);
  expect((await write()).out).toContain('No worker is running here; the next one uses them.');
  await cli.write(
    'other.yaml',
    `accounts:\n  north: { baseUrl: "${service.url}" }\nconsole: { port: 0 }\nworker: { lease: 4s }\n`,
  );
  const worker = cli.start(['work', '--config', 'other.yaml']);
  await worker.printed('Working.');
  const written = await write('--config', 'other.yaml');
  expect(written.out).toContain('The 1 running worker will use them after `cartwright reload`.');
  const reloaded = await cli.run('reload', '--config', 'other.yaml');
  expect(reloaded.out).toContain('Reloaded accounts.north.createRefusesExistingCart');
  worker.child.kill('SIGTERM');
  await worker.ended;
});

// On other systems `script` has other options.
test.runIf(process.platform === 'linux')(
  'at a terminal it offers to make running workers use what it wrote',
  async () => {
    await cli.write(
      'offer.yaml',
      `accounts:\n  north: { baseUrl: "${service.url}" }\nconsole: { port: 0 }\nworker: { lease: 4s }\n`,
    );
    const worker = cli.start(['work', '--config', 'offer.yaml']);
    await worker.printed('Working.');
    const write = [
      'accounts',
      'probe',
      'north',
      '--sku',
      'A-1',
      '--yes',
      '--write',
      '--config',
      'offer.yaml',
    ];
    const probe = cli.startAtTerminal(...write);
    await probe.printed('Make the 1 running worker use them now?');
    probe.child.stdin!.write('y\n');
    const { exitCode, out } = await probe.ended;
    expect(out).toContain('Reloaded accounts.north.createRefusesExistingCart');
    expect(exitCode).toBe(0);
    worker.child.kill('SIGTERM');
    await worker.ended;
  },
);

test('what a sandbox does is not written into the configuration of the real service', async () => {
  const args = ['accounts', 'probe', 'north', '--sku', 'A-1', '--yes', '--write', '--sandbox'];
  const { exitCode, err } = await cli.run(...args);
  expect(exitCode).toBe(2);
  expect(err).toContain('--write cannot be combined with --sandbox');
});

test('without a terminal it changes nothing unless --yes is given, and says what it would do', async () => {
  const { exitCode, err } = await cli.run('accounts', 'probe', '--sku', 'A-1', '--po', 'TEST-2', '--submit');
  expect(exitCode).toBe(2);
  expect(err).toMatch(
    /--yes to create a test cart with PO number TEST-2 and 3 x A-1 at http.*, and ORDER it\./,
  );
});

test('a service that cannot be reached is named, with what is left there', async () => {
  await cli.write('gone.yaml', 'accounts:\n  north:\n    baseUrl: http://127.0.0.1:9\n');
  const { exitCode, err } = await cli.run(
    '--config',
    'gone.yaml',
    'accounts',
    'probe',
    '--sku',
    'A-1',
    '--yes',
  );
  expect(exitCode).toBe(3);
  expect(err).toMatch(
    /ended early, while looking up the order: .*refused.*The service has no cart under it\./,
  );
});
