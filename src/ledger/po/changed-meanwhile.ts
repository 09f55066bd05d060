import type pg from 'pg';
import { stateWords } from '../../placing/state-words.ts';
import type { PurchaseOrderState } from '../../placing/types.ts';
import { onlyValue } from '../query.ts';

/** Explains that an action did not apply because a worker or person changed the PO first, with its present state. */
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
