import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { ledgerSchema } from './migrate.ts';

/**
 * An account's limit of calls per second, shared by all processes through the ledger. `admit` resolves when the next
 * call may start. If the ledger cannot be reached, each process applies the limit on its own.
 */
export const createCallLimit = (
  pool: pg.Pool,
  account: string,
  callsPerSecond: number,
): { admit(): Promise<void> } => {
  // Below one call per second the window is longer, because points must be whole numbers.
  const window =
    callsPerSecond >= 1
      ? { points: Math.floor(callsPerSecond), duration: 1 }
      : { points: 1, duration: Math.ceil(1 / callsPerSecond) };
  const limiter = new RateLimiterPostgres({
    ...window,
    storeClient: pool,
    storeType: 'client',
    schemaName: ledgerSchema,
    tableName: 'call_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: 'calls',
    // Once a window is full, waiting calls do not query the ledger until it ends.
    inMemoryBlockOnConsumed: window.points + 1,
    insuranceLimiter: new RateLimiterMemory({ ...window, keyPrefix: 'calls' }),
  });
  return {
    admit: async () => {
      for (;;) {
        try {
          await limiter.consume(account);
          return;
        } catch (rejected) {
          if (!(rejected instanceof RateLimiterRes)) throw rejected;
          await sleep(Math.max(1, rejected.msBeforeNext));
        }
      }
    },
  };
};
