import type pg from 'pg';
import { conflictReason, fileAndRow, sameContent } from './conflict-reason.ts';
import { addStaged } from './po/add-staged.ts';
import { isConflicting } from './purchase-order-sql.ts';
import { holdLookalikes, holdSimilar, noteWritten } from './similar-po-numbers.ts';

// Exists only within the transaction that copies the rows.
const createSql = `create temp table staged (
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
/** The same without what a constant of the account filled in. */
const fileLinesHash = `${fileHash(0)} || ' ' || ${fileHash(1)}`;

// Most rows repeat their PO's options or have none: then the smallest text equals the largest, and nothing needs merging.
// Texts are canonical, like the text of a jsonb. `offset 0` prevents its subquery from being evaluated twice.
/** @param filled whether a constant of the account filled a value of a line in */
const groupSql = (filled: boolean) => `
  insert into staged (po_number, po_key, first_row, line_count, mixed, options, lines_hash, file_lines, content_hash, file_hash)
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
    where l.import_id = $1 and l.po_number is not null
    group by l.po_number
  ) grouped
  cross join lateral (select ${overDefaults("coalesce(lowest, '{}')")} offset 0) with_defaults (whole)`;

const givenOptions = `
  given as materialized (
    select l.po_number, l.row_number, option.key, option.value
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
  insert into row_issues (import_id, row_number, po_number, severity, column_name, code, message, found, expected)
  select distinct on (given.po_number, given.key)
    $1, given.row_number, given.po_number, 'issue', coalesce($2::jsonb ->> given.key, given.key), 'option_conflict',
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

// Rule 9 within a file: all POs whose numbers differ only in case are held, because it is unclear which one is right.
const sameKeySql = `
  update staged s
  set outcome = 'conflicting', code = 'conflicting_po',
    reason = format('PO numbers that differ only in case: %s. Write the PO the same way in all its rows, or rename one of them.', k.names)
  from (
    select po_key, string_agg(format('%s (row %s)', po_number, first_row), ', ' order by first_row) as names
    from staged where po_key in (select po_key from staged group by po_key having count(*) > 1)
    group by po_key
  ) k
  where k.po_key = s.po_key and s.outcome is null`;

const where = fileAndRow('p', 'i');

// An earlier version did not note how a number was written.
const sameCharacters =
  '(p.file_hash is null or coalesce(p.po_written, p.po_number) = coalesce(t.po_written, t.po_number))';

// Rule 9 across files. Orders are compared with orders and quotes with quotes ($2), and an ended quote blocks nothing. Of
// several cancelled POs with this content, the latest is named; one that was only withdrawn because its file is read again
// does not count. A join with `distinct on` lets Postgres choose between
// looking up each PO and reading the ledger once.
const againstLedgerSql = `
  update staged s
  set outcome = found.outcome, code = found.code, other_id = found.id, reason = found.reason
  from (
    select distinct on (t.po_number) t.po_number, p.id,
      case when ranked.rank in (1, 2, 4) then 'repeated' when ranked.rank = 5 then 'held'
        else 'conflicting' end as outcome,
      case ranked.rank when 3 then 'conflicting_po' when 5 then 'was_cancelled' end as code,
      case ranked.rank
        when 3 then ${conflictReason('p', 'i', 't')}
        when 4 then 'Already imported with the same content in ' || ${where} || ' and ' || p.state || '. Correct it and send it again, or retry that PO.'
        when 5 then 'PO ' || p.po_number || ' was already imported with the same content in ' || ${where} || ' and cancelled. Release it to order it now, or cancel it again.'
        else 'Already imported with the same content in ' || ${where} || '. Nothing is ordered again.' end as reason
    from staged t
    join purchase_orders p on p.account = $1 and p.po_key = t.po_key and p.quote_only = $2
    join imports i on i.id = p.import_id
    cross join lateral (select case
      when p.state in ('failed', 'cancelled') then
        case
          when $2 or p.po_number <> t.po_number or not ${sameContent('p', 't')} then null
          when p.reason_code = 'read_again' then null
          when p.state = 'cancelled' then 5
          when p.id = (select max(l.id) from purchase_orders l
            where l.account = $1 and l.po_key = t.po_key and l.po_number = t.po_number
              and l.state in ('failed', 'cancelled') and not l.quote_only) then 4 end
      when p.state = 'rejected' then null
      when ${isConflicting('p')} then
        case when p.po_number = t.po_number and ${sameContent('p', 't')} and ${sameCharacters} then 2 end
      when p.po_number = t.po_number and ${sameContent('p', 't')} and ${sameCharacters} then 1
      else 3 end as rank) ranked
    where t.outcome is null and ranked.rank is not null and (ranked.rank <> 5 or $3)
    order by t.po_number, ranked.rank, case when ranked.rank = 5 then -p.id else p.id end
  ) found
  where found.po_number = s.po_number`;

// The lost part of the ledger may have ordered, cancelled or rejected these POs.
const restoredSql = `
  update staged
  set outcome = 'held', code = 'restored_file',
    reason = 'This file was found in done/ after the ledger was restored from an older backup, so this PO may already have been ordered or cancelled. Release it to continue (the service is checked first), or cancel it.'
  where outcome is null`;

/** Whether POs that may have been decided about before are held or ordered. */
export interface GroupingRules {
  /** A PO that was cancelled and is imported again with the same content. */
  cancelledAgain: 'hold' | 'order';
  /** POs of a file that is imported again from done/. */
  restoredFiles: 'hold' | 'order';
}

interface GroupingRequest {
  importId: string;
  account: string;
  quoteOnly: boolean;
  /** The file is imported again from done/, because the ledger was restored from an older backup. */
  restored: boolean;
  /** A constant of the account filled a value of a line in. */
  filled: boolean;
  /** Rows have PO numbers with characters that look like others. */
  oddNumbers: boolean;
  optionDefaults: object;
  columnNames: object;
  rules: GroupingRules;
}

/**
 * Groups the copied rows of an import into purchase orders: one for each PO number, with merged options, rejected if a
 * row has an issue, held or recorded as repeated by rule 9, held if it may be another PO of the file in another spelling. Runs in the caller's transaction and locks the account until
 * it ends, so that two files cannot both add the same PO.
 */
export const groupStagedRows = async (client: pg.PoolClient, request: GroupingRequest): Promise<void> => {
  const { importId, account, quoteOnly, restored, rules } = request;
  await client.query(`set local work_mem = '128MB'`);
  await client.query(createSql);
  const defaults = JSON.stringify(request.optionDefaults);
  await client.query(groupSql(request.filled), [importId, defaults]);
  await client.query('analyze staged (po_number, po_key, mixed, outcome)');
  const { rows } = await client.query<{ mixed: boolean }>(
    'select exists (select from staged where mixed) as mixed',
  );
  if (rows[0]?.mixed) {
    await client.query(conflictSql, [importId, JSON.stringify(request.columnNames)]);
    await client.query(mergeSql, [importId, defaults]);
  }
  await client.query(rejectSql, [importId]);
  await client.query(sameKeySql);
  if (request.oddNumbers) await noteWritten(client, importId);
  // Waits while another file of the account is grouped: that takes seconds, unless its process was stopped.
  await client.query(`set local lock_timeout = '5min'`);
  await client.query(`select pg_advisory_xact_lock(hashtextextended('purchase orders of ' || $1, 0))`, [
    account,
  ]);
  await client.query('set local lock_timeout = 0');
  await client.query(againstLedgerSql, [account, quoteOnly, rules.cancelledAgain === 'hold']);
  // After the comparison with earlier files: what came before is a repetition, and not a second PO that is held.
  if (request.oddNumbers) await holdLookalikes(client, importId);
  await holdSimilar(client);
  if (restored && rules.restoredFiles === 'hold') await client.query(restoredSql);
  await addStaged(client, { importId, account, quoteOnly });
};
