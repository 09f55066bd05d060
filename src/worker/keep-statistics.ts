import { messageOf } from '../errors.ts';
import { noteItems } from '../ledger/item-numbers.ts';
import { refreshStatistics } from '../ledger/statistics/follow-feed.ts';
import { repeat } from '../repeat.ts';
import type { Runtime } from './open-runtime.ts';

const usualMs = 60_000;
/** After the start of the process, which should not be delayed. */
const firstMs = 5000;

/**
 * Updates the statistics and the index for partial searches every minute. Only one of all processes with the same ledger does so at a time;
 * orders never wait for it.
 */
export const startStatistics = (
  { config, ledger, logger }: Pick<Runtime, 'config' | 'ledger' | 'logger'>,
  everyMs = usualMs,
): { stop(): Promise<void> } => {
  const failing = new Set<string>();
  const attempt = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
      failing.delete(what);
    } catch (err) {
      // Logged once, and not every minute.
      if (!failing.has(what))
        logger.warn({ reason: messageOf(err) }, `Could not update the ${what}; retrying every minute`);
      failing.add(what);
    }
  };
  const refresh = async (isStopped: () => boolean): Promise<void> => {
    const zones = config.accounts.map(({ name, schedule }) => ({
      account: name,
      timeZone: schedule.timeZone,
    }));
    await attempt('statistics', () => refreshStatistics(ledger.pool, zones, isStopped));
    await attempt('search by a part of a SKU', () => noteItems(ledger.pool, isStopped));
  };
  const failed = (err: unknown) => logger.warn({ err }, 'Could not count; retrying every minute');
  return repeat(refresh, { everyMs, firstMs: Math.min(firstMs, everyMs), failed });
};
