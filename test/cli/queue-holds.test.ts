import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { createTestDatabase } from '../support/database.ts';
import { createSystem, fileOf, type System, somePos, startService, until } from '../support/run-system.ts';
import { runCli, startCli } from './run-cli.ts';

let ledger: Awaited<ReturnType<typeof createTestDatabase>>;
let served: Awaited<ReturnType<typeof createTestDatabase>>;
let service: ListeningService;
let system: System;
const create = async (settings: Record<string, unknown>) => {
  system = await createSystem({
    ledgerUrl: ledger.url,
    accounts: { default: { baseUrl: service.url } },
    worker: { sweepEveryMs: 200 },
    console: settings,
  });
  return system;
};
beforeEach(async () => {
  [ledger, served] = [await createTestDatabase(), await createTestDatabase()];
  service = await startService(served.url);
});
afterEach(async () => {
  await system.stop();
  await service.stop();
  await Promise.all([ledger.drop(), served.drop()]);
});

const env = () => ({ DATABASE_URL: ledger.url });
const status = (...args: string[]) => runCli(['status', ...args], { cwd: system.folder, env: env() });

test('paused or rate-limited queues are resumed, and status reports it', async () => {
  await create({});
  const { runtime } = await system.work();
  for (const queue of runtime.queues.bullQueues) await queue.pause();
  await runtime.queues.bullQueues[0]!.setGlobalConcurrency(1);
  await system.drop('default', 'orders.csv', fileOf(somePos('P-', 5)));
  await system.settled(1);
  const { out } = await status();
  expect(out).toContain('The job queue create-cart was paused from outside; a worker resumed it at');
  const { problems } = JSON.parse((await status('--check', '--json')).out);
  expect(problems).toEqual([]);
});

test('if the queues page may change queues, a paused queue stays paused, and status shows how to resume it', async () => {
  await create({ queues: { readOnly: false } });
  const { runtime } = await system.work();
  const queue = runtime.queues.bullQueues.find(({ name }) => name === 'create-cart')!;
  await queue.pause();
  await until(async () => (await status()).out.includes('The job queue create-cart has been paused since'));
  const checked = await status('--check', '--json');
  expect(checked.exitCode).toBe(5);
  expect(JSON.parse(checked.out).problems).toMatchObject([{ code: 'queue_held' }]);
  expect(await queue.isPaused()).toBe(true);
  await queue.resume();
  await until(async () => !(await status()).out.includes('create-cart'));
});

test('up starts even if another program uses the port of the console, and prints its address', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  await create({ port });
  const up = startCli(['up'], { cwd: system.folder, env: env() });
  await up.printed(`Port ${port} is used by another program, so the console is at http://127.0.0.1:`);
  await up.printed('Press Ctrl-C to stop');
  up.child.kill('SIGTERM');
  expect((await up.ended).exitCode).toBe(0);
  other.close();
});
