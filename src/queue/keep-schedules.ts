import { mapAtOnce } from '../at-once.ts';
import { messageOf } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Queues } from './create-queues.ts';
import type { Schedule } from './schedules.ts';

const setAtOnce = 8;
/** Up to this number, all schedules are read at each call. */
const few = 100;
/** Above that, all are read at this interval even if their number is unchanged: one may have lost its next job. */
const readAllMs = 2 * 60 * 1000;

export interface ScheduleKeeperDeps {
  queues: Pick<Queues, 'upsertSchedule' | 'removeSchedule' | 'listSchedules' | 'countSchedules' | 'ping'>;
  /** The accounts among these that no worker has served for long, according to the ledger. */
  endedAccounts: (accounts: readonly string[]) => Promise<ReadonlySet<string>>;
  logger: Logger;
}

/**
 * Sets each schedule on its own, so that a failure never affects another account, and removes schedules of ended accounts
 * and those that an account no longer has. Does not touch schedules of accounts that only other processes have in their
 * configuration.
 */
export const createScheduleKeeper = ({
  queues,
  endedAccounts,
  logger,
}: ScheduleKeeperDeps): {
  /** Idempotent. Throws `queue_down` when the queue does not answer; a schedule that fails is logged once. */
  restore(wanted: readonly Schedule[]): Promise<void>;
} => {
  const logged = new Map<string, string>();
  /** When the queue last had exactly the wanted schedules, and how many it had. */
  let kept: { wanted: string; count: number; at: number } | undefined;

  const attempt = async (
    id: string,
    account: string | undefined,
    work: () => Promise<void>,
  ): Promise<void> => {
    try {
      await work();
      logged.delete(id);
    } catch (thrown) {
      // Throws if the queue as a whole does not answer.
      await queues.ping();
      const reason = messageOf(thrown);
      if (logged.get(id) === reason) return;
      logged.set(id, reason);
      logger.error(
        { ...(account === undefined ? {} : { account }), reason },
        `Cannot set the schedule "${id}"; all others are set`,
      );
    }
  };

  return {
    async restore(wanted) {
      // Reading many schedules one by one takes longer than the rest of a sweep, so compare their number first.
      const own = JSON.stringify(wanted);
      const isRecent = wanted.length > few && kept !== undefined && performance.now() - kept.at < readAllMs;
      if (isRecent && kept?.wanted === own && kept.count === (await queues.countSchedules())) return;
      kept = undefined;
      const listed = await queues.listSchedules();
      const keyOf = (name: string, id: string): string => `${name} ${id}`;
      const existing = new Map(listed.map((one) => [keyOf(one.name, one.id), one]));
      await mapAtOnce(wanted, setAtOnce, (schedule) => {
        const { account } = schedule.job.data as { account?: string };
        const known = existing.get(keyOf(schedule.job.name, schedule.id)) ?? null;
        return attempt(schedule.id, account, () => queues.upsertSchedule(schedule, known));
      });
      const ids = new Set(wanted.map(({ id }) => id));
      const ours = new Set(wanted.map(({ job }) => (job.data as { account?: string }).account));
      const unwanted = listed.filter(({ id }) => !ids.has(id));
      const others = unwanted.flatMap(({ account }) =>
        account === undefined || ours.has(account) ? [] : account,
      );
      const ended = others.length === 0 ? new Set() : await endedAccounts([...new Set(others)]);
      for (const { id, name, account } of unwanted) {
        if (account !== undefined && !ours.has(account) && !ended.has(account)) continue;
        await attempt(id, account, () => queues.removeSchedule(name, id));
      }
      if (logged.size === 0 && unwanted.length === 0)
        kept = { wanted: own, count: await queues.countSchedules(), at: performance.now() };
    },
  };
};
