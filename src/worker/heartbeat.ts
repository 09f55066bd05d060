import { hostname } from 'node:os';
import type pg from 'pg';
import { readLastNumber } from '../ledger/migration-files.ts';
import { beat, leave } from '../ledger/workers.ts';
import type { OpenAccounts } from './open-accounts.ts';
import type { ProcessIdentity } from './own-process.ts';
import type { Windows } from './windows.ts';

const beatEveryMs = 5000;
/** Without a connection a heartbeat fails after ten seconds, so one that takes this long is stuck. */
const stuckMs = 60_000;

interface HeartbeatParts {
  accounts: OpenAccounts;
  windows: Windows;
  /** Names this worker in the ledger. */
  id: string;
  process: ProcessIdentity | undefined;
  /** How many POs it can place at the same time. */
  slots: number;
}

/**
 * Registers this process as a live worker, renews that every five seconds, and adapts the accounts' windows to the slots of
 * all live workers. Resolves after the first heartbeat.
 *
 * @returns `isBeating`: whether the loop works, even if the ledger cannot be reached
 */
export const startHeartbeat = async (
  pool: pg.Pool,
  { accounts, windows, slots, ...worker }: HeartbeatParts,
): Promise<{ isBeating(): boolean; stop(): Promise<void> }> => {
  const knows = await readLastNumber();
  const self = { ...worker, slots, knows, host: hostname(), pid: process.pid };
  let beatenAt = performance.now();
  const beatOnce = async (): Promise<void> => {
    // The next heartbeat makes up for a missed one.
    await beat(pool, { ...self, ...accounts.serving() })
      .then(windows.adapt)
      .catch(() => {});
    beatenAt = performance.now();
  };
  await beatOnce();
  let running = Promise.resolve();
  const beating = setInterval(() => {
    running = beatOnce();
  }, beatEveryMs);
  return {
    isBeating: () => performance.now() - beatenAt < stuckMs,
    stop: async () => {
      clearInterval(beating);
      // A heartbeat that ended later would register this worker again.
      await running;
      await leave(pool, self.id).catch(() => {});
    },
  };
};
