import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/embedded/start-embedded-postgres.ts';
import { silentLogger } from '../../src/logger.ts';
import type { ListeningService } from '../../src/service/listen-service.ts';
import type { TestRedis } from '../support/redis.ts';
import { createSystem, type System, startService } from '../support/run-system.ts';
import { noteArrivals } from './arrivals.ts';
import { type BadProxy, startBadProxy } from './bad-proxy.ts';
import { faultRules } from './fault-rules.ts';

/** Dealers whose services inject every kind of fault; the carts of the last one cannot be read. */
export const faulty = ['north', 'south', 'east', 'west'] as const;
const blind = 'west';
/** Without faults; behind a bad proxy and with odd file names; without a secret. */
export const steady = 'steady';
export const troubled = 'troubled';
export const locked = 'locked';
/** Most accounts: their services never answer a list of orders, so each of their polls hangs until its timeout. */
export const hanging = Array.from({ length: 12 }, (_, at) => `hanging-${at + 1}`);

const requestTimeoutMs = 1000;

export interface Scene {
  dataFolder: string;
  system: System;
  /** One of the services, to read the audit log: all share one. */
  service: ListeningService;
  proxy: BadProxy;
  /** Injects faults from now on, and lets lists hang; none of both at a share of 0. */
  setFaults(share: number, seed: number): void;
  /** How many faults were given since they were set. */
  faultsGiven(): number;
  stop(): Promise<void>;
}

/** Postgres servers, services, proxy and a system of all these accounts; no worker yet. */
export const startScene = async (redis: TestRedis | undefined, random: () => number): Promise<Scene> => {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-chaos-'));
  await chmod(folder, 0o711);
  const dataFolder = join(folder, 'data');
  const closers: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const ended = noteArrivals();
  closers.push(async () => ended());
  const stop = async () => {
    for (const close of closers.reverse()) await close();
  };
  const keep = <T extends { stop(): Promise<void> }>(started: T): T => {
    closers.push(() => started.stop());
    return started;
  };
  try {
    const served = keep(
      await startEmbeddedPostgres({
        dataFolder: join(folder, 'service'),
        logger: silentLogger,
        durable: false,
      }),
    );
    const ledger = keep(await startEmbeddedPostgres({ dataFolder, logger: silentLogger }));
    const names = [...faulty, steady, troubled, locked, ...hanging];
    const dealers = names.map((name) => ({ name, token: name }));
    const service = keep(await startService(served.url, { dealers, poolSize: 20 }));
    const hiding = keep(await startService(served.url, { dealers, cartItems: 'hidden' }));
    const sound = keep(await startService(served.url, { dealers }));
    const unlisted = keep(await startService(served.url, { dealers }));
    const proxy = keep(await startBadProxy(sound.url, random));
    const addressOf = (name: string): string => {
      if (name === troubled) return proxy.url;
      if (name === steady || name === locked) return sound.url;
      if (hanging.includes(name)) return unlisted.url;
      return name === blind ? hiding.url : service.url;
    };
    const system = keep(
      await createSystem({
        ledgerUrl: ledger.url,
        builtIn: true,
        folder: dataFolder,
        redisUrl: redis?.url,
        accounts: Object.fromEntries(
          names.map((name) => [
            name,
            {
              baseUrl: addressOf(name),
              ...(name === locked
                ? { auth: { kind: 'bearer', secretEnv: 'CHAOS_SECRET_THAT_IS_MISSING' } }
                : { token: name }),
              requestTimeout: `${requestTimeoutMs}ms`,
              settle: '2100ms',
              deniedPause: '5s',
              // Every tenth call fails: with the default limit some POs would be held as service_unstable.
              rebuildsAllowed: 10,
              inFlight: 128,
              schedule: { poll: '10s' },
            },
          ]),
        ),
        worker: { lease: '5s', sweepEvery: '10s' },
      }),
    );
    const misbehaving = [service, hiding];
    return {
      dataFolder,
      system,
      service,
      proxy,
      setFaults: (share, seed) => {
        for (const [at, one] of misbehaving.entries()) {
          one.faults.replace(share === 0 ? [] : faultRules(share, seed + at * 1000, requestTimeoutMs));
        }
        unlisted.faults.replace(share === 0 ? [] : [{ endpoint: 'listOrders', kind: 'hang-before' }]);
      },
      faultsGiven: () =>
        misbehaving.flatMap((one) => one.faults.list()).reduce((sum, entry) => sum + entry.given, 0),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
