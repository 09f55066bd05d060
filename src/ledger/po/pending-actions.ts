import type pg from 'pg';
import type { OperatorAction } from '../../placing/operator-actions.ts';
import { type PendingPo, pendingSentence } from '../../placing/pending-words.ts';
import { isActive, isStopped, personPaused } from '../purchase-order-sql.ts';
import { filledRows } from '../query.ts';
import { mayHaveCart, mayHaveOrdered } from '../submissions.ts';
import { placedAccounts } from '../workers.ts';

const findPending = (pool: pg.Pool, ids: readonly string[], isWish: boolean): Promise<PendingPo[]> =>
  filledRows(pool, {
    name: 'pending-actions',
    text: `select p.account, p.state, ${mayHaveOrdered('p')} as "mayHaveOrdered", ${mayHaveCart('p')} as "mayHaveCart",
        case when ${personPaused('p.account')} then 'operator' when ${isStopped('p.account')} then 'service' end as paused,
        p.account in (${placedAccounts}) as served
      from purchase_orders p
      where p.id = any($1::bigint[]) and ${isActive('p')} and (not $2 or p.cancelling or p.holding) order by p.id`,
    values: [ids, isWish],
  });

/**
 * Describes what is still pending for POs that a person cancelled or held, and what keeps workers from continuing POs that a person
 * released; blank if nothing. Ignores POs that a worker has already handled.
 */
export const describePending = async (
  pool: pg.Pool,
  action: OperatorAction,
  ids: readonly string[],
): Promise<string> =>
  ids.length === 0
    ? ''
    : pendingSentence(action, await findPending(pool, ids, action === 'cancel' || action === 'hold'));
