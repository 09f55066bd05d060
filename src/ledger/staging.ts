import type pg from 'pg';
import { type Refused, UserError } from '../errors.ts';
import type { ImportOutcome } from '../intake/import-purchase-file.ts';
import type { ImportState } from '../intake/inbox/import-register.ts';
import type { Layout } from '../intake/layouts/layout.ts';
import type { Waits } from '../intake/layouts/unknown-meaning.ts';
import { madeForFile } from '../intake/made-po-number.ts';
import type { Stage } from '../intake/types.ts';
import type { Guards } from '../placing/options.ts';
import { applyAnswers } from './apply-answers.ts';
import { noteChange } from './changes.ts';
import { withdrawUnsent } from './console/reread-imports.ts';
import { createRowCopy } from './copy-rows.ts';
import { foreseeHolds, heldByGuard } from './foresee-holds.ts';
import { groupStagedRows } from './group-staged-rows.ts';
import { type Remembered, remember } from './known-layouts.ts';
import { listLayouts, lockLayouts, newestLayout } from './layouts.ts';
import { createTemporaryLedger } from './migrate.ts';
import { settleRowsThatCameAgain } from './rows-came-again.ts';
import { previewOf, type StagedPreview } from './staged-preview.ts';
import { inTransaction } from './transaction.ts';

/** The number of POs by outcome, and of lines and issues. */
export interface StagedCounts {
  ready: number;
  rejected: number;
  repeated: number;
  conflicting: number;
  /** Held for an operator action: cancelled before, from a restored file, or possibly the same as another PO of the file. */
  held: number;
  /** Dry run: those among `held` that a guard will hold when they are placed. */
  guarded: number;
  lines: number;
  /** Row issues without notes. */
  issues: number;
}

export type StagedImport<R extends ImportOutcome | Waits = ImportOutcome> =
  | { kind: 'staged'; counts: StagedCounts; outcome: Extract<R, { kind: 'read' }>; preview: StagedPreview }
  | Refused
  | Extract<R, Waits>
  /** It was already read, refused, repeated or waiting: nothing was done. */
  | { kind: 'already'; state: Exclude<ImportState, 'taken'> };

export interface StageOptions {
  /** Dry run: everything is computed and returned, and nothing is kept. */
  rollback?: boolean;
  /** Maximum number of POs and issues in `preview`; default 0. */
  preview?: number;
  /** For a dry run: the guards by which POs will be held when they are placed; default: none. */
  guards?: Guards;
  /** For a dry run: the import whose file is read again, so that its POs do not count. */
  replaces?: string;
  /** What to remember of the file; undefined: nothing (dry run). */
  remember?: (outcome: Extract<ImportOutcome, { kind: 'read' }>, layouts: readonly Layout[]) => Remembered;
  /** How long to wait for another process that reads the same import; default 2 s. */
  lockWaitMs?: number;
}

/**
 * Reads the file: passes rows and issues to the stage, and returns the outcome. `layouts` are the account's current ones. Called again if
 * the file would wait but a new layout was agreed meanwhile.
 */
export type StageWork<R extends ImportOutcome | Waits> = (
  stage: Stage,
  layouts: readonly Layout[],
) => Promise<R>;

const countSql = `
  select count(*) filter (where outcome is null)::int as ready,
    count(*) filter (where outcome = 'rejected')::int as rejected,
    count(*) filter (where outcome = 'repeated')::int as repeated,
    count(*) filter (where outcome = 'conflicting')::int as conflicting,
    count(*) filter (where outcome = 'held')::int as held,
    count(*) filter (where ${heldByGuard('staged')})::int as guarded,
    coalesce(sum(line_count), 0)::int as lines,
    (select count(*) from row_issues where import_id = $1 and severity = 'issue')::int as issues
  from staged`;

const refuse = (client: pg.PoolClient, importId: string, code: string, message: string) =>
  client.query(
    `update imports set state = 'refused', reason_code = $2, reason_text = $3, read_at = now(), result_due = true
     where id = $1 and state = 'taken'`,
    [importId, code, message],
  );

const letWait = (client: pg.PoolClient, importId: string, { code, message, waitingKey, header }: Waits) =>
  client.query(
    `update imports set state = 'waiting', reason_code = $2, reason_text = $3, waiting_key = $4, waiting_header = $5,
       waiting_since = coalesce(waiting_since, now()) where id = $1 and state = 'taken'`,
    [importId, code, message, waitingKey, header ?? null],
  );

/**
 * Reads the file with the current layouts. Agreeing to a layout releases only files that wait already; a file being read at that moment
 * would wait forever for it. So it is read again with the new layout.
 */
const readByLayouts = async <R extends ImportOutcome | Waits>(
  client: pg.PoolClient,
  { importId, account }: { importId: string; account: string },
  work: StageWork<R>,
) => {
  await client.query('savepoint rows');
  for (;;) {
    const newest = await newestLayout(client, account);
    const layouts = await listLayouts(client, account);
    const copy = createRowCopy(client, importId);
    let outcome: R;
    try {
      outcome = await work(copy, layouts);
      await copy.finish();
    } catch (error) {
      copy.abort();
      throw error;
    }
    if (outcome.kind === 'read') return { outcome, layouts, copy };
    await client.query('rollback to savepoint rows');
    if (outcome.kind === 'refused') return { outcome, layouts, copy };
    await lockLayouts(client, account);
    if ((await newestLayout(client, account)) === newest) return { outcome, layouts, copy };
  }
};

const stageIn = async <R extends ImportOutcome | Waits>(
  client: pg.PoolClient,
  importId: string,
  work: StageWork<R>,
  options: StageOptions,
): Promise<StagedImport<R>> => {
  // Another process that reads the same import waits here and then finds that it was read. It does not wait long: the
  // first process may have been stopped, and other files need to be read.
  await client.query(`set local lock_timeout = ${Math.trunc(options.lockWaitMs ?? 2_000)}`);
  const { rows } = await client.query<{
    account: string;
    state: ImportState;
    quoteOnly: boolean;
    restored: boolean;
  }>(
    'select account, state, quote_only as "quoteOnly", restored from imports where id = $1 for no key update',
    [importId],
  );
  const found = rows[0];
  if (!found) throw new UserError('import_unknown', `The ledger has no import ${importId}.`);
  if (found.state !== 'taken') return { kind: 'already', state: found.state };

  await client.query('set local lock_timeout = 0');
  const { account, quoteOnly, restored } = found;
  const { outcome, layouts, copy } = await readByLayouts(client, { importId, account }, work);
  if (outcome.kind === 'refused') {
    await refuse(client, importId, outcome.code, outcome.message);
    return outcome as Refused;
  }
  if (outcome.kind === 'waits') {
    await letWait(client, importId, outcome);
    return outcome as Extract<R, Waits>;
  }
  const read = outcome as Extract<R, { kind: 'read' }>;
  if (options.replaces !== undefined) await withdrawUnsent(client, options.replaces);
  await groupStagedRows(client, {
    ...{ importId, account, quoteOnly, restored, ...copy.seen() },
    ...read,
    numberIsMade: read.detection.decisions.some(({ why }) => why === madeForFile),
    othersAreMade: layouts.some(({ settings }) => settings.poNumberFrom && 'made' in settings.poNumberFrom),
  });
  const shown = options.preview ?? 0;
  const unusual = options.guards
    ? await foreseeHolds(client, { importId, account }, options.guards, shown)
    : [];
  const counts = await client.query<StagedCounts>(countSql, [importId]);

  const { ready, rejected, conflicting, held } = counts.rows[0]!;
  const added = ready + rejected + conflicting + held;
  const preview = await previewOf(client, importId, shown, unusual);
  await client.query(
    `update imports set state = 'read', format = $2, detection = $3, row_count = $4, po_count = $5, read_at = now(),
       result_due = true, layout_id = $6, grouping = $7
     where id = $1 and state = 'taken'`,
    [
      importId,
      read.detection.format,
      JSON.stringify(read.detection),
      read.rowCount,
      added,
      read.detection.layout?.id ?? null,
      JSON.stringify({
        filled: copy.seen().filled,
        optionDefaults: read.optionDefaults,
        columnNames: read.columnNames,
      }),
    ],
  );
  if (options.remember) await remember(client, importId, options.remember(read, layouts));
  if (!quoteOnly) await settleRowsThatCameAgain(client, importId, account);
  // Answers given while the file was read.
  if (held > 0) await applyAnswers(client, account);
  return { kind: 'staged', counts: counts.rows[0]!, outcome: read, preview };
};

/**
 * Stages an import in one transaction: rows and issues while `work` reads the file, POs after it has read the whole
 * file. A refused file keeps none of its rows; after an error or a crash nothing is staged. Idempotent: an import that
 * was read before is not changed (`already`). New POs are `ready`, `rejected` or `held` (`conflicting_po`,
 * `similar_po`, `was_cancelled`, `restored_file`); POs already imported with the same content are recorded in repeated_purchase_orders.
 *
 * @throws UserError `import_unknown`; errors of `work`; errors of Postgres (55P03 if another process is reading it)
 */
export const stageImport = async <R extends ImportOutcome | Waits>(
  pool: pg.Pool,
  importId: string,
  work: StageWork<R>,
  options: Omit<StageOptions, 'guards'> = {},
): Promise<StagedImport<R>> => {
  const rollback = options.rollback === true;
  const staged = await inTransaction(pool, { rollback, long: true }, (client) =>
    stageIn(client, importId, work, options),
  );
  if (!rollback) noteChange(pool, { topics: ['imports', 'purchase-orders'], importId });
  return staged;
};

/**
 * The dry run of a file that is not in the ledger: stages it like `stageImport`, returns the outcome, and keeps nothing.
 *
 * @param options.ledger `missing`: the database has no ledger, and one is created within the transaction
 */
export const rehearseImport = <R extends ImportOutcome | Waits>(
  pool: pg.Pool,
  file: { account: string; fileName: string; sha256?: string },
  work: StageWork<R>,
  options: Pick<StageOptions, 'preview' | 'guards' | 'replaces'> & {
    ledger?: 'current' | 'missing';
  } = {},
): Promise<StagedImport<R>> =>
  inTransaction(pool, { rollback: true, long: true }, async (client) => {
    if (options.ledger === 'missing') await createTemporaryLedger(client);
    // The latest import, without using up an import number that people see.
    const { rows } = await client.query<{ id: string }>(
      `insert into imports (id, account, file_name, sha256, size_bytes, file_path) overriding system value
       values ((1::bigint << 62) + pg_backend_pid(), $1, $2, $3, 0, '') returning id`,
      [file.account, file.fileName, file.sha256 ?? ''],
    );
    return stageIn(client, rows[0]!.id, work, options);
  });
