import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../src/embedded/free-port.ts';
import { runCli, startCli } from './run-cli.ts';

const poCount = 60;
let folder: string;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-cli-'));
  await chmod(folder, 0o711);
  const port = await findFreePort();
  url = `http://127.0.0.1:${port}`;
  await writeFile(
    join(folder, 'cartwright.yaml'),
    // Short times: POs in progress are taken over after their lease and the grace period.
    `worker: { lease: 5s }
accounts: { default: { baseUrl: "${url}", requestTimeout: 2s } }
service: { port: ${port}, faults: [{ kind: delay, delayMs: 20 }] }
`,
  );
  const rows = Array.from({ length: poCount }, (_, at) => `G-${at},SKU-1,${1 + (at % 5)}`);
  await writeFile(join(folder, 'orders.csv'), `po_number,item_sku,quantity\n${rows.join('\n')}\n`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const ordered = async (): Promise<number> => {
  const days = [-1, 1].map((shift) =>
    new Date(Date.now() + shift * 86_400_000).toISOString().slice(0, 10).replaceAll('-', ''),
  );
  const answer = await fetch(`${url}/orders?from_date=${days[0]}&to_date=${days[1]}`);
  return answer.ok ? ((await answer.json()) as unknown[]).length : 0;
};

test('service and import continue after the built-in database was killed, and nothing is ordered twice', async () => {
  const service = startCli(['service'], { cwd: folder });
  await service.printed('Dealer order service at');
  const importing = startCli(['import', '--wait', 'orders.csv'], { cwd: folder });
  await expect.poll(ordered, { timeout: 30_000 }).toBeGreaterThan(3);
  const pidFile = join(folder, 'cartwright-data/postgres/cluster/postmaster.pid');
  process.kill(Number((await readFile(pidFile, 'utf8')).split('\n')[0]), 'SIGKILL');

  const ended = await importing.ended;
  expect(ended.err).not.toMatch(/^\s+at /m);
  expect(ended.exitCode, `${ended.out}\n${ended.err}`).toBe(0);
  expect(await ordered()).toBe(poCount);
  const { accounts } = JSON.parse((await runCli(['status', '--json'], { cwd: folder })).out);
  expect(accounts[0].states).toEqual({ ordered: poCount });
  service.child.kill('SIGTERM');
  const served = await service.ended;
  expect(served.exitCode).toBe(0);
  // A killed database is not a bug of the program.
  expect(`${served.out}${served.err}`).not.toMatch(/^\s+at |"stack"|\\n\s+at /m);
}, 150_000);
