import type pg from 'pg';
import { fileAndRow } from './conflict-reason.ts';
import { changePos, withParts } from './po/change.ts';
import { isConflicting } from './purchase-order-sql.ts';

const saysOtherwise = `r.po_number is not null and (r.question is not null or r.code = 'left_out')`;
const isFree = 'p.lease_owner is null';

const { again, ...follows } = changePos('again', {
  by: 'comes again',
  from: `(
    select distinct on (r.po_number) r.po_number, r.row_number as first_row, r.message, r.import_id
    from row_issues r where r.import_id = $1 and ${saysOtherwise} order by r.po_number, r.row_number) r
    join imports i on i.id = r.import_id`,
  set: {
    state: `case when ${isFree} then 'held' else p.state end`,
    reason_code: `case when ${isFree} then 'on_hold' else p.reason_code end`,
    reason_text: `case when ${isFree} then 'It came again in ' || ${fileAndRow('r', 'i')} || ', where a row of it is not to be ordered, or says something new. ' || r.message || ' Release this PO to order it as it is here, or cancel it.' else p.reason_text end`,
    holding: `not (${isFree})`,
    run: `p.run + (${isFree})::int`,
    dispatch: `case when ${isFree} then 'backlog' else p.dispatch end`,
  },
  where: `p.account = $2 and p.po_key = lower(r.po_number) and p.po_number = r.po_number and p.import_id <> $1 and not p.quote_only
    and p.state in ('ready', 'cart_created', 'items_added') and not ${isConflicting('p')} and not p.cancelling
    and not exists (select from row_issues r where r.import_id = p.import_id and r.po_number = p.po_number and ${saysOtherwise})`,
});
const againSql = `${withParts({ again: again!, ...follows })} select from again`;

/**
 * Holds the POs that are not submitted yet and that the file of this import has again, with a value that no file had before or whose rows a
 * person leaves out: they have perhaps been cancelled since. Runs in the caller's transaction, which has the account's POs locked.
 */
export const holdComingAgain = (client: pg.PoolClient, importId: string, account: string) =>
  client.query(againSql, [importId, account]);
