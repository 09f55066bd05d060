import type pg from 'pg';
import type { PurchaseOrderState } from '../../placing/types.ts';
import { isActive } from '../purchase-order-sql.ts';
import { onlyValue } from '../query.ts';
import { changePos, withParts } from './change.ts';
import type { Operator } from './operator-actions.ts';
import { actingOn, recordedAction } from './recorded-action.ts';

/** A person's request for a PO that is in progress. */
export type Wish = 'cancel' | 'hold';

const cancelledLate =
  'A person asked to cancel this PO, but its submission had been sent before. It is ordered: cancel the order with the service.';
const heldLate =
  'A person asked to hold this PO, but its submission had been sent before. It is ordered: check with the service whether the order can be held.';

/**
 * SQL: the alarm of a PO that becomes ordered despite a person's wish; null otherwise. The wish came when the submission had been or was
 * being sent, so only the person can settle it with the service.
 *
 * @param state the expression with the new state
 */
export const orderedAnyway = (po: string, state: string): string => `case
  when ${state} = 'ordered' and ${po}.cancelling then '${cancelledLate}'
  when ${state} = 'ordered' and ${po}.holding then '${heldLate}' end`;

/** SQL: the alarm code of a PO that becomes ordered: that of `orderedAnyway`, or the present one. */
export const lateWishCode = (po: string): string =>
  `case when ${po}.cancelling or ${po}.holding then 'late_wish' else ${po}.alarm_code end`;

/** SQL: keeps the alarm of a late wish, which nothing that the service shows can disprove, and appends this alarm if it is not null. */
export const withLateWish = (po: string, alarm: string): string => `case when ${po}.alarm_code = 'late_wish'
  then concat_ws(' ', case when starts_with(${po}.alarm, '${cancelledLate}') then '${cancelledLate}' else '${heldLate}' end, ${alarm})
  else ${alarm} end`;

// Safe while a worker holds the PO: it sees the wish at its next step. A PO without a worker gets a new run; its due time stays if it waits
// for the effects of a submission.
const { acted, ...follows } = changePos('acted', {
  by: 'wish',
  set: {
    cancelling: `p.cancelling or $6 = 'cancel'`,
    holding: `p.holding or $6 = 'hold'`,
    run: 'p.run + (p.lease_owner is null)::int',
    dispatch: `case when p.lease_owner is null then 'backlog' else p.dispatch end`,
    next_at: `case when p.lease_owner is null and p.state in ('ready', 'cart_created', 'items_added') then clock_timestamp()
        else p.next_at end`,
  },
  where: `p.id = $1 and ${isActive('p')}`,
  returning: 'p.state',
});
const wishSql = `${withParts({
  acted: acted!,
  ...recordedAction('$6', `'was', (select state from acted)`),
  ...follows,
})} select state from acted`;

/**
 * Records a wish, even while a worker holds the PO; this or the next worker carries it out at its next step. Returns the PO's state;
 * undefined: it no longer has a next step, and nothing is recorded.
 */
export const recordWish = (
  pool: pg.Pool,
  id: string,
  wish: Wish,
  by: Operator,
): Promise<PurchaseOrderState | undefined> => onlyValue(pool, wishSql, [...actingOn(id, by), wish]);
