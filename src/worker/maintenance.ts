import type { CronTime } from '../config/config.ts';
import { lastRun } from '../config/next-runs.ts';
import { messageOf } from '../errors.ts';
import { claimTask, endTask, keepTask, releaseTask, retryMinutesOf } from '../ledger/maintenance.ts';
import { repeat } from '../repeat.ts';
import { backUpRegularly } from './back-up.ts';
import type { Runtime } from './open-runtime.ts';
import { type PrunedKind, type PruneOptions, pruneAccount, pruneShared } from './prune.ts';

/** Poll interval, also before the first check, so as not to delay the start. */
const lookEveryMs = 60_000;
const keepEveryMs = 5 * 60_000;

const nothingRemoved = 'removed nothing';

const removed = (pruned: readonly PrunedKind[]): string => {
  const some = pruned.filter(({ count }) => count > 0).map(({ kind, count }) => `${count} ${kind}`);
  return some.length === 0 ? nothingRemoved : `removed ${some.join(', ')}`;
};

interface Task {
  name: string;
  at: CronTime;
  /** Returns what it did, as a sentence. */
  run(): Promise<string>;
}

/**
 * Runs backups, and removes data past its retention period. Of all processes with the same ledger only one runs each task; missed
 * tasks are caught up, and failed ones are retried after `retryMinutesOf`. Only a process with the account's folder removes files. A
 * stop interrupts the work, and another process starts it again.
 */
export const startMaintenance = (
  runtime: Pick<Runtime, 'config' | 'ledger' | 'accounts' | 'logger'>,
  everyMs = lookEveryMs,
): { stop(): Promise<void> } => {
  const { config, accounts, logger } = runtime;
  const { pool } = runtime.ledger;
  const stopping = new AbortController();
  const options = (): PruneOptions => ({
    pool,
    now: new Date(),
    dryRun: false,
    isStopping: () => stopping.signal.aborted,
  });

  const tasks = (): Task[] => {
    // A process without folders would write its backups to a machine where nobody looks for them.
    const here = accounts.all.filter(({ folder }) => folder.kind === 'usable');
    if (here.length === 0) return [];
    // A reload changes them.
    const { backup, retention } = config;
    const { folder, keep } = backup;
    return [
      ...(folder === undefined
        ? []
        : [
            {
              name: 'backup',
              at: backup.at,
              run: async () => {
                const parts = { config, pool, signal: stopping.signal };
                const written = await backUpRegularly(parts, { folder, keep }, new Date());
                return `wrote ${written.path} (${written.sizeBytes} bytes)`;
              },
            },
          ]),
      ...here.map((one) => ({
        name: `prune ${one.account.name}`,
        at: backup.at,
        run: async () => removed(await pruneAccount(one, retention, options())),
      })),
      {
        name: 'prune',
        at: backup.at,
        run: async () => removed(await pruneShared(retention.rows, options())),
      },
    ];
  };

  const runTask = async ({ name, at, run }: Task): Promise<void> => {
    const due = lastRun(at.cron, at.timeZone, new Date());
    if (!(await claimTask(pool, name, due))) return;
    const keeping = setInterval(() => void keepTask(pool, name).catch(() => {}), keepEveryMs);
    try {
      const result = await run();
      if (stopping.signal.aborted) return await releaseTask(pool, name);
      await endTask(pool, name, { doneFor: due, result });
      // Of hundreds of accounts most have nothing to remove.
      const level = result === nothingRemoved ? 'debug' : 'info';
      logger[level]({ reason: result }, `Maintenance done: ${name}`);
    } catch (thrown) {
      if (stopping.signal.aborted) return await releaseTask(pool, name).catch(() => {});
      const failedBecause = messageOf(thrown);
      await endTask(pool, name, { failedBecause });
      logger.error(
        { reason: failedBecause },
        `Maintenance failed: ${name}; it is tried again in ${retryMinutesOf(name)} minutes, and orders go on`,
      );
    } finally {
      clearInterval(keeping);
    }
  };

  const look = async (): Promise<void> => {
    for (const task of tasks()) if (!stopping.signal.aborted) await runTask(task);
  };
  const loop = repeat(look, {
    everyMs,
    firstMs: everyMs,
    failed: (err) => logger.warn({ err }, 'Maintenance could not start; it is tried again soon'),
  });
  return {
    stop: () => {
      stopping.abort();
      return loop.stop();
    },
  };
};
