import { importJob, jobFor } from '../dispatch/next-work.ts';
import { listUnreadImports } from '../ledger/imports.ts';
import { takeOver } from '../ledger/take-over.ts';
import { listOtherProcesses } from '../ledger/workers.ts';
import type { Runtime } from './open-runtime.ts';
import { isDead, type ProcessIdentity } from './own-process.ts';

/**
 * Finds workers of this machine that are certainly dead, and enqueues their POs and files at once. Elsewhere, or where
 * nothing is certain, their leases run out (rule 10).
 *
 * @param own undefined where a process cannot be identified: nothing is taken over then
 */
export const createTakeOver = (
  {
    config,
    logger,
    accounts,
    jobs,
    graceMs,
    workerId,
    ledger: { pool },
  }: Pick<Runtime, 'config' | 'logger' | 'accounts' | 'jobs' | 'graceMs' | 'workerId' | 'ledger'>,
  own: ProcessIdentity | undefined,
): (() => Promise<void>) => {
  const ofAccount = Object.fromEntries(config.accounts.map(({ name, placing }) => [name, placing.settleMs]));
  return async () => {
    if (!own) return;
    const dead: string[] = [];
    for (const other of await listOtherProcesses<ProcessIdentity>(pool, workerId)) {
      if (await isDead(other, own)) dead.push(other.id);
    }
    if (dead.length === 0) return;
    const freed = await takeOver(pool, dead, { graceMs, ofAccount });
    // The queue may still count their jobs as running, so each gets another key.
    const unread = await listUnreadImports(pool, accounts.serving().reads);
    await jobs.enqueue([
      ...unread.map((id) => ({ ...importJob(id), key: `${id}/after ${dead[0]}` })),
      ...freed.map(jobFor),
    ]);
    if (freed.length === 0) return;
    logger.info(
      { count: freed.length },
      'Took over the purchase orders of a worker of this machine that has died',
    );
  };
};
