import { beforeEach, expect } from 'vitest';
import type { PlacingLedger } from '../../src/placing/placing-ledger.ts';
import type {
  ChangingStep,
  PurchaseOrderState,
  TakenPurchaseOrder,
  Transition,
} from '../../src/placing/types.ts';

export interface LedgerUnderTest {
  ledger: PlacingLedger;
  /** Inserts a ready PO with the number PO-1 in its own import with two lines (rows 2 and 3), due at once; returns its id. */
  insert(over?: { state?: PurchaseOrderState; account?: string }): Promise<string>;
  /** Records a person's wish while a worker has the PO. */
  wish(id: string, wish: 'cancelling' | 'holding'): Promise<void>;
  pauseByPerson(account: string): Promise<void>;
  /** Frees the POs of a dead worker; returns how long each has to wait. */
  takeOver(workerId: string, settle: { graceMs: number; settleMs: number }): Promise<number[]>;
  read(id: string): Promise<{
    state: string;
    epoch: number;
    reasonCode: string | undefined;
    alarm: string | undefined;
    leased: boolean;
    orderNumbers: string[];
  }>;
}

export const minute = 60_000;
export const anyActive = ['ready', 'cart_created', 'items_added', 'submitting', 'verifying'] as const;
export const same = { epoch: 'same', waitMs: 0 } as const;
export const owners = {
  a: '00000000-0000-4000-8000-00000000000a',
  b: '00000000-0000-4000-8000-00000000000b',
};

/** A new ledger for each test, and how a test takes its POs. */
export const useLedger = (create: () => Promise<LedgerUnderTest>) => {
  let current: LedgerUnderTest;
  beforeEach(async () => {
    current = await create();
  });
  const take = (id: string, owner = owners.a, leaseMs = minute, graceMs = 0) =>
    current.ledger.take(id, { owner, accounts: ['default', 'other'], states: anyActive, leaseMs, graceMs });
  const taken = async (id: string, owner?: string, leaseMs?: number): Promise<TakenPurchaseOrder> => {
    const result = await take(id, owner, leaseMs);
    if (result.kind !== 'taken') throw new Error(`not taken: ${JSON.stringify(result)}`);
    return result.po;
  };
  const begun = async (
    po: TakenPurchaseOrder,
    owner: string,
    step: ChangingStep,
    also: Parameters<PlacingLedger['beginStep']>[3] = {},
  ) => {
    const started = await current.ledger.beginStep(po, owner, step, also);
    if (started.kind !== 'begun') throw new Error(`not begun: ${started.kind}`);
    return started;
  };
  const begin = async (po: TakenPurchaseOrder, step: ChangingStep): Promise<string> => {
    return (await begun(po, owners.a, step)).intentId;
  };
  /** Takes a PO, writes a transition and takes it again. */
  const transitioned = async (
    id: string,
    transition: Partial<Transition> & Pick<Transition, 'state'>,
  ): Promise<TakenPurchaseOrder> => {
    const po = await taken(id);
    expect(await current.ledger.transition(po, owners.a, { ...same, ...transition })).toBeDefined();
    return taken(id);
  };
  return {
    get ledger() {
      return current.ledger;
    },
    insert: (over?: Parameters<LedgerUnderTest['insert']>[0]) => current.insert(over),
    read: (id: string) => current.read(id),
    wish: (...given: Parameters<LedgerUnderTest['wish']>) => current.wish(...given),
    pauseByPerson: (account: string) => current.pauseByPerson(account),
    takeOver: (...given: Parameters<LedgerUnderTest['takeOver']>) => current.takeOver(...given),
    take,
    taken,
    begin,
    begun,
    transitioned,
  };
};
export type UsedLedger = ReturnType<typeof useLedger>;
