import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { ledgerSchema } from './migrate.ts';

/**
 * An account's limit of calls per second, shared by all processes through the ledger. `admit` resolves when
 * one more call may start. Where the ledger cannot be asked, each process keeps the limit by itself.
 */
export const createCallLimit = (
  pool: pg.Pool,
  account: string,
  callsPerSecond: number,
): { admit(): Promise<void> } => {
  // Below one call a second the window grows, so that points stay whole.
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
    // Calls that wait for a full window ask the ledger no more until it ends.
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
