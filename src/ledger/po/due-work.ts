import type pg from 'pg';
import type { DueWork } from '../../placing/types.ts';
import { isActive, isStopped } from '../purchase-order-sql.ts';
import { firstRow, onlyValue, rowsOf } from '../query.ts';
import { placedAccounts } from '../workers.ts';
import { isFree, isLeased } from './lease.ts';
import { quoteIsActive, quoteLooksAgainMs } from './quotes.ts';
import { stalledNow } from './stalled.ts';
import { dueWork, fillWindow, queueStateOfWaiting } from './windows.ts';
import { updatePos } from './write.ts';

const hasToWait = (po: string) =>
  `(${po}.next_at > clock_timestamp() or ${quoteIsActive(po)} or ${isStopped(`${po}.account`)})`;

/**
 * Starts a new run of a PO whose job could not take it: the new key lets the queue accept a job while the old one is still ending. Does
 * nothing if a worker holds the PO (that worker enqueues the next job) or the PO has no next step.
 *
 * @returns the POs to enqueue: this one, unless it returned to the backlog because its account is paused, and those that take its place in
 *   the window
 */
export const deferRun = async (
  pool: pg.Pool,
  id: string,
  { graceMs, windowOf }: { graceMs: number; windowOf: (account: string) => number },
): Promise<DueWork[]> => {
  const { rows } = await pool.query<DueWork & { dispatch: 'backlog' | 'window' | 'waiting' }>({
    name: 'defer-run',
    text: updatePos({
      by: 'new run',
      set: {
        dispatch: `case when ${hasToWait('p')} then ${queueStateOfWaiting('p')}
          when p.dispatch = 'backlog' then 'window' else p.dispatch end`,
        next_at: `case when ${quoteIsActive('p')}
          then greatest(p.next_at, clock_timestamp() + interval '${quoteLooksAgainMs} milliseconds') else p.next_at end`,
      },
      newRun: true,
      where: `p.id = $1 and ${isActive('p')} and ${isFree('p', '$2')}`,
      returning: `${dueWork('p')}, p.dispatch`,
    }),
    values: [id, graceMs],
  });
  if (rows[0] === undefined) return [];
  const { dispatch, ...work } = rows[0];
  if (dispatch === 'window') return [work];
  const others = await fillWindow(pool, work.account, windowOf(work.account));
  return dispatch === 'backlog' ? others : [work, ...others];
};

/** The current run of a PO that should have a job and has no lease; otherwise undefined. */
export const findFreeRun = (pool: pg.Pool, id: string, graceMs: number): Promise<DueWork | undefined> =>
  firstRow(pool, {
    name: 'find-free-run',
    text: `select ${dueWork('p')} from purchase_orders p
      where p.id = $1 and ${isActive('p')} and p.dispatch <> 'backlog' and ${isFree('p', '$2')}`,
    values: [id, graceMs],
  });

/** A page, by import and id, of these accounts' POs that should have a job but have no lease. */
export const listWork = (
  pool: pg.Pool,
  page: { after: { importId: string; id: string }; limit: number },
  accounts: readonly string[],
): Promise<DueWork[]> =>
  rowsOf(pool, {
    name: 'list-work',
    text: `select ${dueWork('p')} from purchase_orders p
      where (p.import_id, p.id) > ($3::bigint, $1::bigint) and ${isActive('p')} and p.account = any($4)
        and p.dispatch <> 'backlog' and p.lease_owner is null
      order by p.import_id, p.id limit $2`,
    values: [page.after.id, page.limit, page.after.importId, accounts],
  });

/**
 * Ends these accounts' leases that have run out together with their grace: the worker is gone, or was suspended too long to continue. Each
 * PO gets a new run, because the queue may have seen the key of the last one. Returns them by import and id.
 */
export const endLapsedLeases = (
  pool: pg.Pool,
  { graceMs, limit }: { graceMs: number; limit: number },
  accounts: readonly string[],
): Promise<DueWork[]> =>
  rowsOf(pool, {
    name: 'end-lapsed-leases',
    text: `
      with lapsed as (
        select p.id from purchase_orders p
        where ${isActive('p')} and p.account = any($3) and p.lease_owner is not null and ${isFree('p', '$1')}
        order by p.id limit $2 for update of p skip locked),
      ended as (${updatePos({
        by: 'new run',
        from: 'lapsed l',
        set: {
          next_at: 'greatest(p.next_at, clock_timestamp())',
          dispatch: `case when p.dispatch = 'backlog' then 'window' else p.dispatch end`,
          stalled_since: stalledNow('p'),
        },
        newRun: true,
        endsLease: true,
        where: `p.id = l.id and p.lease_owner is not null and ${isFree('p', '$1')}`,
        returning: dueWork('p'),
      })})
      select * from ended order by "importId", id`,
    values: [graceMs, limit, accounts],
  });

/**
 * Starts new runs of POs of these accounts that are overdue, and returns a page of them by import and id. A PO is overdue 10 s after it was
 * due if no worker holds any PO, otherwise after a minute, so that a queue whose workers are busy is not enqueued twice. The queue may
 * still list a lost job, or have evicted its keys; it accepts the key of a new run in any case. `late`: the first new run since the PO last
 * changed.
 */
export const reviveOverdue = (
  pool: pg.Pool,
  page: { after: { importId: string; id: string }; limit: number },
  accounts: readonly string[],
): Promise<(DueWork & { late: boolean })[]> =>
  rowsOf(pool, {
    name: 'revive-overdue',
    text: `
      with overdue as (
        select p.id, p.stalled_since is null as late from purchase_orders p
        where (p.import_id, p.id) > ($2::bigint, $3::bigint) and ${isActive('p')} and p.lease_owner is null
          and p.dispatch <> 'backlog' and p.account = any($4)
          and p.next_at < clock_timestamp() - case when exists (
            select from purchase_orders l
            where ${isActive('l')} and ${isLeased('l')})
            then interval '1 minute' else interval '10 seconds' end
          and not ${isStopped('p.account', "clock_timestamp() - interval '10 seconds'")}
        order by p.import_id, p.id limit $1),
      revived as (${updatePos({
        by: 'new run',
        from: 'overdue o',
        set: { next_at: 'clock_timestamp()', stalled_since: stalledNow('p') },
        newRun: true,
        where: `p.id = o.id and ${isActive('p')} and p.lease_owner is null`,
        returning: `${dueWork('p')}, o.late`,
      })})
      select * from revived order by "importId", id`,
    values: [page.limit, page.after.importId, page.after.id, accounts],
  });

/** The number of POs that should have a job, of these accounts and of those that running workers can place. */
export const countWork = (pool: pg.Pool, accounts: readonly string[]): Promise<number> =>
  onlyValue(pool, {
    name: 'count-work',
    text: `select count(*)::int as n from purchase_orders p where ${isActive('p')} and p.dispatch <> 'backlog'
      and (p.account = any($1) or p.account in (${placedAccounts}))`,
    values: [accounts],
  });
