import { setTimeout as sleep } from 'node:timers/promises';
import { timeAccounts } from './fairness.ts';
import { oneDealerEach } from './support/dealers.ts';
import type { Figure } from './support/figures.ts';
import { startScene } from './support/scene.ts';
import type { QueueKind } from './support/system.ts';

const idleSeconds = 30;
const limitMs = 90_000;

/**
 * One process with many configured accounts, some of which get a file: start-up, memory, idle CPU, and how evenly the active
 * ones are served. Each account has its schedules and is polled every 5 minutes.
 *
 * @param options.accounts configured accounts
 * @param options.active accounts that get a file
 */
export const run = async (
  options: { accounts?: number; active?: number; posEach?: number; queue?: QueueKind } = {},
): Promise<Figure[]> => {
  const { accounts: count = 1_000, active = 200, posEach = 10, queue = 'postgres' } = options;
  const { dealers, accounts, env } = oneDealerEach(count);
  const scene = await startScene({
    queue,
    services: { service: { latencyMs: 20, poolSize: 30, dealers } },
    accounts: ({ service }) =>
      Object.fromEntries(
        Object.entries(accounts(service!)).map(([name, account]) => [
          name,
          { ...account, schedule: { poll: '5m' } },
        ]),
      ),
    env,
  });
  const name = `${count} accounts`;
  if (!scene) return [{ name, value: 'skipped: this machine has no redis-server' }];
  try {
    const begin = performance.now();
    const up = await scene.start();
    const startMs = performance.now() - begin;
    // The first start creates folders, schedules and tables. The process is idle once its CPU time stops growing fast.
    let before = up.cpuMs();
    for (;;) {
      await sleep(3_000);
      const spent = up.cpuMs() - before;
      before += spent;
      if (spent < 600 || performance.now() - begin > limitMs) break;
    }
    const settledMs = performance.now() - begin - 3_000;
    // The daily removal of old data also runs some time after the first start.
    const isPruned = async () => {
      const { rows } = await scene.pool.query(
        'select count(*)::int as tasks from cartwright.maintenance where ended_at is not null',
      );
      return rows[0].tasks > count;
    };
    while (!(await isPruned()) && performance.now() - begin < 2 * limitMs) await sleep(1_000);
    before = up.cpuMs();
    await sleep(idleSeconds * 1_000);
    const idleMs = up.cpuMs() - before;
    const figures: Figure[] = [
      { name: `${name}: from start to the first heartbeat`, value: startMs / 1000, unit: 's' },
      { name: `${name}: until the work of the first start is done`, value: settledMs / 1000, unit: 's' },
      { name: `${name}: CPU while idle, of one core`, value: (idleMs / idleSeconds / 1000) * 100, unit: '%' },
      { name: `${name}: resident (MB)`, value: up.residentBytes() / 1024 / 1024 },
    ];
    const names = Object.keys(accounts('')).slice(0, active);
    await Promise.all(names.map((account) => scene.drop(account, account.toUpperCase(), posEach, 1)));
    const title = `${active} of them x ${posEach} POs`;
    figures.push(...(await timeAccounts(scene, title, active * posEach, active, limitMs)));
    figures.push({
      name: `${name}: resident after the work (MB)`,
      value: up.residentBytes() / 1024 / 1024,
    });
    return figures;
  } finally {
    await scene.stop();
  }
};
