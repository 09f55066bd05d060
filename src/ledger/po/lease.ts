import { msFromNow } from '../purchase-order-sql.ts';
import { updatePos } from './write.ts';

/**
 * SQL: when another worker may take a PO whose lease ends: after the grace, or after what its last step needs, if that was sent with a
 * longer timeout than is configured now: the time of the call itself, and twice of it until it can no longer take effect.
 *
 * @param graceMs the parameter with the grace of this process
 */
export const freeAt = (
  po: string,
  graceMs: string,
): string => `(${po}.lease_until + interval '1 millisecond' * greatest(
  ${graceMs}::float8, coalesce((select 3 * max(i.timeout_ms) from intents i
    where i.purchase_order_id = ${po}.id and i.outcome is null), 0)))`;

/** SQL: no worker has the PO: it has no lease, or its lease and the grace are over. */
export const isFree = (po: string, graceMs: string): string =>
  `(${po}.lease_owner is null or ${freeAt(po, graceMs)} < clock_timestamp())`;

/** SQL: a worker has the PO now. A lease counts until its end and not longer. */
export const isLeased = (po: string): string => `coalesce(${po}.lease_until > clock_timestamp(), false)`;

/** SQL: keeps a lease. One that has ended stays ended: others may already count on that, and nobody would look after the PO any more. */
export const renewSql = updatePos({
  by: 'keep or give back the lease',
  set: { lease_until: msFromNow('$3::float8') },
  where: 'p.id = $1 and p.lease_owner = $2 and p.lease_until > clock_timestamp()',
});

/** SQL: ends a lease. */
export const giveBackSql = updatePos({
  by: 'keep or give back the lease',
  set: {},
  endsLease: true,
  where: 'p.id = $1 and p.lease_owner = $2',
});
