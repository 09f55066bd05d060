// The time from an event in the ledger to the delivered message, with default settings, and how much recording events slows
// the statements that change POs. Half of the routes send e-mail to a server on loopback, the other half post to one.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { loadConfig } from '../src/config/load-config.ts';
import { migrateLedger } from '../src/ledger/migrate.ts';
import { createPool } from '../src/ledger/pool.ts';
import { silentLogger } from '../src/logger.ts';
import { startNotifier } from '../src/worker/start-notifier.ts';
import { startHook, startMailServer } from '../test/notify/receivers.ts';
import { type Figure, median } from './support/figures.ts';
import { startBenchPostgres } from './support/postgres.ts';

const routes = 10;
const eventsOfRoute = 10;
const insertedPos = 50_000;
const lostAfterMs = 60_000;

const addPos = (pool: pg.Pool, account: string, prefix: string, count: number, state: string) =>
  pool.query(
    `with file as (insert into imports (account, file_name, sha256, size_bytes, file_path, state)
       values ($1, 'orders.csv', '', 1, $2, 'read') returning id)
     insert into purchase_orders (account, po_number, po_key, import_id, first_row, line_count, content_hash, state, reason_code)
     select $1, $2 || n, lower($2) || n, file.id, 2, 1, '', $4, case $4 when 'held' then 'backorder' end
     from file, generate_series(1, $3::int) n`,
    [account, prefix, count, state],
  );

/** Measures the time to add POs and to advance each by three steps. */
const timePos = async (pool: pg.Pool, prefix: string): Promise<number> => {
  const startedAt = performance.now();
  await addPos(pool, 'placed', prefix, insertedPos, 'ready');
  for (const state of ['cart_created', 'items_added', 'ordered']) {
    await pool.query(
      `update purchase_orders set state = $2, reason_code = null, alarm = coalesce(null, alarm) where po_number like $1 || '%'`,
      [prefix, state],
    );
  }
  return performance.now() - startedAt;
};

const measureTriggers = async (pool: pg.Pool): Promise<Figure> => {
  const set = (what: string) => pool.query(`alter table purchase_orders ${what} trigger user`);
  const ratios: number[] = [];
  await timePos(pool, 'WARM-');
  for (let round = 0; round < 3; round += 1) {
    await set('disable');
    const without = await timePos(pool, `WITHOUT-${round}-`);
    await set('enable');
    ratios.push((await timePos(pool, `WITH-${round}-`)) / without);
  }
  return {
    name: `POs staged and placed in the ledger alone, with the triggers to without (median of 3, ${insertedPos} POs)`,
    value: median(ratios),
    target: '<= 1.10',
  };
};

export const run = async (): Promise<Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-bench-'));
  const server = await startBenchPostgres(folder);
  const pool = createPool(server.url, { max: 12, logger: silentLogger });
  const hook = await startHook();
  const mail = await startMailServer();
  try {
    await migrateLedger(pool);
    const names = Array.from({ length: routes }, (_, n) => `dealer-${n}`);
    const file = join(folder, 'cartwright.yaml');
    const route = (name: string, n: number) =>
      n % 2 === 0
        ? { kind: 'webhook', url: `${hook.url}/${name}`, secretEnv: 'HOOK', accounts: [name] }
        : { kind: 'email', to: [`${name}@example.com`], accounts: [name] };
    const notifications = {
      smtp: { host: '127.0.0.1', port: mail.port, security: 'none', from: 'cartwright@example.com' },
      routes: Object.fromEntries(names.map((name, n) => [name, route(name, n)])),
    };
    const accounts = Object.fromEntries(names.map((name) => [name, {}]));
    await writeFile(file, JSON.stringify({ dataFolder: folder, accounts, notifications }));
    const config = loadConfig({ file }, { HOOK: 'bench signing secret' });
    const notifier = startNotifier({ pool, config, logger: silentLogger, reads: () => [] });
    await sleep(3000);

    const arrived = (name: string, poNumber: string): boolean =>
      hook.posts.some(({ path, body }) => path === `/${name}` && body.includes(poNumber)) ||
      mail.mails.some(({ to, text }) => to[0] === `${name}@example.com` && text.includes(poNumber));
    const timeEvent = async (name: string, at: number): Promise<number> => {
      await sleep(Math.random() * 1500);
      const prefix = `E${at}-${name}-`;
      await addPos(pool, name, prefix, 1, 'held');
      const startedAt = performance.now();
      while (!arrived(name, `${prefix}1`)) {
        if (performance.now() - startedAt > lostAfterMs) throw new Error(`${prefix}1 was not told`);
        await sleep(5);
      }
      const taken = performance.now() - startedAt;
      await sleep(100);
      // The next message must not wait for the digest.
      await pool.query('delete from notifications where route = $1', [name]);
      return taken;
    };
    const taken = (
      await Promise.all(
        names.map(async (name) => {
          const own: number[] = [];
          for (let at = 0; at < eventsOfRoute; at += 1) own.push(await timeEvent(name, at));
          return own;
        }),
      )
    ).flat();
    await notifier.stop();
    taken.sort((a, b) => a - b);
    const at = (share: number) => taken[Math.ceil(taken.length * share) - 1]! / 1000;
    return [
      { name: 'events', value: taken.length },
      { name: 'event to notification, median (s)', value: at(0.5) },
      { name: 'event to notification, p95 (s)', value: at(0.95), target: '<= 5' },
      { name: 'event to notification, longest (s)', value: at(1) },
      await measureTriggers(pool),
    ];
  } finally {
    await hook.stop();
    await mail.stop();
    await pool.end();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
