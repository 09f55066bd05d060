import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startRedis } from '../../test/support/redis.ts';
import { builtCartwright, forkMeasured, type MeasuredProcess } from './measured-process.ts';
import { startBenchPostgres } from './postgres.ts';
import { forkSibling, type QueueKind } from './system.ts';

/** A service in its own process. */
export interface SceneService {
  url: string;
  /** The number of calls since the last request for it, and the time of the first one (ms since 1970). */
  seen(): Promise<{ calls: number; firstAtMs: number | undefined }>;
}

/** The outcome of a purchase file, by the ledger's clock. */
export interface FileOutcome {
  /** From picking up the file to its last order; undefined if it was not done in time. */
  wallMs: number | undefined;
  ordered: number;
  of: number;
  /** When the file's last PO was ordered (ms since 1970). */
  lastAtMs: number;
}

/**
 * Cartwright as its users run it: the program `cartwright up` in its own process, files dropped into inboxes, services on
 * loopback. Reads only the ledger and the services' own figures.
 */
export interface Scene {
  folder: string;
  databaseUrl: string;
  redisUrl: string | undefined;
  pool: pg.Pool;
  services: Record<string, SceneService>;
  /** Starts `cartwright up`; resolves once it sends heartbeats. */
  start(): Promise<MeasuredProcess>;
  /** Puts a purchase file of `pos` POs into the account's inbox; its PO numbers begin with the name. */
  drop(account: string, name: string, pos: number, lines: number): Promise<void>;
  /** Waits until every PO of the file has ended, at most `limitMs`. */
  untilPlaced(name: string, limitMs: number): Promise<FileOutcome>;
  stop(): Promise<void>;
}

export const fileRows = (name: string, pos: number, lines: number): string => {
  const rows = ['po_number,item_sku,quantity'];
  for (let po = 1; po <= pos; po += 1) {
    for (let line = 1; line <= lines; line += 1)
      rows.push(`${name}-${po},SKU-${(po * 7 + line * 13) % 997}-${line},${line}`);
  }
  return `${rows.join('\n')}\n`;
};

const startService = async (databaseUrl: string, settings: object) => {
  const child = forkSibling('service-process', [databaseUrl, JSON.stringify(settings)]);
  const [url] = (await once(child, 'message')) as [string];
  const seen = async () => {
    child.send('seen');
    const [answer] = await once(child, 'message');
    return answer as Awaited<ReturnType<SceneService['seen']>>;
  };
  const stop = async () => {
    const ended = once(child, 'exit');
    child.disconnect();
    await ended;
  };
  return { url, seen, stop };
};

const outcomeSql = `
  select count(p.id)::int as of, count(p.ordered_at)::int as ordered,
    bool_and(i.state <> 'taken' and p.state not in ('ready', 'cart_created', 'items_added', 'submitting', 'verifying')) as done,
    (extract(epoch from max(p.ordered_at) - min(i.taken_at)) * 1000)::float8 as "wallMs",
    (extract(epoch from max(p.ordered_at)) * 1000)::float8 as "lastAtMs"
  from cartwright.imports i join cartwright.purchase_orders p on p.import_id = i.id
  where i.file_name = $1`;

/**
 * Starts Postgres, the services and, if the queue needs it, a redis-server.
 *
 * @param options.services their settings, by names that the benchmark chooses
 * @param options.accounts their settings; `baseUrl` is a function of the services' addresses, or an address
 * @param options.env environment of the Cartwright process
 * @param options.consolePort port of the console of `cartwright up`; default: any free port
 * @param options.ownPostgres gives the services a separate Postgres, so that the cost of the ledger can be measured
 * @returns undefined if the queue is Redis and the machine has no redis-server
 */
export const startScene = async (options: {
  queue: QueueKind;
  services: Record<string, object>;
  accounts: (urls: Record<string, string>) => Record<string, object> | Promise<Record<string, object>>;
  env?: NodeJS.ProcessEnv;
  ownPostgres?: boolean;
  consolePort?: number;
}): Promise<Scene | undefined> => {
  const redis = options.queue === 'redis' ? await startRedis() : undefined;
  if (options.queue === 'redis' && !redis) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-bench-'));
  // As root, the database runs as another user, who must be able to enter the folder.
  await mkdir(join(folder, 'data'), { mode: 0o755 });
  await chmod(folder, 0o711);
  const postgres = await startBenchPostgres(join(folder, 'data'));
  await mkdir(join(folder, 'services'), { mode: 0o755 });
  const other = options.ownPostgres ? await startBenchPostgres(join(folder, 'services')) : undefined;
  const services: Record<string, Awaited<ReturnType<typeof startService>>> = {};
  // One after the other, because the first one creates the tables.
  for (const [name, settings] of Object.entries(options.services))
    services[name] = await startService((other ?? postgres).url, settings);
  const urls = Object.fromEntries(Object.entries(services).map(([name, { url }]) => [name, url]));
  const accounts = Object.fromEntries(
    Object.entries(await options.accounts(urls)).map(([name, settings]) => [
      name,
      { fileSettle: '100ms', schedule: { poll: '1h' }, ...settings },
    ]),
  );
  const file = join(folder, 'cartwright.yaml');
  const settings = {
    dataFolder: join(folder, 'data'),
    log: { level: 'silent' },
    console: { port: options.consolePort ?? 0 },
    accounts,
  };
  await writeFile(file, JSON.stringify(settings));
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2 });
  pool.on('error', () => {});
  const running = new Set<MeasuredProcess>();

  const start = async (): Promise<MeasuredProcess> => {
    const env = { DATABASE_URL: postgres.url, REDIS_URL: redis?.url ?? '', ...options.env };
    const up = forkMeasured(builtCartwright, ['up', '--config', file], env);
    running.add(up);
    let code: number | null | undefined;
    void up.ended().then((ended) => {
      running.delete(up);
      code = ended ?? -1;
    });
    for (;;) {
      if (code !== undefined) throw new Error(`cartwright up ended with ${code} instead of starting`);
      const { rowCount } = await pool
        .query('select from cartwright.workers where pid = $1', [up.child.pid])
        .catch(() => ({ rowCount: 0 }));
      if (rowCount) return up;
      await sleep(50);
    }
  };

  return {
    folder,
    databaseUrl: postgres.url,
    redisUrl: redis?.url,
    pool,
    services,
    start,
    drop: async (account, name, pos, lines) => {
      const written = join(folder, `${name}.csv`);
      await writeFile(written, fileRows(name, pos, lines));
      const inbox = join(folder, 'data', 'accounts', account, 'inbox');
      await mkdir(inbox, { recursive: true });
      await rename(written, join(inbox, `${name}.csv`));
    },
    untilPlaced: async (name, limitMs) => {
      const deadline = performance.now() + limitMs;
      for (;;) {
        const { rows } = await pool.query(outcomeSql, [`${name}.csv`]);
        const { done, wallMs, ...counts } = rows[0];
        if (done === true) return { ...counts, wallMs };
        if (performance.now() > deadline) return { ...counts, wallMs: undefined };
        await sleep(100);
      }
    },
    stop: async () => {
      for (const up of [...running]) {
        up.child.kill('SIGTERM');
        const killer = setTimeout(() => up.child.kill('SIGKILL'), 5_000);
        await up.ended();
        clearTimeout(killer);
      }
      await pool.end();
      for (const service of Object.values(services)) await service.stop();
      await postgres.stop();
      await other?.stop();
      await redis?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
