import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { plainCause } from '../errors.ts';
import { countImports, type ImportCounts } from '../ledger/import-counts.ts';
import { isLostConnection } from '../ledger/lost-connection.ts';
import { readOverview } from '../ledger/overview.ts';
import { askedTally } from './output/imports.ts';
import type { Progress } from './output/progress.ts';
import type { StopSignals } from './stop-signals.ts';

export type Waited =
  | { kind: 'finished'; imports: ImportCounts[] }
  /** No progress for a while; `why` is a sentence without its full stop. */
  | { kind: 'stalled'; imports: ImportCounts[]; why: string }
  | { kind: 'interrupted'; imports: ImportCounts[] };

const checkEveryMs = 200;
const resultPatienceMs = 30_000;

/** No PO in the file has a next step, including POs that belong to an earlier import. */
const isPlaced = ({ answeredByState, active }: ImportCounts): boolean =>
  answeredByState !== 'taken' && active === 0;
/** An import of the same bytes as an earlier one has no result file of its own, and a waiting one has none yet. */
const isSettled = (one: ImportCounts): boolean =>
  one.answeredByState === 'waiting' || (isPlaced(one) && (one.state === 'repeated' || one.resultWritten));

/** A shorter outage of the database does not end the wait. */
const databasePatienceMs = 30_000;

/** Draws the progress of all imports together. */
const draw = (
  imports: readonly ImportCounts[],
  rowsRead: ReadonlyMap<string, number>,
  progress: Progress,
): void => {
  const rows = imports.reduce(
    (sum, one) =>
      sum + (one.answeredByState === 'taken' ? (rowsRead.get(one.answeredBy) ?? 0) : one.rowCount),
    0,
  );
  const isRead = imports.every(({ answeredByState }) => answeredByState !== 'taken');
  progress.set('rows read', rows, isRead ? rows : undefined);
  const tallies = imports.map(askedTally);
  const toPlace = tallies.reduce(
    (sum, tally) => sum + tally.ordered + tally.inProgress + tally.held + tally.failed + tally.cancelled,
    0,
  );
  const underWay = tallies.reduce((sum, tally) => sum + tally.inProgress, 0);
  if (toPlace > 0) progress.set('POs placed', toPlace - underWay, toPlace);
};

const whyStalled = async (pool: pg.Pool, imports: readonly ImportCounts[]): Promise<string | undefined> => {
  const names = [...new Set(imports.map(({ account }) => account))];
  const { accounts } = await readOverview(pool, names, { counts: false });
  const paused = accounts.find((account) => account.paused);
  if (paused?.paused) return `The account ${paused.account} is paused: ${plainCause(paused.paused.reason)}`;
  const failing = imports.reduce((sum, { failing }) => sum + failing, 0);
  if (failing === 0) return undefined;
  return `The dealer order service does not answer calls for ${failing} PO${failing === 1 ? '' : 's'}`;
};

/**
 * Waits until no PO in the files of these imports has a next step, including POs of earlier imports, and the result files are written;
 * shows the progress. When it stops waiting, unfinished POs stay in the ledger for the workers.
 */
export const waitForImports = async (deps: {
  pool: pg.Pool;
  importIds: readonly string[];
  rowsRead: ReadonlyMap<string, number>;
  progress: Progress;
  signals: Pick<StopSignals, 'requested' | 'isRequested'>;
  /** How long to wait without progress while the service does not answer or the account is paused. */
  patienceMs?: number;
}): Promise<Waited> => {
  const { pool, importIds, rowsRead, progress, signals, patienceMs = 60_000 } = deps;
  let seen = '';
  let movedAt = performance.now();
  let answeredAt = performance.now();
  for (;;) {
    let imports: ImportCounts[];
    try {
      imports = await countImports(pool, importIds);
      answeredAt = performance.now();
    } catch (error) {
      const awayMs = performance.now() - answeredAt;
      if (!isLostConnection(error) || awayMs > databasePatienceMs || signals.isRequested()) throw error;
      await Promise.race([sleep(checkEveryMs), signals.requested]);
      continue;
    }
    draw(imports, rowsRead, progress);
    if (imports.every(isSettled)) return { kind: 'finished', imports };
    if (signals.isRequested()) return { kind: 'interrupted', imports };

    const now = JSON.stringify([
      imports.map(({ counts, elsewhereCounts, answeredByState }) => [
        counts,
        elsewhereCounts,
        answeredByState,
      ]),
      [...rowsRead.values()],
    ]);
    if (now !== seen) [seen, movedAt] = [now, performance.now()];
    const stillMs = performance.now() - movedAt;
    if (imports.every(isPlaced) && stillMs > resultPatienceMs) return { kind: 'finished', imports };
    if (stillMs > patienceMs) {
      const why = await whyStalled(pool, imports);
      if (why !== undefined) return { kind: 'stalled', imports, why };
      movedAt = performance.now();
    }
    await Promise.race([sleep(checkEveryMs), signals.requested]);
  }
};
