import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type pg from 'pg';
import { beat, leave } from '../ledger/workers.ts';
import type { OpenAccounts } from './open-accounts.ts';

const beatEveryMs = 5000;

/**
 * Registers this process as a live worker, renews that every five seconds, and sets its share of each account's calls
 * by the number of live workers. Resolves after the first heartbeat.
 */
export const startHeartbeat = async (
  pool: pg.Pool,
  accounts: OpenAccounts,
): Promise<{ stop(): Promise<void> }> => {
  const self = { id: randomUUID(), host: hostname(), pid: process.pid };
  const beatOnce = async (): Promise<void> => {
    // A missed heartbeat is made up for by the next one.
    const live = await beat(pool, { ...self, ...accounts.serving() }).catch(() => undefined);
    if (live !== undefined) for (const account of accounts.all) account.shareAmong(live);
  };
  await beatOnce();
  const beating = setInterval(() => void beatOnce(), beatEveryMs);
  return {
    stop: async () => {
      clearInterval(beating);
      await leave(pool, self.id).catch(() => {});
    },
  };
};
