import type pg from 'pg';
import { guardCodes } from '../placing/guards.ts';
import { cellSays, fileAndRow } from './conflict-reason.ts';
import { changePos, withParts } from './po/change.ts';
import { rowPoKey } from './po-key.ts';
import { isAboutNumber, posSpelledAs, spelling } from './po-spelling.ts';
import { askedAbout, isConflicting, isReadAgain, isUnsubmitted, listed } from './purchase-order-sql.ts';

const isSaid = (r: string) =>
  `${r}.po_number is not null and (${r}.question is not null or ${r}.code = 'left_out' or ${r}.severity = 'issue')`;

// Reasons in a file not to order a PO as it is: the number of rows with each question, of skipped rows, and of rows with an issue such as a
// quantity of 0.
const said = (importId: string, columnNames = `'{}'::jsonb`) => `
  select po_number, ${rowPoKey('r')} as key, ${askedAbout('r')} as question, bool_or(${isAboutNumber('r', columnNames)}) as is_of_number, count(*) as times, min(row_number) as first_row, (array_agg(case when question is null then message else ${cellSays('r')} end order by row_number))[1] as message
  from row_issues r
  where r.import_id = ${importId} and ${isSaid('r')}
  group by 1, 2, 3`;

/**
 * SQL: the first import of a file that was re-read any number of times; otherwise the import itself.
 * @param importId the parameter with this import
 */
export const firstReading = (importId: string): string => `(with recursive read (id) as (
    select ${importId}::bigint union select u.reread_of from read r join uploads u on u.import_id = r.id where u.reread_of is not null)
  select min(id) from read)`;

/** SQL: `i` arrived after this import but was read first, because this one waited for a person, is being re-read, or is large. */
export const isReadBefore = (importId: string, account: string): string =>
  `i.account = ${account} and i.id > ${firstReading(importId)} and i.id <> ${importId} and i.state = 'read' and not i.quote_only
    and not ${isReadAgain('i')}`;

const isFree = `(p.lease_owner is null and p.state <> 'held')`;
const isHeld = `(p.state = 'held')`;
// A person who releases all POs held for a price has not read each reason.
const isGuarded = `(p.state = 'held' and p.reason_code in (${listed(guardCodes)}))`;
// A nightly file repeats the PO each night, but the reason must mention it only once.
const opening = `'It came again '`;
const cameAgain = (po: string) =>
  `${opening} || case when r.key <> ${po}.po_key then 'as PO ' || r.po_number || ' ' else '' end || 'in ' || ${fileAndRow('r', 'i')} || ' with this: ' || r.message`;
const decide = `' Release this PO to order it as it is here, or cancel it.'`;

const { again, ...follows } = changePos('again', {
  by: 'comes again',
  from: 'r join imports i on i.id = r.import_id',
  set: {
    state: `case when ${isFree} then 'held' else p.state end`,
    reason_code: `case when ${isFree} or ${isGuarded} then 'on_hold' else p.reason_code end`,
    reason_text: `case when ${isFree} then ${cameAgain('p')} || ${decide}
      when ${isHeld} then concat_ws(' ', p.reason_text, ${cameAgain('p')}) else p.reason_text end`,
    holding: `case when ${isHeld} then p.holding else not ${isFree} end`,
    run: `p.run + ${isFree}::int`,
    dispatch: `case when ${isFree} then 'backlog' else p.dispatch end`,
  },
  where: `p.id = r.po_id and p.import_id <> $1 and not p.quote_only
    and ${isUnsubmitted('p')} and not ${isConflicting('p')} and not p.cancelling
    and not (${isHeld} and strpos(coalesce(p.reason_text, ''), ${opening}) > 0)`,
  returning: `p.first_row, p.reason_code, ${cameAgain('p')} || ${decide} as message`,
});
// The person who answers a PO's questions does not see the later file, so the PO is held for it afterwards. The counts of the POs' own
// files are computed once per file, because a file may have very many POs.
const againSql = `${withParts({
  now: said('$1', '$3::jsonb'),
  meant: `
    select n.*, p.id as po_id, p.import_id as its_import
    from now n join ${posSpelledAs('$2', 'select key, bool_or(is_of_number) as is_of_number from now group by key')} same on same.key = n.key
    join purchase_orders p on p.id = same.id
    where p.import_id <> $1 and not p.quote_only and ${isUnsubmitted('p')}`,
  before: `
    select r.import_id, ${rowPoKey('r')} as key, coalesce(${askedAbout('r')}, '') as question, count(*) as times from row_issues r
    where r.import_id in (select its_import from meant) and ${isSaid('r')} group by 1, 2, 3`,
  r: `
    select distinct on (m.key, m.po_id) m.po_id, m.key, m.po_number, m.first_row, m.message, $1::bigint as import_id
    from meant m left join before b on b.import_id = m.its_import and b.key = m.key and b.question = coalesce(m.question, '')
    where m.times > coalesce(b.times, 0)
      -- A row that was corrected before is not news about an ordered PO.
      and m.po_number not in (select s.po_number from staged s where s.code = 'corrected')
    order by m.key, m.po_id, m.first_row`,
  again: again!,
  ...follows,
})},
  known as (
    update row_issues k set message = k.message || ' ' || a.message from again a
    where a.reason_code = 'question' and k.import_id = a.import_id and k.po_number = a.po_number and k.code = 'also_held'
    returning k.import_id, k.po_number)
  insert into row_issues (import_id, row_number, po_number, severity, column_name, code, message, found)
  select a.import_id, a.first_row, a.po_number, 'note', 'po_number', 'also_held', a.message, 'on_hold' from again a
  where a.reason_code = 'question' and not exists (
    select from known k where k.import_id = a.import_id and k.po_number = a.po_number)`;

const laterSql = `
  with own as materialized (${said('$1')}),
  r as (
    select distinct on (n.key) n.key, n.po_number, n.first_row, n.message, i.id as import_id from imports i
    cross join lateral (${said('i.id')}) n
    left join own o on o.key = n.key and o.question is not distinct from n.question
    where ${isReadBefore('$1', '$2')} and n.times > coalesce(o.times, 0)
    order by n.key, i.id, n.first_row)
  update staged s set outcome = 'held', code = 'on_hold',
    reason = case s.outcome when 'held' then s.reason || ' ' || ${cameAgain('s')} else ${cameAgain('s')} || ${decide} end
  from r join imports i on i.id = r.import_id
  where ${spelling('s.po_key')} = ${spelling('r.key')} and (s.outcome is null or s.outcome = 'held')`;

/** Holds staged POs that a later file, read before this one, withdraws or questions, as if both had been read in the order of arrival. */
export const holdWithdrawnSince = (client: pg.PoolClient, importId: string, account: string) =>
  client.query(laterSql, [importId, account]);

/**
 * Holds unsubmitted POs that this import's file repeats with a new value, in rows that a person skips, or with an issue: the dealer may
 * have cancelled them. For POs already held, adds this to the reason. Runs in the caller's transaction, which must hold the lock of the
 * account's POs.
 */
export const holdComingAgain = (
  client: pg.PoolClient,
  importId: string,
  account: string,
  { columnNames }: { columnNames: object },
) => client.query(againSql, [importId, account, JSON.stringify(columnNames)]);
