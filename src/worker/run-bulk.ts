import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import {
  type BulkRun,
  finishRun,
  keepRun,
  leaveRuns,
  noteRefused,
  takeRun,
} from '../ledger/console/bulk-runs.ts';
import { type ChosenPo, listTargets } from '../ledger/console/targets.ts';
import { applyOperatorAction } from '../ledger/po/operator-actions.ts';
import type { Logger } from '../logger.ts';
import { bulkFilterOf } from '../placing/bulk-filter.ts';
import { repeat } from '../repeat.ts';

/** POs that are read together. */
const chunk = 20;
const lookEveryMs = 3_000;

export interface BulkRunner {
  /** Ends behind the PO that it is at; another process, or the next start, goes on. Idempotent. */
  stop(): Promise<void>;
}

interface BulkDeps {
  pool: pg.Pool;
  logger: Logger;
  /** Gives POs of these accounts jobs, as far as there is room. */
  fillAccounts(accounts: readonly string[]): Promise<void>;
  /** Writes the result files that the run has made due. */
  writeDueResults(): Promise<void>;
}

/** What works on the runs of a ledger in this process: its worker, its console, or both. */
const runnersOf = new WeakMap<pg.Pool, Set<() => void>>();

/** There is a new run: what works on runs in this process looks at once. Other processes find it within seconds. */
export const wakeBulkRuns = (pool: pg.Pool): void => {
  for (const look of runnersOf.get(pool) ?? []) look();
};

/**
 * What has changed meanwhile is not what the person confirmed. A PO that is to be cancelled must not escape by having got its
 * cart, but it does if another person has acted on it.
 */
const isStale = ({ action, createdAt }: BulkRun, { changedAt, actedAt }: ChosenPo): boolean =>
  action === 'cancel' ? (actedAt ?? '') > createdAt : changedAt > createdAt;

const actOn = async ({ pool }: BulkDeps, run: BulkRun, po: ChosenPo): Promise<void> => {
  if (isStale(run, po)) return noteRefused(pool, run.id, po.id, 'it has changed since the run was confirmed');
  const { who, via, note, assignee } = run;
  const [result] = await applyOperatorAction(pool, run.action, [po], {
    who,
    via,
    note: note ?? undefined,
    bulkRunId: run.id,
    assignee,
  });
  if (result?.outcome.kind === 'not_possible') await noteRefused(pool, run.id, po.id, result.outcome.why);
};

/**
 * Works on the bulk runs of the ledger, one at a time: each PO by the ordinary action, which counts itself in the run. Any number
 * of processes may; a run belongs to one of them at a time, and goes on in another one when its process has ended.
 */
export const startBulkRuns = (deps: BulkDeps): BulkRunner => {
  const { pool, logger } = deps;
  const runner = randomUUID();

  /** The queue may be away: the sweep of the workers then does what these would have done. */
  const leaveToSweep = (err: unknown): void => {
    logger.debug({ err }, 'left the POs of a bulk run to the sweep');
  };

  const work = async (run: BulkRun, isStopped: () => boolean): Promise<void> => {
    const filter = bulkFilterOf(run.action, run.filter);
    for (;;) {
      const at = isStopped() ? undefined : await keepRun(pool, run.id, runner);
      if (!at) return;
      const page = { after: at.afterId, upTo: at.upToId, limit: chunk };
      const found = filter.state.length === 0 ? [] : await listTargets(pool, filter, page, run.accounts);
      if (found.length === 0) {
        await finishRun(pool, run.id, runner);
        await deps.writeDueResults().catch(leaveToSweep);
        return;
      }
      for (const po of found) {
        // A run that says that it is stopped does nothing more.
        if (isStopped() || !(await keepRun(pool, run.id, runner))) return;
        await actOn(deps, run, po);
      }
      await deps.fillAccounts([...new Set(found.map(({ account }) => account))]).catch(leaveToSweep);
    }
  };

  const workOff = async (isStopped: () => boolean): Promise<void> => {
    for (;;) {
      const run = isStopped() ? undefined : await takeRun(pool, runner);
      if (!run) return;
      await work(run, isStopped);
    }
  };

  const loop = repeat(workOff, {
    everyMs: lookEveryMs,
    failed: (err) => logger.warn({ err }, 'A bulk run was interrupted; it goes on soon'),
  });
  const runners = runnersOf.get(pool) ?? new Set();
  runnersOf.set(pool, runners.add(loop.now));
  return {
    stop: async () => {
      runners.delete(loop.now);
      await loop.stop();
      await leaveRuns(pool, runner).catch(() => {});
    },
  };
};
