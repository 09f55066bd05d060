import type pg from 'pg';
import type { PurchaseOrderState } from '../../placing/types.ts';
import { isActive } from '../purchase-order-sql.ts';
import { onlyValue } from '../query.ts';
import { changePos, withParts } from './change.ts';
import type { Operator } from './operator-actions.ts';
import { actingOn, recordedAction } from './recorded-action.ts';

/** What a person wants of a PO that is in progress. */
export type Wish = 'cancel' | 'hold';

const cancelledLate =
  'A person asked to cancel this PO, but its submission had been sent before. It is ordered: cancel the order with the service.';
const heldLate =
  'A person asked to hold this PO, but its submission had been sent before. It is ordered: check with the service whether the order can be held.';

/**
 * SQL: the alarm of a PO that becomes ordered although a person has asked for something else meanwhile; null otherwise. The wish came
 * when the submission had been sent or was being sent, so only the person can settle it with the service.
 *
 * @param state the expression with the new state
 */
export const orderedAnyway = (po: string, state: string): string => `case
  when ${state} = 'ordered' and ${po}.cancelling then '${cancelledLate}'
  when ${state} = 'ordered' and ${po}.holding then '${heldLate}' end`;

/** SQL: the code of the alarm of a PO that becomes ordered: that of `orderedAnyway`, or the present one. */
export const lateWishCode = (po: string): string =>
  `case when ${po}.cancelling or ${po}.holding then 'late_wish' else ${po}.alarm_code end`;

/** SQL: the alarm of a wish that came too late, which nothing that the service shows disproves, with this one, if it is not null. */
export const withLateWish = (po: string, alarm: string): string => `case when ${po}.alarm_code = 'late_wish'
  then concat_ws(' ', case when starts_with(${po}.alarm, '${cancelledLate}') then '${cancelledLate}' else '${heldLate}' end, ${alarm})
  else ${alarm} end`;

// Whatever a worker does to the PO at this moment: it sees the wish at its next step. A PO that no worker has gets a new run; its time
// stays where it waits for the effects of a submission.
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
 * Records a wish, whatever happens to the PO at this moment; the worker that has it, or the next one, carries it out at its next step.
 * Returns the PO's state; undefined: it has no next step any more, and nothing is recorded.
 */
export const recordWish = (
  pool: pg.Pool,
  id: string,
  wish: Wish,
  by: Operator,
): Promise<PurchaseOrderState | undefined> => onlyValue(pool, wishSql, [...actingOn(id, by), wish]);
