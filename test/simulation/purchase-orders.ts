import type { Line } from '../../src/placing/types.ts';
import { line, taken } from '../placing/lines.ts';
import type { LedgerRow } from './memory-ledger.ts';

/** A ready PO that is due at once. */
export const ledgerRow = (id: string, lines: Line[], over: Partial<LedgerRow> = {}): LedgerRow => {
  const {
    failingForMs: _,
    accountPauses: __,
    accountWasPaused: ___,
    sinceUnclearMs: ____,
    ...po
  } = taken({ id, poNumber: `PO-${id}` });
  return {
    ...po,
    lines: lines.map((each) => ({ ...each, answeredEpoch: undefined })),
    intents: [],
    nextAt: 0,
    takenAt: 0,
    failingSince: undefined,
    leaseOwner: undefined,
    leaseUntil: 0,
    reason: undefined,
    alarm: undefined,
    orderNumbers: [],
    ...over,
  };
};

export const twoLines = (): Line[] => [
  line({ rowNumber: 2, itemSku: 'A' }),
  line({ rowNumber: 3, itemSku: 'B' }),
];
