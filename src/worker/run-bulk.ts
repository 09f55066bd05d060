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

/** POs read in one query. */
const chunk = 20;
const lookEveryMs = 3_000;

export interface BulkRunner {
  /** Stops after the current PO; another process, or the next start, continues. Idempotent. */
  stop(): Promise<void>;
}

interface BulkDeps {
  pool: pg.Pool;
  logger: Logger;
  /** Enqueues POs of these accounts, as far as their windows allow. */
  fillAccounts(accounts: readonly string[]): Promise<void>;
  /** Writes the result files that the run has made due. */
  writeDueResults(): Promise<void>;
}

/** The runners of each ledger in this process: of its worker, its console, or both. */
const runnersOf = new WeakMap<pg.Pool, Set<() => void>>();

/** Makes the runners of this process look for a new run at once. Other processes find it within seconds. */
export const wakeBulkRuns = (pool: pg.Pool): void => {
  for (const look of runnersOf.get(pool) ?? []) look();
};

/**
 * Whether the PO is no longer what the person confirmed. For a cancellation only another person's action counts: progress such
 * as a new cart must not save the PO from being cancelled.
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
 * Processes the ledger's bulk runs one at a time, each PO with the ordinary action, which counts itself in the run. Safe in any
 * number of processes: a run belongs to one at a time, and another process continues it if that one ends.
 */
export const startBulkRuns = (deps: BulkDeps): BulkRunner => {
  const { pool, logger } = deps;
  const runner = randomUUID();

  /** If the queue cannot be reached, the workers' sweep does this instead. */
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
        // A stopped run must do nothing more.
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
