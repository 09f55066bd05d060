import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/embedded/start-embedded-postgres.ts';
import { silentLogger } from '../../src/logger.ts';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { faultRules } from '../chaos/fault-rules.ts';
import { startHook } from '../notify/receivers.ts';
import { startService } from '../support/run-system.ts';
import { startUp, type UpProcess } from './up-process.ts';

/** Dealers whose files are picked up as they arrive; finished POs of the first one are aged, so that retention removes them. */
export const dealers = ['north', 'south', 'east', 'west', 'by-schedule'] as const;

const requestTimeoutMs = 1000;
const everyTenSeconds = '*/10 * * * * *';
const everyHalfMinute = '*/30 * * * * *';

/** A Cartwright as its users run it, with a service and its own servers. */
export interface Scene {
  folder: string;
  /** The ledger's database, for the soak's own queries. */
  ledger: pg.Pool;
  service: ListeningService;
  up: UpProcess;
  inboxOf(dealer: string): string;
  /** Injects faults into this share of the calls from now on. */
  setFaults(share: number, seed: number): void;
  /** Number of notification messages sent. */
  messages(): number;
  stop(): Promise<void>;
}

/** Marks the soak's own connections, which are not counted. */
const applicationName = 'cartwright soak';

/** Starts both built-in Postgres servers, the service and `cartwright up`, with all schedules accelerated. */
export const startScene = async (): Promise<Scene> => {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-soak-'));
  await chmod(folder, 0o711);
  const closers: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  const keep = <T extends { stop(): Promise<void> }>(started: T): T => {
    closers.push(() => started.stop());
    return started;
  };
  try {
    const data = join(folder, 'data');
    await mkdir(data, { mode: 0o755 });
    const served = keep(
      await startEmbeddedPostgres({
        dataFolder: join(folder, 'service'),
        logger: silentLogger,
        durable: false,
      }),
    );
    const { url } = keep(await startEmbeddedPostgres({ dataFolder: data, logger: silentLogger }));
    const ledger = new pg.Pool({
      connectionString: url,
      max: 2,
      application_name: applicationName,
      options: '-c search_path=cartwright',
    });
    ledger.on('error', () => {});
    closers.push(() => ledger.end());
    const service = keep(
      await startService(served.url, {
        dealers: dealers.map((name) => ({ name, token: name })),
        poolSize: 20,
        clockSpeed: 1,
      }),
    );
    const hook = keep(await startHook());

    const tokens = Object.fromEntries(dealers.map((name, at) => [`SOAK_TOKEN_${at}`, name]));
    const account = (name: string, at: number) => ({
      baseUrl: service.url,
      auth: { kind: 'bearer', secretEnv: `SOAK_TOKEN_${at}` },
      fileSettle: '500ms',
      requestTimeout: `${requestTimeoutMs}ms`,
      schedule: {
        poll: '10s',
        statusReport: everyHalfMinute,
        ...(name === 'by-schedule' ? { takeFiles: everyTenSeconds } : {}),
      },
    });
    const file = join(folder, 'cartwright.yaml');
    await writeFile(
      file,
      JSON.stringify({
        dataFolder: data,
        log: { level: 'warn' },
        console: { port: 0 },
        accounts: Object.fromEntries(dealers.map((name, at) => [name, account(name, at)])),
        backup: { folder: join(folder, 'backups'), at: everyHalfMinute, keep: 3 },
        retention: { rows: '30d', files: '30d' },
        notifications: {
          routes: { operator: { kind: 'webhook', url: hook.url, secretEnv: 'SOAK_HOOK', severity: 'info' } },
        },
      }),
    );
    const up = keep(await startUp(file, { ...tokens, SOAK_HOOK: 'soak' }));
    return {
      folder,
      ledger,
      service,
      up,
      inboxOf: (dealer) => join(data, 'accounts', dealer, 'inbox'),
      setFaults: (share, seed) =>
        service.faults.replace(share === 0 ? [] : faultRules(share, seed, requestTimeoutMs)),
      messages: () => hook.posts.length,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
