import type pg from 'pg';
import type { DueWork } from '../../placing/types.ts';
import { isActive, pauseEnd, personPaused } from '../purchase-order-sql.ts';
import { columnOf, rowsOf } from '../query.ts';
import { quoteIsActive } from './quotes.ts';
import { updatePos } from './write.ts';

/** An account with more waiting POs than this starts no others, so that the queue always stays small. */
const waitingAllowed = 1000;

const pauseOf = (account: string) =>
  `exists (select from account_states a where a.account = ${account} and a.pause_code is not null)`;

const waitOf = (po: string) => `ceil(greatest(0,
  extract(epoch from ${po}.next_at - clock_timestamp()) * 1000,
  (select extract(epoch from ${pauseEnd('a')} - clock_timestamp()) * 1000
   from account_states a where a.account = ${po}.account)))::float8`;

/** SQL: the columns of a `DueWork`. */
export const dueWork = (
  po: string,
): string => `${po}.id, ${po}.import_id as "importId", ${po}.account, ${po}.state,
  ${po}.po_number as "poNumber", ${po}.run, ${waitOf(po)} as "waitMs",
  (select i.file_name from imports i where i.id = ${po}.import_id) as "fileName"`;

/**
 * SQL: the queue state of a PO that has to wait. It keeps a delayed job; but while its account is paused, the queue holds one job of the
 * account, which retries when the pause ends, and all others return to the backlog. An order that waits for its quote makes no call, so it
 * cannot be the one that retries: the quote may be in the backlog. While a person pauses the account, there is no such job, because only a
 * person ends the pause.
 */
export const queueStateOfWaiting = (
  po: string,
): string => `case when not ${pauseOf(`${po}.account`)} then 'waiting'
    when ${personPaused(`${po}.account`)} then 'backlog'
    when ${quoteIsActive(po)} then 'backlog'
    when exists (select from purchase_orders o
      where o.account = ${po}.account and ${isActive('o')} and o.dispatch = 'window' and o.id <> ${po}.id
        and (o.id < ${po}.id or ${po}.dispatch <> 'window')) then 'backlog'
    else 'window' end`;

// A window of 0 means that the account is closed now. A paused account has one job, as does one without a successful call since its pause.
// While a window shrinks, POs that leave it concurrently see each other in it, and none would be replaced. So one of the last ones (by ID)
// is always replaced, and the window never becomes empty.
const roomOf = (account: string, window: string, leaving: string) => `(
  select case
    when (select count(*) from (select from purchase_orders q
      where q.account = ${account} and ${isActive('q')} and q.dispatch = 'waiting' limit ${waitingAllowed}) waiting)
      >= ${waitingAllowed} then 0
    else (select greatest(0, case
        when ${personPaused(account)} then 0
        when ${pauseOf(account)} then least(1, ${window}) - count(*) filter (where d.id <> ${leaving})
        when bool_or(d.id = ${leaving}) and count(*) filter (where d.id > ${leaving}) < ${window}
          then greatest(1, ${window} - count(*) filter (where d.id <> ${leaving}))
        else ${window} - count(*) filter (where d.id <> ${leaving}) end)
      from purchase_orders d where d.account = ${account} and ${isActive('d')} and d.dispatch = 'window') end)`;

/**
 * SQL: moves as many POs of an account from the backlog into its window as there is room for, and returns them as due
 * work.
 *
 * @param parts.leaving the ID of a PO that leaves the window in the same statement
 * @param parts.account an expression, as are `window`, `leaving`, and the condition `if`
 */
export const fillWindowSql = (parts: {
  account: string;
  window: string;
  leaving: string;
  if: string;
}): string =>
  updatePos({
    by: 'window',
    as: 'n',
    set: { dispatch: `'window'`, next_at: 'greatest(n.next_at, clock_timestamp())' },
    // An array, because Postgres may run a joined subquery several times and choose other POs each time.
    where: `n.id = any(array(
    select b.id from purchase_orders b
    where b.account = ${parts.account} and ${isActive('b')} and b.dispatch = 'backlog' and b.lease_owner is null
      and ${parts.if} and not (${pauseOf(parts.account)} and ${quoteIsActive('b')})
    order by b.turn, b.id limit ${roomOf(parts.account, parts.window, parts.leaving)}
    for update of b skip locked))`,
    returning: dueWork('n'),
  });

/**
 * Fills the window of an account up to its size, and returns the POs that get a job now. Idempotent. The caller must enqueue them;
 * otherwise the sweep does.
 */
export const fillWindow = (pool: pg.Pool, account: string, window: number): Promise<DueWork[]> =>
  rowsOf(pool, {
    name: 'fill-window',
    text: fillWindowSql({ account: '$1', window: '$2::int', leaving: '0', if: 'true' }),
    values: [account, window],
  });

/** The accounts among these that have POs in the backlog. */
export const findBacklogs = (pool: pg.Pool, accounts: readonly string[]): Promise<string[]> =>
  columnOf(pool, {
    name: 'find-backlogs',
    text: `select s.account from unnest($1::text[]) s(account) where exists (
        select from purchase_orders b where b.account = s.account and ${isActive('b')} and b.dispatch = 'backlog')`,
    values: [accounts],
  });
