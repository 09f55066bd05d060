import { messageOf } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Queues } from './create-queues.ts';
import type { Schedule } from './schedules.ts';

export interface ScheduleKeeperDeps {
  queues: Pick<Queues, 'upsertSchedule' | 'removeSchedule' | 'listSchedules' | 'ping'>;
  /** Which of these accounts the ledger knows as ended: no worker has served them for long. */
  endedAccounts: (accounts: readonly string[]) => Promise<ReadonlySet<string>>;
  logger: Logger;
}

/**
 * Sets schedules one by one, so that a schedule that fails never affects another account's, and removes those of ended
 * accounts and those that an account no longer has. Schedules of accounts that only other processes have in their
 * configuration are not touched.
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
      for (const schedule of wanted) {
        const { account } = schedule.job.data as { account?: string };
        await attempt(schedule.id, account, () => queues.upsertSchedule(schedule));
      }
      const ids = new Set(wanted.map(({ id }) => id));
      const ours = new Set(wanted.map(({ job }) => (job.data as { account?: string }).account));
      const unwanted = (await queues.listSchedules()).filter(({ id }) => !ids.has(id));
      const others = unwanted.flatMap(({ account }) =>
        account === undefined || ours.has(account) ? [] : account,
      );
      const ended = others.length === 0 ? new Set() : await endedAccounts([...new Set(others)]);
      for (const { id, name, account } of unwanted) {
        if (account !== undefined && !ours.has(account) && !ended.has(account)) continue;
        await attempt(id, account, () => queues.removeSchedule(name, id));
      }
    },
  };
};
