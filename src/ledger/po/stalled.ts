import type pg from 'pg';
import { isActive, isStopped } from '../purchase-order-sql.ts';
import { rowsOf } from '../query.ts';
import { placedAccounts } from '../workers.ts';
import { isLeased } from './lease.ts';
import { quoteIsActive } from './quotes.ts';
import { updatePos } from './write.ts';

/** A PO that makes no progress although nothing keeps it waiting. */
export interface StalledPurchaseOrder {
  id: string;
  account: string;
  poNumber: string;
  /** When the sweep first queued it again because it was overdue. */
  since: Date;
}

/** How long a new run gets to make progress. */
const stalledAfterMs = 10 * 60_000;

/** SQL: since when the PO has been overdue, for the update that starts a new run because of that. Any change of the PO resets it. */
export const stalledNow = (po: string): string => `coalesce(${po}.stalled_since, clock_timestamp())`;

// After a pause, its POs have the full time again.
const pausedLately = (of: string) =>
  isStopped(`${of}.account`, "clock_timestamp() - $2::float8 * interval '1 millisecond'");

// In a long queue, POs wait for their turn. So a PO is stuck only if another one of its account that became due later was taken before
// it, or if no PO of the account makes progress. $2: stalledAfterMs.
const stalledSql = `
  with late as (
    -- The sweep queued it again, without effect.
    select p.id, p.account, p.po_number, p.stalled_since from purchase_orders p
    where p.account = any($1) and ${isActive('p')} and p.stalled_since < now() - $2::float8 * interval '1 millisecond'
      and not ${isLeased('p')} and not ${quoteIsActive('p')}
      and not ${pausedLately('p')}
    union all
    -- No running process places the account's POs, so none gives them a new run either.
    select p.id, p.account, p.po_number, p.next_at
    from unnest($1::text[]) s(account)
    cross join lateral (select p.id, p.account, p.po_number, p.next_at from purchase_orders p
      where p.account = s.account and ${isActive('p')} and p.stalled_since is null and not ${isLeased('p')}
        and p.next_at < now() - $2::float8 * interval '1 millisecond' limit $3) p
    where s.account not in (${placedAccounts})
      and not ${pausedLately('s')}
  ), flow as (
    select l.account,
      (select max(q.changed_at) from purchase_orders q
        where q.account = l.account and q.changed_at > now() - $2::float8 * interval '1 millisecond'
          and q.state not in ('rejected', 'closed')) as moved_at,
      (select max(q.next_at) from purchase_orders q
        where q.account = l.account and q.changed_at > now() - interval '1 day'
          and (q.state in ('ordered', 'failed') or ${isActive('q')} and ${isLeased('q')})) as overtaken_by
    from (select distinct account from late) l
  )
  select l.id, l.account, l.po_number as "poNumber", l.stalled_since as since
  from late l join flow f on f.account = l.account
  where f.moved_at is null or l.stalled_since < f.overtaken_by
  order by l.stalled_since, l.id limit $3`;

/**
 * The stuck POs of these accounts, longest first. The only definition, used by `status --check`, the console, the metrics and the alarms.
 * POs of paused accounts, and orders whose quote is in progress, are not stuck.
 *
 * @param accounts must be open now
 */
export const listStalled = (
  pool: pg.Pool,
  accounts: readonly string[],
  limit = 100,
): Promise<StalledPurchaseOrder[]> =>
  rowsOf(pool, {
    name: 'list-stalled',
    text: stalledSql,
    values: [accounts, stalledAfterMs, limit],
  });

const idleSql = updatePos({
  by: 'new run',
  from: `(select (
      select b.id from purchase_orders b
      where b.account = s.account and ${isActive('b')} and b.dispatch = 'backlog' and b.lease_owner is null
        and b.next_at < now() - interval '1 minute' and not ${quoteIsActive('b')}
      order by b.turn, b.id limit 1) as id
    from unnest($1::text[]) s(account)
    where not exists (select from account_states a where a.account = s.account
        and (a.paused_until > now() - interval '1 minute' or a.pause_code is not null))
      and not exists (select from purchase_orders d
        where d.account = s.account and ${isActive('d')} and d.dispatch <> 'backlog')) idle`,
  set: { stalled_since: stalledNow('p') },
  where: `p.id = idle.id and p.stalled_since is null`,
});

/**
 * Marks the first backlog PO of each of these accounts as overdue if the account has no job and is not paused. The caller has just filled
 * their windows, so that PO should have a job.
 */
export const noteIdleBacklogs = async (pool: pg.Pool, accounts: readonly string[]): Promise<void> => {
  if (accounts.length === 0) return;
  await pool.query({ name: 'note-idle-backlogs', text: idleSql, values: [accounts] });
};
