import { poStates } from '../placing/types.ts';

// All states but closed; a literal in the statement, so that Postgres can estimate how few rows match.
const notClosedArray = `'{${poStates.filter((state) => state !== 'closed').join(',')}}'::text[]`;

/**
 * SQL: an account's POs by state, as rows with `state` and `n`. Most POs are closed and are not read: their number is the count of POs
 * recorded per file minus those that are not closed.
 * @param account an expression
 */
export const statesOf = (account: string): string => `(
  with not_closed as (
    select p.state, count(*) as n from purchase_orders p
    where p.account = ${account} and p.state = any(${notClosedArray}) group by p.state
  ), every as (
    select coalesce((select sum(i.po_count) from imports i where i.account = ${account}), 0)
      + (select count(*) from imports i join purchase_orders p on p.import_id = i.id
        where i.account = ${account} and i.po_count is null) as n
  )
  select state, n from not_closed
  union all
  select 'closed', closed.n from (
    select (every.n - coalesce((select sum(n) from not_closed), 0))::bigint as n from every) closed
  where closed.n > 0)`;
