// The feed of changes. `feed:rate`: a program reads `/changes` while 10,000 changes a second are committed. `feed:receivers`: POs are
// placed in turns by a worker without webhooks, and by one whose feed is full and whose three receivers are dead, each with its own
// Postgres. Compares neighbouring turns.
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../src/embedded/free-port.ts';
import { createPool } from '../src/ledger/pool.ts';
import { silentLogger } from '../src/logger.ts';
import { addBenchToken } from './support/console-server.ts';
import { type Figure, median, percentile } from './support/figures.ts';
import { type Scene, startScene } from './support/scene.ts';

const perSecond = 10_000;
const everyMs = 50;
const seconds = 20;

const insertChanges = `insert into cartwright.feed (account, purchase_order_id, po_number, order_number, kind, before, after)
  select 'north', $1 + n, 'PO-' || $1 + n, 'SO-' || $1 + n, 'order.changed', '{"order_status": "Picking"}'::jsonb,
    jsonb_build_object('order_status', 'Shipped', 'tracking_numbers', jsonb_build_array('1Z' || $1 + n))
  from generate_series(1, $2::int) n`;

const openScene = async (settings: Parameters<typeof startScene>[0]): Promise<Scene> => {
  const scene = await startScene(settings);
  if (!scene) throw new Error('The queue on Postgres needs no other program.');
  return scene;
};

/** A program reads the whole feed through the API of `cartwright up`. */
const rate = async (): Promise<Figure[]> => {
  const port = await findFreePort();
  const scene = await openScene({
    ...{ queue: 'postgres', services: {}, accounts: () => ({ north: {} }), consolePort: port },
  });
  try {
    const up = await scene.start();
    const ledger = createPool(scene.databaseUrl, { max: 1, logger: silentLogger });
    const token = await addBenchToken(ledger).finally(() => ledger.end());
    const total = perSecond * seconds;
    const lateMs: number[] = [];
    const read = async (): Promise<void> => {
      let cursor: string | undefined;
      while (lateMs.length < total) {
        const after = cursor === undefined ? '' : `&after=${cursor}`;
        const answer = await fetch(`http://127.0.0.1:${port}/api/v1/changes?limit=1000${after}`, {
          headers: { authorization: `Bearer ${token}` },
        });
        if (!answer.ok) throw new Error(`The feed answered ${answer.status}: ${await answer.text()}`);
        const page = (await answer.json()) as { changes: { time: string }[]; next: string };
        const now = Date.now();
        lateMs.push(...page.changes.map(({ time }) => now - Date.parse(time)));
        cursor = page.next;
        if (page.changes.length === 0) await sleep(20);
      }
    };
    const cpuBefore = up.cpuMs();
    const startedAt = performance.now();
    const reading = read();
    const each = (perSecond * everyMs) / 1000;
    for (let begun = 0; begun < total; begun += each) {
      await scene.pool.query(insertChanges, [begun, each]);
      await sleep(Math.max(0, startedAt + ((begun + each) / perSecond) * 1000 - performance.now()));
    }
    const writtenMs = performance.now() - startedAt;
    await reading;
    const name = `${perSecond} changes a second`;
    return [
      {
        name: `${name}: committed per second`,
        value: total / (writtenMs / 1000),
        target: `>= ${perSecond * 0.98}`,
      },
      { name: `${name}: read behind, median`, value: median(lateMs) / 1000, unit: 's' },
      { name: `${name}: read behind, p99 (s)`, value: percentile(lateMs, 0.99) / 1000, target: '<= 0.2' },
      {
        name: `${name}: CPU of \`cartwright up\` for 1,000 changes`,
        value: (up.cpuMs() - cpuBefore) / (total / 1000),
        unit: 'ms',
      },
    ];
  } finally {
    await scene.stop();
  }
};

/** Receivers that refuse the connection, never answer, and close it at once. */
const startDead = async () => {
  const sockets = new Set<net.Socket>();
  const listen = async (answer: (socket: net.Socket) => void): Promise<net.Server> => {
    const server = net.createServer((socket) => {
      socket.on('error', () => {});
      sockets.add(socket);
      answer(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  const servers = [await listen(() => {}), await listen((socket) => socket.destroy())];
  const ports = [
    await findFreePort(),
    ...servers.map((server) => (server.address() as net.AddressInfo).port),
  ];
  return {
    urls: ports.map((port) => `http://127.0.0.1:${port}/`),
    stop: () => {
      for (const socket of sockets) socket.destroy();
      for (const server of servers) server.close();
    },
  };
};

const pairs = 8;
const waitingChanges = 200_000;

const receivers = async (pos: number): Promise<Figure[]> => {
  const dead = await startDead();
  const scenes: Scene[] = [];
  const sync = {
    webhooks: Object.fromEntries(
      dead.urls.map((url, at) => [`dead-${at}`, { url, secretEnv: 'BENCH_SECRET', allowPrivate: true }]),
    ),
  };
  const open = async (isFull: boolean) => {
    const scene = await openScene({
      queue: 'postgres',
      services: { service: { latencyMs: 45, poolSize: 20 } },
      accounts: ({ service }) => ({
        north: { baseUrl: service, inFlight: 32, ...(isFull ? { sync } : {}) },
      }),
      env: { BENCH_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    });
    scenes.push(scene);
    await scene.start();
    if (isFull) await scene.pool.query(insertChanges, [0, waitingChanges]);
    return async (name: string, count: number): Promise<number> => {
      await scene.drop('north', name, count, 5);
      const { wallMs, ordered } = await scene.untilPlaced(name, 300_000);
      if (wallMs === undefined || ordered !== count)
        throw new Error(`${ordered} of ${count} POs were ordered`);
      return wallMs;
    };
  };
  try {
    const without = await open(false);
    const beside = await open(true);
    for (const place of [without, beside]) await place('WARM', 300);
    const ratios: number[] = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      const turns = [
        { place: without, name: 'without' as const },
        { place: beside, name: 'beside' as const },
      ];
      const walls = { without: 0, beside: 0 };
      for (const { place, name } of pair % 2 === 0 ? turns : turns.toReversed())
        walls[name] = await place(`TURN${pair}`, pos);
      ratios.push(walls.without / walls.beside);
    }
    const failing = await scenes[1]!.pool.query(
      'select count(*)::int as n from cartwright.sync_receivers where tries > 0',
    );
    const name = `${pos} POs x 5 lines beside ${waitingChanges} changes for three dead receivers`;
    return [
      { name: `${name}: receivers that fail`, value: failing.rows[0].n, target: '= 3' },
      {
        name: `${name}: POs per second / without, median of ${pairs} pairs`,
        value: median(ratios),
        target: '>= 0.97',
      },
    ];
  } finally {
    for (const scene of scenes) await scene.stop();
    dead.stop();
  }
};

/**
 * @param options.only `rate`, `receivers`
 */
export const run = async ({ only, pos = 500 }: { only?: string; pos?: number } = {}): Promise<Figure[]> => [
  ...(only === undefined || only === 'rate' ? await rate() : []),
  ...(only === undefined || only === 'receivers' ? await receivers(pos) : []),
];
