import type pg from 'pg';
import { madeForFile } from '../intake/made-po-number.ts';
import { fileAndRow, sameContent, shownState } from './conflict-reason.ts';
import { rowPoKey } from './po-key.ts';
import {
  groupsOtherwise,
  hasBeside,
  hasGroups,
  hasSpelling,
  isAboutNumber,
  plainNumber,
  spelling,
  spellingsBeside,
  ungrouped,
  wordsWithin,
} from './po-spelling.ts';
import { isLive, isUnsubmitted, namedPo } from './purchase-order-sql.ts';
import { execute } from './query.ts';

/** SQL: the quantity of each item in a PO, ignoring everything else; null if its lines were removed. */
const orderedBy = (importId: string, poNumber: string) => `(
    select string_agg(item || ' ' || quantity, E'\\n' order by item) from (
      select coalesce(lower(l.item_sku), l.item_id) as item, sum(l.quantity) as quantity from lines l
      where l.import_id = ${importId} and l.po_number = ${poNumber} group by 1) items)`;

const ifAnother = `Release this one if it is another order; otherwise cancel it.`;

/** SQL: the forms in which a staged PO's number may be written elsewhere. */
const otherForms = `${spelling('po_key')} as spelling, case when ${hasBeside('po_key')} then ${plainNumber('po_key')} end as plain,
      case when ${hasGroups('po_key')} then ${ungrouped('po_key')} end as ungrouped`;

// For example, Excel drops leading zeros and the file is sent again. One join per condition lets Postgres read the account once for a large
// file.
const sentAgainSql = `
  with s as materialized (
    select po_number, po_key, ${otherForms} from staged where outcome is null or outcome = 'held'),
  whole as materialized (
    select po_number, po_key, spelling as number from s union
    select po_number, po_key, ungrouped from s where ungrouped is not null),
  numbers as materialized (
    select * from whole union
    select po_number, po_key, plain from s where plain <> spelling),
  pairs as (
    select s.po_number, p.id from numbers s join purchase_orders p on p.po_key = s.number
    where p.account = $1 and s.number <> s.po_key
    union all
    select s.po_number, p.id from numbers s join purchase_orders p on ${spelling('p.po_key')} = s.number and ${hasSpelling('p.po_key')}
    where p.account = $1 and p.po_key <> s.po_key
    union all
    select s.po_number, p.id from s join purchase_orders p on ${plainNumber('p.po_key')} = s.spelling and ${hasBeside('p.po_key')}
    where p.account = $1 and p.po_key <> s.po_key
    union all
    select s.po_number, p.id from s cross join lateral ${wordsWithin('s.po_key')} w(number) join purchase_orders p on p.po_key = w.number
    where p.account = $1
    union all
    select s.po_number, p.id from whole s join purchase_orders p on ${ungrouped('p.po_key')} = s.number and ${hasGroups('p.po_key')}
    where p.account = $1 and ${groupsOtherwise('p.po_key', 's.po_key')})
  update staged t set outcome = 'held', code = coalesce(t.code, 'similar_po'), reason = concat_ws(' ', t.reason, found.reason)
  from (
    select distinct on (pairs.po_number) pairs.po_number,
      ${namedPo('p')} || ' of ' || ${fileAndRow('p', 'i')} || ' orders the same, and its number may be this one in another spelling or without what is beside it. ${ifAnother}' as reason
    from pairs join purchase_orders p on p.id = pairs.id join imports i on i.id = p.import_id join staged s on s.po_number = pairs.po_number
    where p.quote_only = $2 and ${isLive('p')}
      and (${sameContent('p', 's')} or ${orderedBy('p.import_id', 'p.po_number')} = ${orderedBy('$3', 's.po_number')}) order by pairs.po_number, p.id) found
  where found.po_number = t.po_number`;

/** Holds staged POs that order the same as one of an earlier file, under a number that may be the same one in another spelling. */
export const holdSpelledBefore = (
  client: pg.PoolClient,
  importId: string,
  account: string,
  quoteOnly: boolean,
): Promise<void> => execute(client, sentAgainSql, [account, quoteOnly, importId]);

/** SQL: a row of the import is not ordered because of its PO number: it raises a question about it, is skipped, or has an issue. */
const isWithheld = (importId: string, columnNames: string) =>
  `r.import_id = ${importId} and (r.question is not null or r.code = 'left_out' or r.severity = 'issue') and ${isAboutNumber('r', columnNames)}`;

// A person must say what `4712 CANCELLED` or `4712 rush` means; until then, 4712 may be the same PO, whatever its lines are. Deciding not
// to order the former is no decision about 4712, which may come later.
const besideWithheldSql = `
  with withheld as materialized (
    select p.po_key, p.state, ${namedPo('p')} || ' of ' || ${fileAndRow('p', 'i')} as named
    from purchase_orders p join imports i on i.id = p.import_id
    where p.account = $1 and p.quote_only = $2 and p.import_id <> $3 and p.po_key ~ '[^0-9]'
      and ((p.state = 'held' and p.reason_code = 'question')
        or (p.state in ('rejected', 'cancelled') and p.reason_code is distinct from 'corrected' and p.reason_code is distinct from 'read_again'))
      and exists (select from row_issues r where r.po_number = p.po_number and ${isWithheld('p.import_id', `(i.grouping -> 'columnNames')`)}
        -- A merely odd number that was cancelled is sent again as it was meant: 4711 and 4712 instead of "4711, 4712".
        and (p.state <> 'cancelled' or r.question is null or r.question ~ E'\\n(stop|withdrawal)$'))
    union all
    select ${rowPoKey('r')}, case when bool_or(r.code = 'left_out') then 'cancelled' else coalesce(max(t.outcome), 'held') end,
      'PO ' || r.po_number || ' of this file (row ' || min(r.row_number) || ')'
    from row_issues r left join staged t using (po_number) where ${isWithheld('$3', '$4::jsonb')} group by 1, r.po_number),
  forms as (
    select s.po_number, s.po_key, s.outcome, f.form from staged s
    cross join lateral unnest(array[${spelling('s.po_key')}, case when ${hasGroups('s.po_key')} then ${ungrouped('s.po_key')} end]) f(form)),
  found as (
    select distinct on (s.po_number) s.po_number,
      w.named || case w.state when 'rejected' then ' was rejected' when 'cancelled' then ' was not to be ordered' else ' waited for an answer' end || ' when this file was read, and its number may be this one with something beside it. ${ifAnother}' as reason
    from withheld w cross join lateral ${spellingsBeside('w.po_key')} n join forms s on s.form = n.spelling
    where n.spelling <> ${spelling('w.po_key')} and (s.form = ${spelling('s.po_key')} or ${groupsOtherwise('s.po_key', 'n.number')})
      and (s.outcome is null or s.outcome = 'held')
    order by s.po_number, w.named)
  update staged s set outcome = 'held', code = coalesce(s.code, 'similar_po'), reason = concat_ws(' ', s.reason, found.reason)
  from found where found.po_number = s.po_number`;

/** Holds staged POs whose number, with an addition, is that of a PO that is not ordered or that still waits for an answer. */
export const holdBesideWithheld = (
  client: pg.PoolClient,
  importId: string,
  account: string,
  { quoteOnly, columnNames }: { quoteOnly: boolean; columnNames: object },
): Promise<void> =>
  execute(client, besideWithheldSql, [account, quoteOnly, importId, JSON.stringify(columnNames)]);

const isMade = (i: string) =>
  `${i}.detection -> 'decisions' @> '${JSON.stringify([{ what: 'po_number', why: madeForFile }])}'`;

// Different bytes get a different made number, even if a program only re-saved the file or added lines.
const linesAgainSql = `
  update staged s set outcome = 'held', code = coalesce(s.code, 'similar_po'), reason = concat_ws(' ', s.reason, found.reason)
  from (
    select ${namedPo('p')} || ' of ' || ${fileAndRow('p', 'i')} || ' is ' || ${shownState('p')} || ' with the same lines, and this file has all of them again. ${ifAnother}' as reason
    from staged s0, purchase_orders p join imports i on i.id = p.import_id
    where p.account = $2 and p.import_id <> $1 and not p.quote_only and ${isLive('p')} and p.created_at > now() - interval '31 days' and i.rows_pruned_at is null
      and (${isMade('i')} or p.content_hash in (select content_hash from staged))
      and (${orderedBy('p.import_id', 'p.po_number')} = ${orderedBy('$1', 's0.po_number')} or not exists (
        select from lines l where l.import_id = p.import_id and l.po_number = p.po_number and not exists (
          select from lines n where n.import_id = $1 and n.item_sku is not distinct from l.item_sku
            and n.item_id is not distinct from l.item_id and n.quantity is not distinct from l.quantity)))
    order by ${isUnsubmitted('p')}, p.state = 'held', p.id limit 1) found
  where s.outcome is null or s.outcome = 'held'`;

const sameAsMadeSql = `
  update staged s set outcome = 'held', code = coalesce(s.code, 'similar_po'), reason = concat_ws(' ', s.reason, found.reason)
  from (
    select distinct on (t.po_number) t.po_number, ${namedPo('p')} || ' of ' || ${fileAndRow('p', 'i')} || ' is ' || ${shownState('p')} || ' with the same lines. ${ifAnother}' as reason
    from staged t join purchase_orders p on ${sameContent('p', 't')} join imports i on i.id = p.import_id
    where (t.outcome is null or t.outcome = 'held') and p.account = $2 and p.import_id <> $1 and not p.quote_only and ${isLive('p')}
      and p.created_at > now() - interval '31 days' and ${isMade('i')}
    order by t.po_number, ${isUnsubmitted('p')}, p.state = 'held', p.id) found
  where found.po_number = s.po_number`;

/** Holds POs with a number of their own whose lines equal those of an earlier file with a made number. */
export const holdSameAsMade = (client: pg.PoolClient, importId: string, account: string): Promise<void> =>
  execute(client, sameAsMadeSql, [importId, account]);

/** Holds the PO with a made number if its file has all lines of an earlier such file again. */
export const holdMadeAgain = (client: pg.PoolClient, importId: string, account: string): Promise<void> =>
  execute(client, linesAgainSql, [importId, account]);

const similarSql = `
  with spelled as materialized (
    select po_number, po_key, first_row, ${otherForms} from staged),
  twice as materialized (
    select spelling from spelled group by spelling having min(po_key collate "C") <> max(po_key collate "C")),
  several as (
    select spelling, (array_agg(format('%s (row %s)', left(po_number, 60), first_row) order by first_row))[1:5] as names
    from spelled join twice using (spelling) where spelling ~ '[^-]' group by spelling),
  pairs as (
    select b.po_number, o.po_number as other, o.first_row from spelled b join spelled o on o.spelling = b.plain where b.plain <> b.spelling
    union all
    select b.po_number, o.po_number, o.first_row from spelled b join spelled o on o.spelling = b.ungrouped where o.po_number <> b.po_number
    union all
    select b.po_number, o.po_number, o.first_row from spelled b cross join lateral ${wordsWithin('b.po_key')} w(number) join spelled o on o.po_key = w.number
    union all
    select b.po_number, o.po_number, o.first_row from spelled b join spelled o on o.ungrouped = b.ungrouped and ${groupsOtherwise('o.po_key', 'b.po_key')}),
  found as (
    select po_number, format('This file has PO numbers that may be one PO in several spellings: %s. Release them if they are different POs; otherwise cancel them, write the number the same way in all its rows, and send the file again.',
      array_to_string(several.names, ', ')) as reason
    from spelled join several using (spelling)
    union all
    (select distinct on (po_number) po_number,
      format('PO %s of this file (row %s) orders the same, and its number may be this one without what is beside it or between its digits. ${ifAnother}', other, first_row)
    from pairs where ${orderedBy('$1', 'pairs.po_number')} = ${orderedBy('$1', 'pairs.other')}
    order by po_number, first_row))
  update staged s set outcome = 'held', code = 'similar_po', reason = found.reason
  from found where s.po_number = found.po_number and s.outcome is null`;

// The spellings of each PO number that a row writes with look-alike characters.
const written = `
  with written as (
    select po_number, count(distinct coalesce(po_written, po_number)) as ways, max(po_written) as written,
      min(row_number) filter (where po_written is not null) as odd_row,
      min(row_number) filter (where coalesce(po_written, po_number) <> odd) as other_row
    from (
      select l.po_number, l.po_written, l.row_number,
        first_value(l.po_written) over (partition by l.po_number order by l.po_written is null, l.row_number) as odd
      from lines l where l.import_id = $1 and l.po_number in (
        select o.po_number from lines o where o.import_id = $1 and o.po_written is not null)) those
    group by po_number)`;

/** Records the spelling of staged PO numbers whose rows all use the same look-alike characters. */
export const noteWritten = (client: pg.PoolClient, importId: string): Promise<void> =>
  execute(
    client,
    `${written} update staged s set po_written = w.written from written w where w.po_number = s.po_number and w.ways = 1`,
    [importId],
  );

/**
 * Holds staged POs whose rows are joined only by our cleaning of numbers: full-width characters, unusual spaces, invisible characters.
 * Skips POs that an earlier file already has.
 */
export const holdLookalikes = (client: pg.PoolClient, importId: string): Promise<void> =>
  execute(
    client,
    `${written} update staged s set outcome = 'held', code = 'similar_po',
       reason = format('The rows of PO %s write its number with different characters, which look the same or cannot be seen: row %s with others than row %s. Release it if it is one PO; otherwise cancel it, type the numbers again, and send the file again.',
         s.po_number, w.odd_row, w.other_row)
     from written w where w.po_number = s.po_number and w.ways > 1 and s.outcome is null`,
    [importId],
  );

/** Holds the staged POs of a file whose numbers may be spellings of one number. Skips POs that an earlier file already has. */
export const holdSimilar = (client: pg.PoolClient, importId: string): Promise<void> =>
  execute(client, similarSql, [importId]);
