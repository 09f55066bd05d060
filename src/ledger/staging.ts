import type pg from 'pg';
import { UserError } from '../errors.ts';
import type { ImportOutcome } from '../intake/import-purchase-file.ts';
import type { GroupedPurchaseOrder, RowIssue, Stage } from '../intake/types.ts';
import { createRowCopy } from './copy-rows.ts';
import { type GroupingRules, groupStagedRows } from './group-staged-rows.ts';
import { makePassingLedger } from './migrate.ts';

/** How many POs became what, and how many lines and issues there are. */
export interface StagedCounts {
  ready: number;
  rejected: number;
  repeated: number;
  conflicting: number;
  /** Was cancelled before, or comes from a restored file: a person is asked. */
  held: number;
  lines: number;
  /** Row issues that keep a PO or a row back; notes are not counted. */
  issues: number;
}

export type StagedImport<R extends ImportOutcome = ImportOutcome> =
  | { kind: 'staged'; counts: StagedCounts; outcome: Extract<R, { kind: 'read' }>; preview: StagedPreview }
  | { kind: 'refused'; code: string; message: string }
  /** It was read, refused or found repeated before: nothing was done. */
  | { kind: 'already'; state: 'read' | 'refused' | 'repeated' };

/** The first of everything, for a person who looks before anything is ordered. */
export interface StagedPreview {
  purchaseOrders: GroupedPurchaseOrder[];
  issues: RowIssue[];
}

export interface StageOptions {
  /** The dry run: everything is computed and answered, and nothing is kept. */
  rollback?: boolean;
  /** How many POs and issues `preview` shows; 0 unless told. */
  preview?: number;
  /** What becomes of POs that were cancelled before, or come from a restored file; both are held unless told. */
  rules?: GroupingRules;
  /** How long to wait for another who reads the same import; default 2 s. */
  lockWaitMs?: number;
}

/** Reads the file: gives rows and issues to the stage, and says what the file was. */
export type StageWork<R extends ImportOutcome> = (stage: Stage) => Promise<R>;

const countSql = `
  select count(*) filter (where outcome is null)::int as ready,
    count(*) filter (where outcome = 'rejected')::int as rejected,
    count(*) filter (where outcome = 'repeated')::int as repeated,
    count(*) filter (where outcome = 'conflicting')::int as conflicting,
    count(*) filter (where outcome = 'held')::int as held,
    coalesce(sum(line_count), 0)::int as lines,
    (select count(*) from row_issues where import_id = $1 and severity = 'issue')::int as issues
  from staged`;

const previewOrdersSql = `
  select po_number as "poNumber", first_row as "firstRow", line_count as "lineCount", options::json,
    coalesce(outcome, 'ready') as outcome, reason
  from staged order by first_row limit $1`;

const previewIssuesSql = `
  select row_number as "rowNumber", po_number as "poNumber", severity, column_name as "column", code, message, found, expected
  from row_issues where import_id = $1 order by severity = 'note', row_number limit $2`;

const undefinedForNull = <T extends object>(row: T): T =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? undefined])) as T;

const previewOf = async (client: pg.PoolClient, importId: string, count: number): Promise<StagedPreview> => {
  if (count === 0) return { purchaseOrders: [], issues: [] };
  const orders = await client.query<GroupedPurchaseOrder>(previewOrdersSql, [count]);
  const issues = await client.query<RowIssue>(previewIssuesSql, [importId, count]);
  return { purchaseOrders: orders.rows.map(undefinedForNull), issues: issues.rows.map(undefinedForNull) };
};

const refuse = (client: pg.PoolClient, importId: string, code: string, message: string) =>
  client.query(
    `update imports set state = 'refused', reason_code = $2, reason_text = $3, read_at = now(), result_due = true
     where id = $1 and state = 'taken'`,
    [importId, code, message],
  );

const holdAll: GroupingRules = { cancelledAgain: 'hold', restoredFiles: 'hold' };

const stageIn = async <R extends ImportOutcome>(
  client: pg.PoolClient,
  importId: string,
  work: StageWork<R>,
  options: StageOptions,
): Promise<StagedImport<R>> => {
  // Whoever else reads the same import waits here, and then finds that it was read; but not for ever: the other may be
  // a process that was stopped, and there are files to be read meanwhile.
  await client.query(`set local lock_timeout = ${Math.trunc(options.lockWaitMs ?? 2_000)}`);
  const { rows } = await client.query<{
    account: string;
    state: 'taken' | 'read' | 'refused' | 'repeated';
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
  await client.query('savepoint rows');
  const copy = createRowCopy(client, importId);
  let outcome: R;
  try {
    outcome = await work(copy);
    await copy.finish();
  } catch (error) {
    copy.abort();
    throw error;
  }
  if (outcome.kind === 'refused') {
    await client.query('rollback to savepoint rows');
    await refuse(client, importId, outcome.code, outcome.message);
    return outcome;
  }
  const read = outcome as Extract<R, { kind: 'read' }>;
  const { account, quoteOnly, restored } = found;
  const rules = options.rules ?? holdAll;
  await groupStagedRows(client, { importId, account, quoteOnly, restored, rules, ...read });
  const counts = await client.query<StagedCounts>(countSql, [importId]);
  const preview = await previewOf(client, importId, options.preview ?? 0);
  await client.query(
    `update imports set state = 'read', format = $2, detection = $3, row_count = $4, read_at = now(), result_due = true
     where id = $1 and state = 'taken'`,
    [importId, read.detection.format, JSON.stringify(read.detection), read.rowCount],
  );
  return { kind: 'staged', counts: counts.rows[0]!, outcome: read, preview };
};

const inTransaction = async <T>(
  pool: pg.Pool,
  rollback: boolean,
  run: (client: pg.PoolClient) => Promise<T>,
): Promise<T> => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await run(client);
    await client.query(rollback ? 'rollback' : 'commit');
    client.release();
    return result;
  } catch (error) {
    // Perhaps in the middle of a COPY: the connection is closed, and Postgres forgets what it did.
    client.release(error instanceof Error ? error : true);
    throw error;
  }
};

/**
 * Stages an import in one transaction on one connection: rows and issues while `work` reads the file, POs once it was
 * read whole. A refused file keeps none of its rows. Whatever is thrown, and a crash, leaves nothing staged.
 * Idempotent: an import that was read before is left as it is (`already`). New POs are `ready`, `rejected` or `held`
 * (`conflicting_po`, `was_cancelled`, `restored_file`); those that came before with the same content stand in repeated_purchase_orders.
 *
 * @throws UserError `import_unknown`; what `work` throws; errors of Postgres (55P03 where another reads it for long)
 */
export const stageImport = <R extends ImportOutcome>(
  pool: pg.Pool,
  importId: string,
  work: StageWork<R>,
  options: StageOptions = {},
): Promise<StagedImport<R>> =>
  inTransaction(pool, options.rollback === true, (client) => stageIn(client, importId, work, options));

/**
 * The dry run of a file that the ledger does not know: stages it as `stageImport` would, answers what would become of
 * it, and keeps nothing.
 *
 * @param options.ledger `missing`: the database has none, and one is made for the time of the transaction
 */
export const rehearseImport = <R extends ImportOutcome>(
  pool: pg.Pool,
  file: { account: string; fileName: string },
  work: StageWork<R>,
  options: Pick<StageOptions, 'preview' | 'rules'> & { ledger?: 'current' | 'missing' } = {},
): Promise<StagedImport<R>> =>
  inTransaction(pool, true, async (client) => {
    if (options.ledger === 'missing') await makePassingLedger(client);
    const { rows } = await client.query<{ id: string }>(
      `insert into imports (account, file_name, sha256, size_bytes, file_path) values ($1, $2, '', 0, '') returning id`,
      [file.account, file.fileName],
    );
    return stageIn(client, rows[0]!.id, work, options);
  });

/**
 * The ids of an import's POs that are ready now, in the file's order, page by page: there can be a million. Holds one
 * connection until it is read to its end or left.
 */
export async function* readyPurchaseOrders(
  pool: pg.Pool,
  importId: string,
  pageSize = 1000,
): AsyncGenerator<string[], void, undefined> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('begin');
    await client.query(
      `declare ready cursor for select id from purchase_orders where import_id = $1 and state = 'ready' order by id`,
      [importId],
    );
    for (;;) {
      const { rows } = await client.query<{ id: string }>(`fetch ${Math.trunc(pageSize)} from ready`);
      if (rows.length === 0) break;
      yield rows.map((row) => row.id);
    }
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    if (!failure) await client.query('rollback');
    client.release(failure);
  }
}
