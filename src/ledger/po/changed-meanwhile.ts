import type pg from 'pg';
import { stateWords } from '../../placing/state-words.ts';
import type { PurchaseOrderState } from '../../placing/types.ts';
import { onlyValue } from '../query.ts';

/** Why an action was not done to a PO that a worker or a person was faster with, with what the PO is now. */
export const changedMeanwhile = async (
  pool: pg.Pool,
  id: string,
): Promise<{ kind: 'not_possible'; why: string }> => {
  const state = await onlyValue<PurchaseOrderState | undefined>(
    pool,
    'select state from purchase_orders where id = $1',
    [id],
  );
  const now = state === undefined ? '' : ` and is ${stateWords[state]} now`;
  return { kind: 'not_possible', why: `it has changed meanwhile${now}; check it and try again` };
};
