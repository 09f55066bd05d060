import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { DueWork } from '../../placing/types.ts';
import { isActive } from '../purchase-order-sql.ts';
import { freeAt } from './lease.ts';
import { dueWork } from './windows.ts';
import { updatePos } from './write.ts';

/** Length of the worker ID prefix in a lease owner. */
const workerPart = 19;

/** A new lease owner that contains its worker's ID, at no cost for `take`. */
export const newLeaseOwner = (workerId: string): string =>
  workerId.slice(0, workerPart) + randomUUID().slice(workerPart);

interface Settle {
  /** What `take` waits beyond a lease, in milliseconds. */
  graceMs: number;
  /** The settle time of each account, in milliseconds. */
  ofAccount: Readonly<Record<string, number>>;
}

const runOf = (pool: pg.Pool, statement: { name: string; text: string; values: unknown[] }) =>
  pool
    .query(statement)
    .then(({ rows }) =>
      rows.map(({ leasedMs, ...work }): DueWork => ({ ...work, waitMs: Math.max(leasedMs, work.waitMs) })),
    );

// The call was sent with a timeout too long for the present settle time, so its PO waits the whole grace.
const sentWithLonger = (
  po: string,
): string => `exists (select from intents i where i.purchase_order_id = ${po}.id
            and i.outcome is null and 2 * i.timeout_ms >= coalesce(($3::jsonb ->> ${po}.account)::float8, $2::float8))`;

// $2: graceMs, $3: the settle times. `held` has the POs, and whether a call may be in progress.
const openIntent = `coalesce((
          select i.outcome is null from intents i where i.purchase_order_id = p.id order by i.id desc limit 1
        ), false)`;
const freeHeld = updatePos({
  by: 'new run',
  from: 'held h',
  set: {
    next_at: 'case when p.lease_owner is null or h.open then p.next_at else clock_timestamp() end',
    lease_owner: 'case when h.open then p.lease_owner end',
    lease_until: `case when h.open then least(p.lease_until, clock_timestamp())
          - case when ${sentWithLonger('p')} then 0 else
            greatest(0, $2::float8 - coalesce(($3::jsonb ->> p.account)::float8, $2::float8)) end * interval '1 millisecond' end`,
  },
  newRun: true,
  where: 'p.id = h.id',
  returning: `${dueWork('p')}, coalesce(ceil(greatest(0,
        extract(epoch from ${freeAt('p', '$2')} - clock_timestamp()) * 1000 + 1)), 0)::float8 as "leasedMs"`,
});

/**
 * Frees POs whose leases this process gave up but could not release, like `takeOver`. The owners must no longer be in use. Returns the next
 * run of each PO.
 */
export const freeLeases = (pool: pg.Pool, owners: readonly string[], settle: Settle): Promise<DueWork[]> =>
  runOf(pool, {
    name: 'free-leases',
    text: `with held as (
        select p.id, ${openIntent} as open from purchase_orders p
        where ${isActive('p')} and p.lease_owner = any($1::uuid[]) order by p.id for update of p
      ) ${freeHeld}`,
    values: [owners, settle.graceMs, JSON.stringify(settle.ofAccount)],
  });

/**
 * Removes workers that are certainly dead and frees their POs, in one statement, so that of several callers one gets each PO. If the last
 * intent has an outcome, no call is in progress and the PO is due at once. Otherwise its lease ends now, and it can be taken after its
 * account's settle time, when no sent call can take effect any more. The last taker already waited for older intents without an outcome.
 *
 * POs without a lease that changed since the worker's last heartbeat get new jobs, because it may have failed to enqueue them.
 *
 * @returns the next run of each PO
 */
export const takeOver = (pool: pg.Pool, deadWorkers: readonly string[], settle: Settle): Promise<DueWork[]> =>
  runOf(pool, {
    name: 'take-over',
    text: `
      with dead as (
        delete from workers where id = any($1::uuid[])
        returning id, seen_at, left(id::text, ${workerPart}) as part
      ), shares as (
        -- Its connections are closed, so its calls no longer count.
        update call_shares c set shares = c.shares - (select array_agg(d.id::text) from dead d), version = c.version + 1
        where c.shares ?| (select array_agg(d.id::text) from dead d)
      ), held as (
        select p.id, p.lease_owner is not null and ${openIntent} as open
        from purchase_orders p
        where ${isActive('p')} and (left(p.lease_owner::text, ${workerPart}) in (select part from dead)
          or p.lease_owner is null and p.dispatch <> 'backlog'
            and greatest(p.changed_at, p.next_at) > (select min(d.seen_at) - interval '1 second' from dead d))
        order by p.id for update of p
      ) ${freeHeld}`,
    values: [deadWorkers, settle.graceMs, JSON.stringify(settle.ofAccount)],
  });
