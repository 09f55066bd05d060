import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type ImportProgress, importProgress } from '../ledger/import-progress.ts';
import { readOverview } from '../ledger/overview.ts';
import { isLostConnection } from './exit-codes.ts';
import { askedTally } from './output/imports.ts';
import type { Progress } from './output/progress.ts';
import type { StopSignals } from './stop-signals.ts';

export type Waited =
  | { kind: 'finished'; imports: ImportProgress[] }
  /** Nothing moved for a while, or cannot move before somebody acts; why, in a sentence. */
  | { kind: 'stalled'; imports: ImportProgress[]; why: string }
  | { kind: 'interrupted'; imports: ImportProgress[] };

const lookEveryMs = 200;
const resultPatienceMs = 30_000;

/** Nothing that the file asks for has a next step, whichever import has it. */
const isPlaced = ({ answeredByState, active }: ImportProgress): boolean =>
  answeredByState !== 'taken' && active === 0;
/** A repetition of the same bytes has no result file of its own. */
const isSettled = (one: ImportProgress): boolean =>
  isPlaced(one) && (one.state === 'repeated' || one.resultWritten);

/** A database that is away for less than this comes back, and the waiting goes on. */
const databasePatienceMs = 30_000;

/** Draws how far all imports are together. */
const draw = (
  imports: readonly ImportProgress[],
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
    (sum, tally) => sum + tally.ordered + tally.underWay + tally.held + tally.failed + tally.cancelled,
    0,
  );
  const underWay = tallies.reduce((sum, tally) => sum + tally.underWay, 0);
  if (toPlace > 0) progress.set('POs placed', toPlace - underWay, toPlace);
};

const whyStalled = async (pool: pg.Pool, imports: readonly ImportProgress[]): Promise<string | undefined> => {
  const names = [...new Set(imports.map(({ account }) => account))];
  const { accounts } = await readOverview(pool, names);
  const paused = accounts.find((account) => account.paused);
  if (paused?.paused) return `The account ${paused.account} pauses: ${paused.paused.reason}`;
  const failing = imports.reduce((sum, { failing }) => sum + failing, 0);
  if (failing === 0) return undefined;
  return `The dealer order service does not answer for ${failing} purchase order${failing === 1 ? '' : 's'}`;
};

/**
 * Waits, showing how far they are, until nothing that the files of these imports ask for moves any more, also where an
 * earlier import has it, and their result files are written. What it stops waiting for stays in the ledger; workers go on with it.
 */
export const waitForImports = async (deps: {
  pool: pg.Pool;
  importIds: readonly string[];
  rowsRead: ReadonlyMap<string, number>;
  progress: Progress;
  signals: Pick<StopSignals, 'requested' | 'isRequested'>;
  /** Nothing moving for this long, while the service does not answer or the account pauses, ends the waiting. */
  patienceMs?: number;
}): Promise<Waited> => {
  const { pool, importIds, rowsRead, progress, signals, patienceMs = 60_000 } = deps;
  let seen = '';
  let movedAt = performance.now();
  let answeredAt = performance.now();
  for (;;) {
    let imports: ImportProgress[];
    try {
      imports = await importProgress(pool, importIds);
      answeredAt = performance.now();
    } catch (error) {
      const awayMs = performance.now() - answeredAt;
      if (!isLostConnection(error) || awayMs > databasePatienceMs || signals.isRequested()) throw error;
      await Promise.race([sleep(lookEveryMs), signals.requested]);
      continue;
    }
    draw(imports, rowsRead, progress);
    if (imports.every(isSettled)) return { kind: 'finished', imports };
    if (signals.isRequested()) return { kind: 'interrupted', imports };

    const now = JSON.stringify([
      imports.map(({ counts, repeatedCounts, answeredByState }) => [counts, repeatedCounts, answeredByState]),
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
    await Promise.race([sleep(lookEveryMs), signals.requested]);
  }
};
