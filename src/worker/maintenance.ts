import type { CronTime } from '../config/config.ts';
import { lastDue } from '../config/cron.ts';
import { messageOf } from '../errors.ts';
import { claimTask, endTask, keepTask } from '../ledger/maintenance.ts';
import { backUpRegularly } from './back-up.ts';
import type { Runtime } from './open-runtime.ts';
import { type PrunedKind, type PruneOptions, pruneAccount, pruneShared } from './prune.ts';

/** How often this looks whether something is due; the first time after as long, when the start is over. */
const lookEveryMs = 60_000;
const keepEveryMs = 5 * 60_000;

const removed = (pruned: readonly PrunedKind[]): string =>
  pruned
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${kind}`)
    .join(', ') || 'nothing';

interface Task {
  name: string;
  at: CronTime;
  /** Returns what it did, as a sentence. */
  run(): Promise<string>;
}

/**
 * Does the work that is due regularly: backups, and the removal of what is older than it is kept. Of all processes with the same
 * ledger one does each task; what was missed is caught up, and what fails is tried again every hour. Files are removed where
 * the folder of their account is.
 */
export const startMaintenance = (
  runtime: Pick<Runtime, 'config' | 'ledger' | 'accounts' | 'logger'>,
): { stop(): Promise<void> } => {
  const { config, accounts, logger } = runtime;
  const { pool } = runtime.ledger;
  const { backup, retention } = config;
  let stopped = false;
  const options = (): PruneOptions => ({
    pool,
    now: new Date(),
    dryRun: false,
    isStopping: () => stopped,
  });

  const tasks = (): Task[] => {
    // A process without folders would write its backups where nobody looks for them.
    const here = accounts.all.filter(({ folder }) => folder.kind === 'usable');
    if (here.length === 0) return [];
    const { folder } = backup;
    return [
      ...(folder === undefined
        ? []
        : [
            {
              name: 'backup',
              at: backup.at,
              run: async () => {
                const written = await backUpRegularly({ config, pool }, folder, new Date());
                return `wrote ${written.path} (${written.sizeBytes} bytes)`;
              },
            },
          ]),
      ...here.map((one) => ({
        name: `prune ${one.account.name}`,
        at: retention.at,
        run: async () => `removed ${removed(await pruneAccount(one, options()))}`,
      })),
      {
        name: 'prune',
        at: retention.at,
        run: async () => `removed ${removed(await pruneShared(retention.ages.activity, options()))}`,
      },
    ];
  };

  const runTask = async ({ name, at, run }: Task): Promise<void> => {
    const due = lastDue(at, new Date());
    if (!(await claimTask(pool, name, due))) return;
    const keeping = setInterval(() => void keepTask(pool, name).catch(() => {}), keepEveryMs);
    try {
      const result = await run();
      // Interrupted by the end of the process: not done, and tried again an hour later.
      if (stopped) return;
      await endTask(pool, name, { doneFor: due, result });
      logger.info({ reason: result }, `Maintenance done: ${name}`);
    } catch (thrown) {
      const failedBecause = messageOf(thrown);
      await endTask(pool, name, { failedBecause });
      logger.error(
        { reason: failedBecause },
        `Maintenance failed: ${name}; it is tried again in an hour, and orders go on`,
      );
    } finally {
      clearInterval(keeping);
    }
  };

  let running = Promise.resolve();
  const look = async (): Promise<void> => {
    for (const task of tasks()) if (!stopped) await runTask(task);
  };
  let timer: NodeJS.Timeout;
  const schedule = (): void => {
    timer = setTimeout(() => {
      running = look()
        .catch((err: unknown) => logger.warn({ err }, 'Maintenance could not start; it is tried again soon'))
        .then(() => {
          if (!stopped) schedule();
        });
    }, lookEveryMs);
  };
  schedule();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
};
