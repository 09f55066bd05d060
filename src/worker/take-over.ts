import { importJob, jobFor } from '../dispatch/next-work.ts';
import { listUnreadImports } from '../ledger/imports.ts';
import { freeLeases, takeOver } from '../ledger/po/take-over.ts';
import { listOtherProcesses } from '../ledger/workers.ts';
import type { Runtime } from './open-runtime.ts';
import { isDead, type ProcessIdentity } from './own-process.ts';

/**
 * Finds workers of this machine that are certainly dead, and enqueues their POs and files at once. The leases of all other
 * workers have to run out (rule 10).
 *
 * @param own undefined if processes cannot be identified here: nothing is taken over then
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
      'Took over the purchase orders of a worker of this machine that has ended',
    );
  };
};

const tryEveryMs = 1000;

/**
 * Jobs of this process give up leases if the ledger cannot be reached. Frees these as soon as it can be reached again, and
 * enqueues their POs: a retried job cannot take them, and nobody else does because this process is alive.
 */
export const createAbandonedLeases = ({
  config,
  jobs,
  graceMs,
  ledger: { pool },
}: Pick<Runtime, 'config' | 'jobs' | 'graceMs' | 'ledger'>): { add(owner: string): void; stop(): void } => {
  const ofAccount = Object.fromEntries(config.accounts.map(({ name, placing }) => [name, placing.settleMs]));
  const owners = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const tryLater = (): void => {
    if (stopped || timer || owners.size === 0) return;
    timer = setTimeout(() => void free(), tryEveryMs).unref();
  };
  const free = async (): Promise<void> => {
    const now = [...owners];
    await freeLeases(pool, now, { graceMs, ofAccount })
      .then(async (freed) => {
        for (const owner of now) owners.delete(owner);
        await jobs.enqueue(freed.map(jobFor));
      })
      // The ledger is still unreachable; or the queue is, and then the sweep enqueues them.
      .catch(() => {});
    timer = undefined;
    tryLater();
  };
  return {
    add: (owner) => {
      owners.add(owner);
      tryLater();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
};
