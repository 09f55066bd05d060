import type pg from 'pg';
import type { OperatorAction } from '../../placing/action-states.ts';
import { type PendingPo, pendingSentence } from '../../placing/pending-words.ts';
import { isActive, isStopped, personPaused } from '../purchase-order-sql.ts';
import { filledRows } from '../query.ts';
import { mayHaveCart, mayHaveOrdered } from '../submissions.ts';
import { placedAccounts } from '../workers.ts';

const findPending = (pool: pg.Pool, ids: readonly string[]): Promise<PendingPo[]> =>
  filledRows(pool, {
    name: 'pending-actions',
    text: `select p.account, p.state, ${mayHaveOrdered('p')} as "mayHaveOrdered", ${mayHaveCart('p')} as "mayHaveCart",
        case when ${personPaused('p.account')} then 'operator' when ${isStopped('p.account')} then 'service' end as paused,
        p.account in (${placedAccounts}) as served
      from purchase_orders p
      where p.id = any($1::bigint[]) and ${isActive('p')} and (p.cancelling or p.holding) order by p.id`,
    values: [ids],
  });

/**
 * What is still to happen to POs that a person has cancelled or held; blank where nothing is, and for other actions. A PO for which a
 * worker has done it meanwhile does not count.
 */
export const describePending = async (
  pool: pg.Pool,
  action: OperatorAction,
  ids: readonly string[],
): Promise<string> =>
  (action === 'cancel' || action === 'hold') && ids.length > 0
    ? pendingSentence(action, await findPending(pool, ids))
    : '';
