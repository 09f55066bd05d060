import type pg from 'pg';
import { poNumbers } from '../intake/layouts/shapes.ts';
import { cellSays, fileAndRow, shownState } from './conflict-reason.ts';
import { rowPoKey } from './po-key.ts';
import { isAboutNumber, plainNumber, posSpelledAs } from './po-spelling.ts';
import { isLive, isUnsubmitted, namedPo } from './purchase-order-sql.ts';

const where = fileAndRow('p', 'i');

// Nobody is asked about a PO that is submitted: what is said of it now changes nothing.
const submittedStaysSql = `
  update row_issues r set question = null, message = ${cellSays('r')} || ' ' || ${namedPo('p')} || ' of ' || ${where} || ' is ' || ${shownState('p')} || ' already and stays as it is. If it is not wanted any more, ask the operator of the service.'
  from staged s join purchase_orders p on p.id = s.other_id join imports i on i.id = p.import_id
  where r.import_id = $1 and r.po_number = s.po_number and r.question is not null and s.outcome = 'repeated'
    and not ${isUnsubmitted('p')}`;

/** Takes back the questions about POs that are submitted already, and says so. */
export const askNothingOfSubmitted = (client: pg.PoolClient, importId: string) =>
  client.query(submittedStaysSql, [importId]);

// Who sees that a PO was rejected has to know that an earlier file's order is not affected by it, nor by a corrected file.
const earlierStaysSql = `
  with meant as (
    select s.po_number, p.id from staged s join purchase_orders p on p.account = $3 and p.po_key = s.po_key where s.outcome = 'rejected'
    union
    select s.po_number, same.id from staged s join ${posSpelledAs(
      '$3',
      `select distinct t.po_key as key, true as is_of_number from staged t
       where t.outcome = 'rejected' and t.po_number in (select r.po_number from row_issues r
         where r.import_id = $1 and r.severity = 'issue' and ${isAboutNumber('r', '$2::jsonb')})`,
    )} same on same.key = s.po_key
    where s.outcome = 'rejected'),
  stays as (
    select distinct on (s.po_number) s.po_number, s.first_row, ${namedPo('p')} || ' of ' || ${where} || case when ${isUnsubmitted('p')}
      then ' is not submitted yet: it waits until a person releases it as it is there, or cancels it.'
      else ' stays as it is: what this file says changes nothing of it. Send what is new under a PO number of its own.' end as message
    from meant join staged s using (po_number)
    join purchase_orders p on p.id = meant.id and p.quote_only = $4 and ${isLive('p')}
    join imports i on i.id = p.import_id
    order by s.po_number, p.po_key <> s.po_key, p.id),
  noted as (
    insert into row_issues (import_id, row_number, po_number, severity, column_name, code, message)
    select $1, first_row, po_number, 'note', coalesce($2::jsonb ->> 'po_number', 'po_number'), 'earlier_stays', message from stays)
  update staged s set reason = s.reason || ' ' || e.message from stays e
  where e.po_number = s.po_number and s.code is distinct from 'corrected'`;

/** Says at each rejected PO what an earlier file made of that number, and whether it waits. */
export const nameEarlierPos = (
  client: pg.PoolClient,
  request: { importId: string; account: string; quoteOnly: boolean; columnNames: object },
) =>
  client.query(earlierStaysSql, [
    request.importId,
    JSON.stringify(request.columnNames),
    request.account,
    request.quoteOnly,
  ]);

// Skipped rows of a result file, and numbers that raise a question, may be about an order.
const mayMeanOrder = (r: string) => `(${r}.code = 'left_out' or ${r}.question like '${poNumbers}%')`;
const orderedBeforeSql = `
  with said as (
    select ${rowPoKey('r')} as key, bool_or(r.question is not null) as is_of_number from row_issues r
    where r.import_id = $1 and r.po_number is not null and ${mayMeanOrder('r')} group by 1),
  names as (
    select key, key as name, is_of_number from said union
    select key, part, true from said cross join lateral (
      select ${plainNumber('key')} union select regexp_split_to_table(key, '[^[:alnum:]]+')) p(part)
    where is_of_number and part ~ '[0-9]{3}'),
  ordered as (
    select distinct on (n.key) n.key, ${namedPo('p')} || ' of ' || ${where} as named, ${shownState('p')} as state
    from names n
    join ${posSpelledAs('$2', 'select name as key, bool_or(is_of_number) as is_of_number from names group by name')} same on same.key = n.name
    join purchase_orders p on p.id = same.id join imports i on i.id = p.import_id
    where p.import_id <> $1 and not p.quote_only and ${isLive('p')} and not ${isUnsubmitted('p')}
    order by n.key, n.name <> n.key, p.po_key <> n.key, p.id)
  update row_issues r set message = r.message || ' ' || o.named || case when r.question is null then ' stays as it is.'
    else ' is ' || o.state || ' already: if these rows are about that order, leave them out.' end
  from ordered o
  where r.import_id = $1 and r.po_number is not null and ${mayMeanOrder('r')} and ${rowPoKey('r')} = o.key`;

/** Names the order that an earlier file made of a PO, perhaps under another spelling: in the notes of skipped rows and in questions about numbers. */
export const nameEarlierOrders = (client: pg.PoolClient, importId: string, account: string) =>
  client.query(orderedBeforeSql, [importId, account]);
