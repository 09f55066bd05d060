import type pg from 'pg';
import { conflictReason, fileAndRow, sameCharacters, sameContent } from './conflict-reason.ts';
import { askNothingOfSubmitted, nameEarlierOrders, nameEarlierPos } from './earlier-orders.ts';
import { groupRows, lockPurchaseOrders, type Regrouping } from './group-rows.ts';
import { holdComingAgain, holdWithdrawnSince, isReadBefore } from './hold-again.ts';
import { addStaged } from './po/add-staged.ts';
import { keyDifference } from './po-key.ts';
import { askedAbout, isConflicting, isLive, isUnsubmitted, namedPo } from './purchase-order-sql.ts';
import {
  holdBesideWithheld,
  holdLookalikes,
  holdMadeAgain,
  holdSameAsMade,
  holdSimilar,
  holdSpelledBefore,
  noteWritten,
} from './similar-po-numbers.ts';

// Rule 9 within a file: all POs whose numbers have one key are held, because it is unclear which one is right.
const sameKeySql = `
  update staged s
  set outcome = 'conflicting', code = 'conflicting_po',
    reason = format('PO numbers that differ ${keyDifference}: %s. Write the PO the same way in all its rows, or rename one of them.', k.names)
  from (
    select po_key, string_agg(format('%s (row %s)', po_number, first_row), ', ' order by first_row) as names
    from staged where po_key in (select po_key from staged group by po_key having count(*) > 1)
    group by po_key
  ) k
  where k.po_key = s.po_key and s.outcome is null`;

const where = fileAndRow('p', 'i');
const latestEnded = `(select max(l.id) from purchase_orders l
            where l.account = $1 and l.po_key = t.po_key and l.po_number = t.po_number
              and l.state in ('failed', 'cancelled') and not l.quote_only)`;

// Rule 9 across files. Orders are compared with orders and quotes with quotes ($2), and an ended quote blocks nothing. Of several cancelled
// POs with this content, the latest is named, even if its number only looks the same; a PO that a person cancelled from identical bytes
// counts whatever its content. A PO withdrawn only for a re-read does not count, unless it was waiting for a person's decision.
const againstLedgerSql = `
  update staged s
  set outcome = found.outcome, code = found.code, other_id = found.id, reason = found.reason
  from (
    select distinct on (t.po_number) t.po_number, p.id,
      case when ranked.rank in (1, 2, 4) then 'repeated' when ranked.rank in (5, 6) then 'held'
        else 'conflicting' end as outcome,
      case ranked.rank when 3 then 'conflicting_po' when 5 then 'was_cancelled' when 6 then 'on_hold' end as code,
      case ranked.rank
        when 3 then ${conflictReason('p', 'i', 't')}
        when 4 then 'Already imported with the same content in ' || ${where} || ' and ' || p.state || '. Correct it and send it again, or retry that PO.'
        when 5 then ${namedPo('p')} || ' was already imported in ' || ${where} || ' and cancelled. Release it to order it now, or cancel it again.'
        when 6 then 'A person was to decide about ' || ${namedPo('p')} || ' of ' || ${where} || ' before that file was read again. Release it to order it as it is now, or cancel it.'
        else 'Already imported with the same content in ' || ${where} || '. Nothing is ordered again.' end as reason
    from staged t
    join purchase_orders p on p.account = $1 and p.po_key = t.po_key and p.quote_only = $2
    join imports i on i.id = p.import_id
    cross join lateral (select case
      when p.state in ('failed', 'cancelled') then
        case
          when $2 then null
          when p.po_number <> t.po_number then
            case when p.state = 'cancelled' and p.reason_code is distinct from 'read_again' and ${sameContent('p', 't')} then 5 end
          when p.reason_code = 'read_again' then case when p.holding and p.id = ${latestEnded} then 6 end
          when p.state = 'cancelled' and i.sha256 = (select sha256 from imports where id = $3) then 5
          when not ${sameContent('p', 't')} then null
          when p.state = 'cancelled' then 5
          when p.id = ${latestEnded} then 4 end
      when p.state = 'rejected' then null
      when ${isConflicting('p')} then
        case when p.po_number = t.po_number and ${sameContent('p', 't')} and ${sameCharacters('p', 't')} then 2 end
      when p.po_number = t.po_number and ${sameContent('p', 't')} and ${sameCharacters('p', 't')} then 1
      else 3 end as rank) ranked
    where t.outcome is null and ranked.rank is not null
    order by t.po_number, ranked.rank, case when ranked.rank = 5 then -p.id else p.id end
  ) found
  where found.po_number = s.po_number`;

// The lost part of the ledger may have ordered, cancelled or rejected these POs.
const restoredSql = `
  update staged
  set outcome = 'held', code = 'restored_file',
    reason = 'This file was found in done/ after the ledger was restored from an older backup, so this PO may already have been ordered or cancelled. Release it to continue (the service is checked first), or cancel it.'
  where outcome is null`;

/** SQL: the questions of a PO's rows, and the items that they are about. */
const questionsOf = (importId: string, poNumber: string) => `(
    select array_agg(a.about || ' ' || coalesce(l.item_sku, l.item_id, '') order by a.about, l.item_sku, l.item_id)
    from row_issues r cross join lateral (select ${askedAbout('r')}) a(about) left join lines l using (import_id, row_number)
    where r.import_id = ${importId} and r.po_number = ${poNumber} and r.question is not null)`;

/** SQL: the issues of a PO's rows. */
const issuesOf = (importId: string, poNumber: string) => `(
    select array_agg(concat_ws(' ', r.code, r.column_name, r.found) order by r.code, r.column_name, r.found)
    from row_issues r where r.import_id = ${importId} and r.po_number = ${poNumber} and r.severity = 'issue')`;

// An unsubmitted PO that comes again with a value that no file had before may no longer be wanted. And the answer that a waiting PO gets
// may change it, so only a file with the same questions counts as its repetition.
const comesAgainSql = `
  update staged s set outcome = 'conflicting', code = 'conflicting_po', reason = ${conflictReason('p', 'i', 's')}
  from purchase_orders p join imports i on i.id = p.import_id
  where s.outcome = 'repeated' and p.id = s.other_id and ${isUnsubmitted('p')}
    and case when p.reason_code is not distinct from 'question'
      then ${questionsOf('$1', 's.po_number')} is distinct from ${questionsOf('p.import_id', 'p.po_number')}
      else exists (select from row_issues r where r.import_id = $1 and r.po_number = s.po_number and r.question is not null) end`;

// A nightly file has the row that was corrected elsewhere each night again; that asks nobody again once what was corrected is submitted. Before
// that, the same row may as well be a new one that takes it back.
const correctedBeforeSql = `
  update staged s set code = 'corrected', reason = s.reason || ' The same was corrected before: nothing more is needed.'
  from purchase_orders p
  where s.outcome = 'rejected' and p.account = $2 and p.po_key = s.po_key and p.po_number = s.po_number and p.quote_only = $3
    and p.state = 'rejected' and p.reason_code = 'corrected' and p.file_hash = s.file_hash
    and ${issuesOf('$1', 's.po_number')} = ${issuesOf('p.import_id', 'p.po_number')}
    and p.id = (select max(l.id) from purchase_orders l where l.account = $2 and l.po_key = s.po_key and l.po_number = s.po_number
      and l.quote_only = $3 and l.state = 'rejected')
    and exists (select from purchase_orders l where l.account = $2 and l.po_key = s.po_key and l.po_number = s.po_number
      and l.quote_only = $3 and ${isLive('l')} and not ${isUnsubmitted('l')})`;

// A question takes precedence over another hold reason: a person who releases the PO for that reason has not seen the value.
const alsoHeldSql = `
  insert into row_issues (import_id, row_number, po_number, severity, column_name, code, message, found)
  select $1, s.first_row, s.po_number, 'note', coalesce($2::jsonb ->> 'po_number', 'po_number'), 'also_held', s.reason, s.code from staged s
  where s.outcome = 'held' and exists (
    select from row_issues r where r.import_id = $1 and r.po_number = s.po_number and r.question is not null)`;

/** POs with a row whose value raises a question. The text adds other hold reasons, for a person who releases without answering. */
const questionSql = `
  update staged s
  set outcome = 'held', code = 'question',
    reason = concat_ws(' ', format('Row %s: %s', q.row_number, q.message), case when s.outcome = 'held' then s.reason end)
  from (
    select distinct on (po_number) po_number, row_number, message from row_issues
    where import_id = $1 and question is not null order by po_number, row_number
  ) q
  where q.po_number = s.po_number and (s.outcome is null or s.outcome = 'held')`;

// Includes quotes and POs that have ended.
const comparedSql = `
  select exists (select from staged t join purchase_orders p on p.account = $1 and p.po_key = t.po_key) as known,
    exists (select from imports i where ${isReadBefore('$2', '$1')}) as late,
    exists (select from uploads u join corrected_purchase_orders k on k.upload_id = u.id where u.import_id = $2) as "isCorrection"`;

interface GroupingRequest extends Regrouping {
  importId: string;
  account: string;
  quoteOnly: boolean;
  /** The file is imported again from done/, because the ledger was restored from an older backup. */
  restored: boolean;
  /** The file has no PO number, so one was generated. */
  numberIsMade: boolean;
  /** PO numbers are generated for other files of the account. */
  othersAreMade: boolean;
  /** Rows have PO numbers with look-alike characters. */
  oddNumbers: boolean;
}

/**
 * Groups the copied rows of an import into purchase orders: one for each PO number, with merged options, rejected if a
 * row has an issue, held or recorded as repeated by rule 9, held if it may be another PO of the file in another spelling. Runs in the caller's transaction and locks the account until
 * it ends, so that two files cannot both add the same PO.
 */
export const groupStagedRows = async (client: pg.PoolClient, request: GroupingRequest): Promise<void> => {
  const { importId, account, quoteOnly, restored } = request;
  await client.query(`set local work_mem = '128MB'`);
  const { saysMore } = await groupRows(client, request);
  await client.query(sameKeySql);
  if (request.oddNumbers) await noteWritten(client, importId);
  await lockPurchaseOrders(client, account);
  // Most files contain only new POs without issues; then the comparisons with the ledger are skipped.
  const { rows } = await client.query<Record<'known' | 'late' | 'isCorrection', boolean>>(comparedSql, [
    account,
    importId,
  ]);
  const { known, late, isCorrection } = rows[0]!;
  if (known) {
    // Without statistics Postgres would compare each rejected PO of the account with the whole file.
    await client.query('create index on staged (po_key)');
    await client.query(againstLedgerSql, [account, quoteOnly, importId]);
    await client.query(comesAgainSql, [importId]);
    await askNothingOfSubmitted(client, importId);
    await client.query(correctedBeforeSql, [importId, account, quoteOnly]);
  }
  if (saysMore) await nameEarlierPos(client, request);
  if (saysMore && !quoteOnly) {
    await holdComingAgain(client, importId, account, request);
    await nameEarlierOrders(client, importId, account);
  }
  if (late && !quoteOnly) await holdWithdrawnSince(client, importId, account);
  // After the comparison with earlier files, so that a PO that came before counts as a repetition and is not held as a second one.
  if (request.oddNumbers) await holdLookalikes(client, importId);
  await holdSimilar(client, importId);
  await holdSpelledBefore(client, importId, account, quoteOnly);
  await holdBesideWithheld(client, importId, account, request);
  if (request.numberIsMade && !quoteOnly) await holdMadeAgain(client, importId, account);
  if (request.othersAreMade && !request.numberIsMade && !quoteOnly)
    await holdSameAsMade(client, importId, account);
  if (restored) await client.query(restoredSql);
  if (saysMore) {
    await client.query(alsoHeldSql, [importId, JSON.stringify(request.columnNames)]);
    await client.query(questionSql, [importId]);
  }
  await addStaged(client, { importId, account, quoteOnly, known, isCorrection });
};
