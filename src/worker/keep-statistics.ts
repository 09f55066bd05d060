import { messageOf } from '../errors.ts';
import { noteItems } from '../ledger/item-numbers.ts';
import { refreshStatistics } from '../ledger/statistics/follow-feed.ts';
import { repeat } from '../repeat.ts';
import type { Runtime } from './open-runtime.ts';

const usualMs = 60_000;
/** The start is over by then. */
const firstMs = 5000;

/**
 * Brings the statistics, and what is searched for by a part of it, up to date every minute. Of all processes with the same ledger one counts at a
 * time; orders never wait for it.
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
