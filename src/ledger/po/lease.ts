import { msFromNow } from '../purchase-order-sql.ts';
import { updatePos } from './write.ts';

/**
 * SQL: when another worker may take a PO after its lease: after the grace, or longer if the last step was sent with a longer timeout than
 * is configured now. Such a step needs its timeout for the call and twice that until it can no longer take effect.
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

/** SQL: a worker holds the PO now. A lease counts until it ends, without grace. */
export const isLeased = (po: string): string => `coalesce(${po}.lease_until > clock_timestamp(), false)`;

/** SQL: renews a lease. An ended lease stays ended, because other workers may already rely on that, and nothing would watch the PO any more. */
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
