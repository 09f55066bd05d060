import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/embedded/start-embedded-postgres.ts';
import { silentLogger } from '../../src/logger.ts';
import type { TestRedis } from '../support/redis.ts';
import { createSystem, type System } from '../support/run-system.ts';
import { type BadProxy, startBadProxy } from './bad-proxy.ts';
import { faultRules } from './fault-rules.ts';
import { type ChangeReceiver, startChangeReceiver } from './receivers.ts';
import { type ChaosServices, startServices } from './services.ts';

/** Dealers whose services inject every kind of fault; the carts of the last one cannot be read. */
export const faulty = ['north', 'south', 'east', 'west'] as const;
const blind = 'west';
/** Without faults; behind a bad proxy and with odd file names; without a secret. */
export const steady = 'steady';
export const troubled = 'troubled';
export const locked = 'locked';
/** Accounts with a webhook: one with faults, and the one without. */
const told = ['north', steady];
/** Most accounts. Their services never answer a list of orders, so each of their polls hangs until its timeout. */
export const hanging = Array.from({ length: 12 }, (_, at) => `hanging-${at + 1}`);

const requestTimeoutMs = 2000;
/** The longest time after which the promise expects a call to have an effect (docs/promise.md). */
export const latestEffectMs = 2 * requestTimeoutMs;

export interface Scene {
  dataFolder: string;
  system: System;
  services: ChaosServices;
  /** The database of the services: all share one audit log. */
  served: pg.Pool;
  proxy: BadProxy;
  /** The receivers of changes, by account. */
  receivers: ReadonlyMap<string, ChangeReceiver>;
  /** Injects faults from now on, and lets lists hang; a share of 0 turns both off. */
  setFaults(share: number, seed: number): Promise<void>;
  /** How many faults were given since they were set. */
  faultsGiven(): Promise<number>;
  stop(): Promise<void>;
}

/** Postgres servers, services, proxy and a system of all these accounts; no worker yet. */
export const startScene = async (redis: TestRedis | undefined, random: () => number): Promise<Scene> => {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-chaos-'));
  await chmod(folder, 0o711);
  const dataFolder = join(folder, 'data');
  // A server whose first process was killed may still write its heartbeat once.
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
  const closers: (() => Promise<unknown>)[] = [remove];
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
    const audits = new pg.Pool({ connectionString: served.url, max: 3 });
    closers.push(() => audits.end());
    const services = keep(
      await startServices({
        databaseUrl: served.url,
        services: [{ dealers, poolSize: 20 }, { dealers, itemsIn: ['orders'] }, { dealers }, { dealers }],
      }),
    );
    const [misbehaving, hiding, sound, unlisted] = services.urls as [string, string, string, string];
    const proxy = keep(await startBadProxy(sound, random));
    const receivers = new Map<string, ChangeReceiver>();
    for (const name of told) receivers.set(name, keep(await startChangeReceiver(random)));
    const secretFile = join(folder, 'webhook-secret');
    await writeFile(secretFile, 'only between them');
    const addressOf = (name: string): string => {
      if (name === troubled) return proxy.url;
      if (name === steady || name === locked) return sound;
      if (hanging.includes(name)) return unlisted;
      return name === blind ? hiding : misbehaving;
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
              schedule: { poll: '10s' },
              ...(receivers.has(name)
                ? {
                    sync: {
                      webhooks: {
                        told: { url: receivers.get(name)!.url, secretFile, batch: 20, allowPrivate: true },
                      },
                    },
                  }
                : {}),
            },
          ]),
        ),
        worker: { leaseMs: 5_000, sweepEveryMs: 10_000 },
        deniedPauseMs: 5_000,
      }),
    );
    return {
      dataFolder,
      system,
      services,
      served: audits,
      proxy,
      receivers,
      setFaults: (share, seed) =>
        services.setFaults([
          ...[seed, seed + 1000].map((each) =>
            share === 0 ? [] : faultRules(share, each, requestTimeoutMs),
          ),
          [],
          share === 0 ? [] : [{ endpoint: 'listOrders', kind: 'hang-before' }],
        ]),
      faultsGiven: async () => {
        const [first = 0, second = 0] = await services.faultsGiven();
        return first + second;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
