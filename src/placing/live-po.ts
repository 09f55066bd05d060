import { holdReasonOf } from './hold-reasons.ts';
import type { PurchaseOrderState } from './types.ts';

/** States in which another PO may use the PO's number. */
export const endedStates: readonly PurchaseOrderState[] = ['rejected', 'failed', 'cancelled'];

interface NumberedPo {
  id: string;
  account: string;
  poNumber: string;
  quoteOnly: boolean;
  state: PurchaseOrderState;
  reasonCode: string | null;
}

const isLive = ({ state, reasonCode }: NumberedPo): boolean =>
  !endedStates.includes(state) && !holdReasonOf(reasonCode ?? undefined)?.numberTaken;

const comesFirst = (one: NumberedPo, other: NumberedPo): boolean => {
  if (isLive(one) !== isLive(other)) return isLive(one);
  const isCorrected = ({ reasonCode }: NumberedPo) => reasonCode === 'corrected';
  if (isCorrected(one) !== isCorrected(other)) return isCorrected(other);
  return BigInt(one.id) > BigInt(other.id);
};

/**
 * For each number, the PO that a person means: the live one, otherwise the latest that no later file corrected; orders and quotes
 * separately. The ledger's SQL (`meantFirst`) does the same. Pure.
 */
export const meantOf = <Po extends NumberedPo>(pos: readonly Po[]): Po[] => {
  const meant = new Map<string, Po>();
  for (const po of pos) {
    const key = JSON.stringify([po.account, po.poNumber, po.quoteOnly]);
    const other = meant.get(key);
    if (other === undefined || comesFirst(po, other)) meant.set(key, po);
  }
  return [...meant.values()];
};
