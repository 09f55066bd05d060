import net, { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { oneDealerEach } from './support/dealers.ts';
import { type Figure, median } from './support/figures.ts';
import { type HangingLists, startHangingLists } from './support/hanging-lists.ts';
import { type Scene, startScene } from './support/scene.ts';
import type { QueueKind } from './support/system.ts';

const filesEach = 5;
/** How long a file may take before it counts as not done. */
const limitMs = 30_000;

/** The median time in ms of files dropped one after the other; a sentence if one of them is not done in time. */
const timeFiles = async (
  scene: Scene,
  account: string,
  name: string,
  pos: number,
): Promise<number | string> => {
  const times: number[] = [];
  for (let nth = 1; nth <= filesEach; nth += 1) {
    const file = `${name}${nth}`;
    await scene.drop(account, file, pos, 5);
    const { wallMs, ordered } = await scene.untilPlaced(file, limitMs);
    if (wallMs === undefined) return `not done after ${limitMs / 1000} s (${ordered} of ${pos} ordered)`;
    times.push(wallMs);
  }
  return median(times);
};

/** A file's time alone and beside other work, and the ratio of the two. */
const compare = (name: string, alone: number | string, beside: number | string, target: string): Figure[] => {
  const shown = (time: number | string) =>
    typeof time === 'number' ? { value: time / 1000, unit: 's' } : { value: time };
  return [
    { name: `${name}: alone`, ...shown(alone) },
    { name: `${name}: beside it`, ...shown(beside) },
    {
      name: `${name}: beside it / alone`,
      value: typeof alone === 'number' && typeof beside === 'number' ? beside / alone : 'not done',
      target,
    },
  ];
};

/** Times files of one account alone, then again while the other account has a large file in progress. */
const beside = async (
  scene: Scene,
  name: string,
  options: { account: string; pos: number; busy: string; busyPos: number; target: string },
): Promise<Figure[]> => {
  const { account, pos, busy, busyPos, target } = options;
  await scene.start();
  // The first file also pays for connections and compiled code.
  await scene.drop(account, 'WARM', pos, 5);
  await scene.untilPlaced('WARM', limitMs);
  const alone = await timeFiles(scene, account, 'ALONE', pos);
  await scene.drop(busy, 'BUSY', busyPos, 1);
  // Wait until the large file is read and its POs use all the capacity they can get.
  while ((await scene.untilPlaced('BUSY', 0)).of < busyPos) await sleep(100);
  await sleep(5_000);
  return compare(name, alone, await timeFiles(scene, account, 'BESIDE', pos), target);
};

const slow = async (queue: QueueKind): Promise<Figure[] | undefined> => {
  const scene = await startScene({
    queue,
    services: { slow: { latencyMs: 2_000 }, fast: { latencyMs: 20 } },
    accounts: ({ slow, fast }) => ({ slow: { baseUrl: slow }, fast: { baseUrl: fast } }),
  });
  const name = '10 POs at 20 ms a call, beside 2000 POs of an account at 2 s a call';
  const work = { account: 'fast', pos: 10, busy: 'slow', busyPos: 2_000, target: '<= 1.5' };
  return scene && beside(scene, name, work).finally(scene.stop);
};

const hanging = async (queue: QueueKind): Promise<Figure[] | undefined> => {
  const sockets = new Set<net.Socket>();
  const silent = net.createServer((socket) => {
    sockets.add(socket.on('error', () => {}).resume());
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const scene = await startScene({
    queue,
    services: { fast: { latencyMs: 20 } },
    accounts: ({ fast }) => ({ silent: { baseUrl: `http://127.0.0.1:${port}` }, fast: { baseUrl: fast } }),
  });
  const name = '10 POs at 20 ms a call, beside 5000 POs of an account whose service never answers';
  const work = { account: 'fast', pos: 10, busy: 'silent', busyPos: 5_000, target: '<= 1.5' };
  return (scene && beside(scene, name, work).finally(scene.stop))?.finally(() => {
    silent.close();
    for (const socket of sockets) socket.destroy();
  });
};

const rush = async (queue: QueueKind): Promise<Figure[] | undefined> => {
  const scene = await startScene({
    queue,
    services: { service: { latencyMs: 50, poolSize: 20 } },
    accounts: ({ service }) => ({ default: { baseUrl: service } }),
  });
  const name = '5 POs at 50 ms a call, behind 20000 POs of their own account';
  const work = { account: 'default', pos: 5, busy: 'default', busyPos: 20_000, target: '<= 2' };
  return scene && beside(scene, name, work).finally(scene.stop);
};

const hungAccounts = 30;
const healthyAccounts = 5;

/** The status checks of most accounts wait for lists of orders that never come. */
const lists = async (queue: QueueKind): Promise<Figure[] | undefined> => {
  const { dealers, accounts, env } = oneDealerEach(hungAccounts + healthyAccounts);
  const isHung = (name: string) => Number(name.replace('dealer', '')) <= hungAccounts;
  let way: HangingLists | undefined;
  const scene = await startScene({
    queue,
    services: { service: { latencyMs: 20, poolSize: 30, dealers } },
    env,
    accounts: async ({ service }) => {
      way = await startHangingLists(service!);
      const settings = Object.entries(accounts(way.url));
      return Object.fromEntries(
        settings.map(([name, one]) => [name, isHung(name) ? { ...one, schedule: { poll: '1s' } } : one]),
      );
    },
  });
  if (!scene || !way) return undefined;
  try {
    await scene.start();
    const names = Object.keys(accounts(''));
    const healthy = names.filter((name) => !isHung(name));
    // Every account has an open order, without which nothing is polled.
    await Promise.all(names.map((name) => scene.drop(name, `OPEN-${name}`, 1, 1)));
    for (const name of names) await scene.untilPlaced(`OPEN-${name}`, limitMs);
    const timeHealthy = async (when: string): Promise<number | string> => {
      const times: number[] = [];
      for (let nth = 1; nth <= filesEach; nth += 1) {
        await Promise.all(healthy.map((name) => scene.drop(name, `${when}${nth}-${name}`, 10, 5)));
        const done = await Promise.all(
          healthy.map((name) => scene.untilPlaced(`${when}${nth}-${name}`, limitMs)),
        );
        if (done.some(({ wallMs }) => wallMs === undefined)) return `not done after ${limitMs / 1000} s`;
        times.push(Math.max(...done.map(({ wallMs }) => wallMs!)));
      }
      return median(times);
    };
    await timeHealthy('WARM');
    const alone = await timeHealthy('ALONE');
    way.hang();
    const deadline = performance.now() + limitMs;
    while (way.waiting() < hungAccounts && performance.now() < deadline) await sleep(100);
    const name = `${healthyAccounts} accounts x 10 POs, beside ${hungAccounts} accounts whose lists of orders hang`;
    return [
      { name: `${name}: lists that hang`, value: way.waiting(), target: `= ${hungAccounts}` },
      ...compare(name, alone, await timeHealthy('BESIDE'), '<= 1.5'),
    ];
  } finally {
    await scene.stop();
    way.stop();
  }
};

const manyAccounts = 100;
const manyLimitMs = 400_000;

/** All accounts get a file at the same time: the time from the first pick-up until each is done. */
const many = async (queue: QueueKind, posEach: number): Promise<Figure[] | undefined> => {
  const { dealers, accounts, env } = oneDealerEach(manyAccounts);
  const scene = await startScene({
    queue,
    services: { service: { latencyMs: 20, poolSize: 30, dealers } },
    accounts: ({ service }) => accounts(service!),
    env,
  });
  const name = `${manyAccounts} accounts x ${posEach} POs`;
  if (!scene) return undefined;
  try {
    await scene.start();
    const names = Object.keys(accounts(''));
    await Promise.all(names.map((account) => scene.drop(account, account.toUpperCase(), posEach, 1)));
    return await timeAccounts(scene, name, names.length * posEach, names.length, manyLimitMs);
  } finally {
    await scene.stop();
  }
};

/** Waits for all POs of all accounts, and compares the last account with the median. */
export const timeAccounts = async (
  { pool }: Scene,
  name: string,
  pos: number,
  accounts: number,
  timeLimitMs: number,
): Promise<Figure[]> => {
  const deadline = performance.now() + timeLimitMs;
  for (;;) {
    const { rows } = await pool.query(
      `select account, count(ordered_at)::int as ordered,
         (extract(epoch from max(ordered_at) - (select min(taken_at) from cartwright.imports)))::float8 as seconds
       from cartwright.purchase_orders group by account`,
    );
    const ordered = rows.reduce((sum: number, row: { ordered: number }) => sum + row.ordered, 0);
    if (ordered < pos && performance.now() < deadline) {
      await sleep(250);
      continue;
    }
    if (ordered < pos)
      return [{ name, value: `not done after ${timeLimitMs / 1000} s (${ordered} of ${pos} ordered)` }];
    const ends = rows.map(({ seconds }: { seconds: number }) => seconds).sort((a, b) => a - b);
    return [
      { name: `${name}: POs per second`, value: pos / ends.at(-1)! },
      { name: `${name}: the account in the middle is done after`, value: median(ends), unit: 's' },
      {
        name: `${name}: the slowest account / the one in the middle`,
        value: ends.at(-1)! / median(ends),
        target: '<= 1.25',
      },
      { name: `${name}: accounts`, value: ends.length, target: `= ${accounts}` },
    ];
  }
};

/**
 * How much the work of one account, or of one file, delays the others: each part in a scene of its own.
 *
 * @param options.only one of slow, hanging, rush, lists, many
 * @param options.posEach POs of each of the many accounts
 */
export const run = async (
  options: { only?: string; queue?: QueueKind; posEach?: number } = {},
): Promise<Figure[]> => {
  const { only, queue = 'postgres', posEach = 100 } = options;
  const parts = { slow, hanging, rush, lists, many: (kind: QueueKind) => many(kind, posEach) };
  const figures: Figure[] = [];
  for (const [name, part] of Object.entries(parts)) {
    if (only !== undefined && only !== name) continue;
    const found = await part(queue);
    figures.push(...(found ?? [{ name, value: 'skipped: this machine has no redis-server' }]));
  }
  return figures;
};
