import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { DueWork } from '../placing/types.ts';
import { isActive } from './purchase-order-sql.ts';
import { dueWork } from './windows.ts';

/** How much of its worker's ID a lease owner begins with. */
const workerPart = 19;

/** A new owner of a lease, which shows its worker and costs `take` nothing. */
export const newLeaseOwner = (workerId: string): string =>
  workerId.slice(0, workerPart) + randomUUID().slice(workerPart);

/**
 * Removes workers that are certainly dead and frees their POs, in one statement, so that of several callers one gets
 * each PO. Where the last intent has an outcome, nothing is under way and the PO is due at once. Otherwise its lease ends
 * now, and it is taken over after its account's settle time, when nothing that was sent can take effect any more. Older
 * intents without an outcome were waited for when the PO was last taken.
 *
 * @param settle `graceMs` is what `take` waits beyond a lease; `ofAccount` the settle time of each account, in milliseconds
 * @returns the next run of each PO
 */
export const takeOver = async (
  pool: pg.Pool,
  deadWorkers: readonly string[],
  settle: { graceMs: number; ofAccount: Readonly<Record<string, number>> },
): Promise<DueWork[]> => {
  const { rows } = await pool.query({
    name: 'take-over',
    text: `
      with dead as (
        delete from workers where id = any($1::uuid[]) returning id, left(id::text, ${workerPart}) as part
      ), shares as (
        -- Its connections are closed, so its calls no longer count.
        update call_shares c set shares = c.shares - (select array_agg(d.id::text) from dead d), version = c.version + 1
        where c.shares ?| (select array_agg(d.id::text) from dead d)
      ), held as (
        select p.id, coalesce((
          select i.outcome is null from intents i where i.purchase_order_id = p.id order by i.id desc limit 1
        ), false) as open
        from purchase_orders p
        where ${isActive('p')} and left(p.lease_owner::text, ${workerPart}) in (select part from dead)
        order by p.id for update of p
      )
      update purchase_orders p set run = p.run + 1,
        next_at = case when h.open then p.next_at else clock_timestamp() end,
        lease_owner = case when h.open then p.lease_owner end,
        lease_until = case when h.open then least(p.lease_until, clock_timestamp())
          - greatest(0, $2::float8 - coalesce(($3::jsonb ->> p.account)::float8, $2::float8)) * interval '1 millisecond' end
      from held h where p.id = h.id
      returning ${dueWork('p')}, coalesce(ceil(greatest(0,
        extract(epoch from p.lease_until - clock_timestamp()) * 1000 + $2::float8 + 1)), 0)::float8 as "leasedMs"`,
    values: [deadWorkers, settle.graceMs, JSON.stringify(settle.ofAccount)],
  });
  return rows.map(({ leasedMs, ...work }) => ({ ...work, waitMs: Math.max(leasedMs, work.waitMs) }));
};
