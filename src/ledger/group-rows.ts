import type pg from 'pg';

// Exists only within the transaction that copies the rows.
const createSql = `drop table if exists staged; create temp table staged (
    po_number text, po_key text, first_row integer, line_count integer, mixed boolean, options text, lines_hash text, file_lines text,
    content_hash text, file_hash text, po_written text, outcome text, code text, reason text, other_id bigint
  ) on commit drop`;

const contentHash = (options: string, lines: string) =>
  `encode(sha256(convert_to(${lines} || ' ' || ${options}, 'UTF8')), 'hex')`;

/** SQL: options merged over the account's defaults ($2), as text; parsed only if there are defaults. */
const overDefaults = (options: string) =>
  `case when $2::text = '{}' then ${options} else ($2::text::jsonb || ${options}::jsonb)::text end`;

// The order of lines is not part of a PO's content, so the hashes of its lines are added up; this also avoids sorting a
// million rows.
const linesHash = `sum(l.hash_0)::text || ' ' || sum(l.hash_1)::text`;

const asInFile = (column: string, letter: string) =>
  `case when strpos(l.filled, '${letter}') > 0 then '' else coalesce(${column}, '') end`;
const fileHash = (seed: 0 | 1) => `sum(case when l.filled is null then l.hash_${seed} else hashtextextended((
      ${asInFile('l.item_sku', 's')} || E'\\x1f' || ${asInFile('l.item_id', 'i')} || E'\\x1f' || ${asInFile('l.quantity::text', 'q')}
      || E'\\x1f' || ${asInFile('l.note', 'n')} || E'\\x1f' || ${asInFile('trim_scale(l.expected_price)::text', 'p')}
    ) collate "C", ${seed}) end)::text`;
/** The same without values that a constant of the account filled in. */
const fileLinesHash = `${fileHash(0)} || ' ' || ${fileHash(1)}`;

// Most rows repeat their PO's options or have none: then the smallest text equals the largest, and nothing needs merging.
// Texts are canonical, like the text of a jsonb. `offset 0` prevents its subquery from being evaluated twice.
/** @param filled whether a constant of the account filled a value of a line in */
const groupSql = (filled: boolean) => `
  with added as (insert into staged (po_number, po_key, first_row, line_count, mixed, options, lines_hash, file_lines, content_hash, file_hash)
  select po_number, key, first_row, line_count, lowest <> highest, whole, lines_hash, file_lines,
    ${contentHash('whole', 'lines_hash')}, ${contentHash("coalesce(lowest, '{}')", 'file_lines')}
  from (
    select l.po_number,
      coalesce(min(l.po_key collate "C"), lower(l.po_number collate "C")) as key,
      min(l.row_number) as first_row,
      count(*) as line_count,
      min(l.options collate "C") filter (where l.options <> '{}') as lowest,
      max(l.options collate "C") filter (where l.options <> '{}') as highest,
      ${linesHash} as lines_hash,
      ${filled ? fileLinesHash : linesHash} as file_lines
    from lines l
    where l.import_id = $1 and l.po_number is not null and ($3::text[] is null or l.po_number = any($3))
    group by l.po_number
  ) grouped
  cross join lateral (select ${overDefaults("coalesce(lowest, '{}')")} offset 0) with_defaults (whole) returning mixed)
  select count(*)::int as count, coalesce(bool_or(mixed), false) as mixed,
    exists (select from row_issues where import_id = $1 and po_number is not null) as "saysMore"
  from added`;

const givenOptions = `
  given as materialized (
    select l.po_number, l.po_key, l.row_number, option.key, option.value
    from staged s
    join lines l on l.import_id = $1 and l.po_number = s.po_number
    cross join lateral jsonb_each(l.options::jsonb) option
    where s.mixed),
  first as materialized (
    select distinct on (po_number, key) * from given order by po_number, key, row_number)`;

const mergeSql = `
  with ${givenOptions}
  update staged s
  set options = merged.options, content_hash = ${contentHash('merged.options', 's.lines_hash')},
    file_hash = ${contentHash('merged.given', 's.file_lines')}
  from (
    select po_number, ($2::jsonb || jsonb_object_agg(key, value))::text as options,
      jsonb_object_agg(key, value)::text as given
    from first group by po_number
  ) merged
  where merged.po_number = s.po_number`;

// $2: the dealer's header by field.
const conflictSql = `
  with ${givenOptions}
  insert into row_issues (import_id, row_number, po_number, po_key, severity, column_name, code, message, found, expected)
  select distinct on (given.po_number, given.key)
    $1, given.row_number, given.po_number, given.po_key, 'issue', coalesce($2::jsonb ->> given.key, given.key), 'option_conflict',
    format('PO %s has different values for %s: row %s has %s, row %s has %s. A PO can have only one; correct one of them, or map the column to ignore (intake.columns) if it belongs to the items.',
      given.po_number, given.key, first.row_number, first.value, given.row_number, given.value),
    given.value #>> '{}', first.value #>> '{}'
  from given join first using (po_number, key)
  where given.value <> first.value
  order by given.po_number, given.key, given.row_number`;

const rejectSql = `
  update staged s
  set outcome = 'rejected', code = 'row_issues',
    reason = format('Row %s, column %s: %s%s', i.row_number, i.column_name, i.message,
      case when i.others > 0 then format(' (and %s more)', i.others) else '' end)
  from (
    select distinct on (po_number) po_number, row_number, column_name, message,
      count(*) over (partition by po_number) - 1 as others
    from row_issues where import_id = $1 and severity = 'issue' and po_number is not null
    order by po_number, row_number
  ) i
  where i.po_number = s.po_number`;

/** How rows are grouped into POs; stored with the import, so that a PO can be regrouped. */
export interface Regrouping {
  /** A constant of the account filled in a value of a line. */
  filled: boolean;
  optionDefaults: object;
  columnNames: object;
}

/** Below this many POs, ANALYZE takes longer than it saves: Postgres plans for a small table anyway. */
const countToAnalyze = 500;

/** Groups the rows into `staged`, rejects POs with issues, and returns whether any PO has an issue, a note or a question. */
export const groupRows = async (
  client: pg.PoolClient,
  {
    importId,
    filled,
    only,
    columnNames,
    ...request
  }: Regrouping & { importId: string; only?: readonly string[] },
): Promise<{ saysMore: boolean }> => {
  await client.query(createSql);
  const defaults = JSON.stringify(request.optionDefaults);
  const { rows } = await client.query<{ count: number; mixed: boolean; saysMore: boolean }>(
    groupSql(filled),
    [importId, defaults, only ?? null],
  );
  const { count, mixed, saysMore } = rows[0]!;
  if (count > countToAnalyze) await client.query('analyze staged (po_number, po_key, mixed, outcome)');
  if (mixed) {
    await client.query(conflictSql, [importId, JSON.stringify(columnNames)]);
    await client.query(mergeSql, [importId, defaults]);
  }
  if (saysMore || mixed) await client.query(rejectSql, [importId]);
  return { saysMore: saysMore || mixed };
};

/**
 * Regroups a few POs of an import into a temporary table `staged` after some of their rows were removed. The caller's transaction must hold
 * the POs locked.
 */
export const regroupRows = (
  client: pg.PoolClient,
  importId: string,
  poNumbers: readonly string[],
  grouping: Regrouping,
): Promise<unknown> => groupRows(client, { ...grouping, importId, only: poNumbers });

/** Keeps others from adding POs of the account, and from answering questions about them, until the transaction ends. */
export const lockPurchaseOrders = async (client: pg.PoolClient, account: string): Promise<void> => {
  // Waits while another file of the account is grouped: that takes seconds, unless its process was stopped.
  await client.query(`set local lock_timeout = '5min'`);
  await client.query(`select pg_advisory_xact_lock(hashtextextended('purchase orders of ' || $1, 0))`, [
    account,
  ]);
  await client.query('set local lock_timeout = 0');
};
