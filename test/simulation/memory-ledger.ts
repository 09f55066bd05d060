import { certainlyNotOrdered } from '../../src/placing/attempt-facts.ts';
import type { EndedStep, PlacingLedger } from '../../src/placing/placing-ledger.ts';
import {
  type ActiveState,
  activeStates,
  type Intent,
  type Line,
  type PurchaseOrderState,
  type TakenPurchaseOrder,
  type Transition,
} from '../../src/placing/types.ts';

type Kept = Omit<
  TakenPurchaseOrder,
  'state' | 'intents' | 'lines' | 'failingForMs' | 'accountPauses' | 'accountWasPaused' | 'sinceUnclearMs'
>;

export interface LedgerRow extends Kept {
  state: PurchaseOrderState;
  lines: (Line & { answeredEpoch: number | undefined })[];
  intents: (Intent & { id: string; begunAt: number; endedAt: number | undefined })[];
  nextAt: number;
  takenAt: number;
  failingSince: number | undefined;
  leaseOwner: string | undefined;
  leaseUntil: number;
  reason: { code: string; text: string } | undefined;
  alarm: string | undefined;
  orderNumbers: string[];
  /** Its orders as the service showed them when they were last compared. */
  shown?: string;
  quantitiesChecked?: boolean;
}

export interface AccountRow {
  pausedUntil: number;
  code: string | undefined;
  pauses: number;
  pausedByPerson?: boolean;
  readLagMs?: number;
}

export interface MemoryLedger extends PlacingLedger {
  rows: Map<string, LedgerRow>;
  accounts: Map<string, AccountRow>;
  /**
   * Frees the POs of a dead worker, like `takeOver` of the SQL ledger, or one lease, like `freeLeases`; returns how long each has to wait.
   */
  takeOver(workerId: string, settle: { graceMs: number; settleMs: number }, oneLease?: boolean): number[];
  /** A copy of everything, as a backup would hold it. */
  dump(): { rows: Map<string, LedgerRow>; accounts: Map<string, AccountRow> };
}

const mayHaveActed = (step: Intent['step'], intents: readonly Intent[], epoch: number): boolean =>
  intents.some((intent) => intent.step === step && intent.epoch === epoch && intent.outcome !== 'not_acted');

/** A submission of the PO may have made an order. */
export const mayHaveOrdered = ({ intents }: Pick<LedgerRow, 'intents'>): boolean =>
  intents.some(
    ({ step, outcome }) => step === 'submit_order' && !certainlyNotOrdered.includes(outcome ?? 'unknown'),
  );

export const isActive = (state: PurchaseOrderState): state is ActiveState =>
  (activeStates as readonly string[]).includes(state);

/**
 * The ledger of placing in memory, with exactly the guards of the SQL ledger: both pass one contract suite.
 * Each call is atomic, because each statement of the SQL ledger is a transaction of its own.
 */
export const createMemoryLedger = (now: () => number): MemoryLedger => {
  const rows = new Map<string, LedgerRow>();
  const accounts = new Map<string, AccountRow>();
  let intentIds = 0;
  const pausedUntil = (account: string) => accounts.get(account)?.pausedUntil ?? Number.NEGATIVE_INFINITY;

  const sinceUnclearMs = ({ account, poNumber }: LedgerRow): number | undefined => {
    const ends = [...rows.values()]
      .filter((row) => row.account === account && row.poNumber.toLowerCase() === poNumber.toLowerCase())
      .flatMap((row) => row.intents.filter(({ outcome }) => (outcome ?? 'unknown') === 'unknown'))
      .map(({ begunAt, endedAt }) => endedAt ?? begunAt);
    return ends.length === 0 ? undefined : now() - Math.max(...ends);
  };

  const intentsOf = ({ intents, takenAt }: LedgerRow): Intent[] =>
    intents.map(({ begunAt, endedAt, ...intent }) => ({
      ...intent,
      ...(begunAt <= takenAt && { begunAgoMs: takenAt - begunAt }),
      ...((endedAt ?? begunAt) <= takenAt && { endedAgoMs: takenAt - (endedAt ?? begunAt) }),
    }));

  /** The PO as `take` returns it; only `take` reads facts of the account and of other POs. */
  const show = (
    row: LedgerRow,
    atTake: Pick<TakenPurchaseOrder, 'accountPauses' | 'accountWasPaused' | 'sinceUnclearMs'>,
  ): TakenPurchaseOrder => {
    const { nextAt, takenAt, failingSince, leaseOwner, leaseUntil, reason, alarm, orderNumbers, ...kept } =
      row;
    const { accountPauses, accountWasPaused, sinceUnclearMs } = atTake;
    return {
      ...kept,
      state: row.state as ActiveState,
      baseline: row.baseline && [...row.baseline],
      failingForMs: failingSince === undefined ? 0 : now() - failingSince,
      ...{ accountPauses, accountWasPaused, sinceUnclearMs },
      intents: intentsOf(row),
      lines: row.lines.map(({ answeredEpoch, ...line }) => ({
        ...line,
        answer: answeredEpoch !== undefined && answeredEpoch === row.cartEpoch ? line.answer : undefined,
      })),
    };
  };

  const write = (
    po: TakenPurchaseOrder,
    owner: string,
    transition: Transition,
    keepLease: boolean,
    ended?: EndedStep,
  ): LedgerRow | undefined => {
    const row = rows.get(po.id);
    if (row?.leaseOwner !== owner || row.epoch !== po.epoch || row.state !== po.state) return undefined;
    row.state = transition.state;
    if (!keepLease) {
      row.leaseOwner = undefined;
      row.nextAt = now() + transition.waitMs;
    }
    row.reason = transition.reason;
    if (transition.cart === 'gone') {
      row.cartNumber = undefined;
      row.cartEpoch = undefined;
    } else if (transition.cart) {
      row.cartNumber = transition.cart.number;
      row.cartEpoch = po.epoch;
    }
    if (transition.epoch === 'next') row.epoch += 1;
    if (transition.rebuilt) row.rebuilds += 1;
    row.lookups = transition.lookups ?? po.lookups;
    row.failures = transition.failed ? row.failures + 1 : 0;
    row.failingSince = transition.failed ? (row.failingSince ?? now()) : undefined;
    const wasAsked = transition.state === 'ordered' && (row.cancelling || row.holding);
    row.alarm =
      transition.alarm ?? (wasAsked ? 'ordered although a person asked for something else' : row.alarm);
    if (['cancelled', 'failed', 'ordered', 'held'].includes(transition.state)) row.holding = false;
    if (transition.state === 'cancelled' || transition.state === 'failed' || transition.state === 'ordered')
      row.cancelling = false;
    if (ended) {
      const intent = row.intents.find((candidate) => candidate.id === ended.intentId);
      if (intent) Object.assign(intent, { outcome: ended.outcome, detail: ended.detail, endedAt: now() });
      for (const { rowNumber, answer } of ended.answers ?? []) {
        const line = row.lines.find((candidate) => candidate.rowNumber === rowNumber);
        if (line) Object.assign(line, { answer, answeredEpoch: row.cartEpoch });
      }
    }
    const found =
      transition.orderNumber === undefined
        ? (transition.orders ?? []).map((order) => order.orderNumber)
        : [transition.orderNumber];
    row.orderNumbers = [...new Set([...row.orderNumbers, ...found])];
    return row;
  };

  const insertIntent = (
    row: LedgerRow,
    step: Intent['step'],
    also: { baseline?: string[]; timeoutMs?: number },
  ): string => {
    const once = step === 'submit_order' || step === 'create_cart';
    if (once && mayHaveActed(step, row.intents, row.epoch)) throw new Error(`a second ${step} in one epoch`);
    row.baseline = also.baseline ?? row.baseline;
    intentIds += 1;
    row.intents.push({
      id: String(intentIds),
      epoch: row.epoch,
      step,
      outcome: undefined,
      detail: undefined,
      begunAt: now(),
      endedAt: undefined,
      ...(also.timeoutMs === undefined ? {} : { timeoutMs: also.timeoutMs }),
    });
    return String(intentIds);
  };

  return {
    rows,
    accounts,
    dump: () => structuredClone({ rows, accounts }),

    take: async (id, { owner, accounts: served, states, leaseMs, graceMs }) => {
      const row = rows.get(id);
      if (!row || !(states as readonly string[]).includes(row.state))
        return { kind: 'elsewhere', state: row?.state };
      if (!served.includes(row.account)) return { kind: 'not_served', account: row.account };
      const leased = row.leaseOwner !== undefined && row.leaseUntil + graceMs >= now();
      const paused = pausedUntil(row.account) > now() || accounts.get(row.account)?.pausedByPerson === true;
      if (row.nextAt > now() || leased || paused) {
        const waits = [
          ['leased', leased ? row.leaseUntil + graceMs - now() : 0],
          ['paused', paused ? pausedUntil(row.account) - now() : 0],
          ['not_yet', Math.max(0, row.nextAt - now())],
        ] as const;
        const [why, waitMs] = waits.reduce((longest, wait) => (wait[1] > longest[1] ? wait : longest));
        return { kind: 'later', waitMs: Math.ceil(waitMs) + 1, why };
      }
      row.leaseOwner = owner;
      row.leaseUntil = now() + leaseMs;
      row.run += 1;
      row.takenAt = now();
      const account = accounts.get(row.account);
      const atTake = {
        accountPauses: account?.pauses ?? 0,
        accountWasPaused: account?.code !== undefined,
        sinceUnclearMs: ['ready', 'cart_created', 'items_added'].includes(row.state)
          ? sinceUnclearMs(row)
          : undefined,
      };
      return { kind: 'taken', po: show(row, atTake) };
    },

    takeOver: (workerId, { graceMs, settleMs }, oneLease = false) =>
      [...rows.values()]
        .filter(({ leaseOwner }) =>
          oneLease ? leaseOwner === workerId : leaseOwner?.slice(0, 19) === workerId.slice(0, 19),
        )
        .map((row) => {
          row.run += 1;
          if (row.intents.length > 0 && row.intents.at(-1)!.outcome === undefined) {
            row.leaseUntil = Math.min(row.leaseUntil, now()) - Math.max(0, graceMs - settleMs);
            return Math.max(0, row.leaseUntil + graceMs - now());
          }
          Object.assign(row, { leaseOwner: undefined, nextAt: now() });
          return 0;
        }),

    renewLease: async (id, owner, leaseMs) => {
      const row = rows.get(id);
      if (row?.leaseOwner !== owner || row.leaseUntil <= now()) return false;
      row.leaseUntil = now() + leaseMs;
      return true;
    },

    giveBack: async (id, owner) => {
      const row = rows.get(id);
      if (row?.leaseOwner === owner) row.leaseOwner = undefined;
    },

    beginStep: async (po, owner, step, also) => {
      const row = rows.get(po.id);
      if (row?.leaseOwner !== owner || row.epoch !== po.epoch || row.state !== po.state)
        return { kind: 'lost' };
      if (accounts.get(row.account)?.pausedByPerson) return { kind: 'paused' };
      const { cancelling, holding, fileGrew } = row;
      const grewMeanwhile = step === 'submit_order' && fileGrew && !po.fileGrew && !row.approvals.fileGrew;
      if (cancelling !== po.cancelling || holding !== po.holding || grewMeanwhile)
        return { kind: 'changed', po: { ...po, cancelling, holding, fileGrew } };
      row.state = also.state ?? row.state;
      const intentId = insertIntent(row, step, also);
      return { kind: 'begun', intentId, po: show(row, po) };
    },

    endStep: async (po, owner, ended) => {
      const row = write(po, owner, { state: po.state, epoch: 'same', waitMs: 0 }, true, ended);
      return row && show(row, po);
    },

    transition: async (po, owner, transition, ended) =>
      write(po, owner, transition, false, ended) && { queued: isActive(transition.state), next: [] },

    transitionKeepingLease: async (po, owner, transition, ended, begin) => {
      const row = write(po, owner, transition, true, ended);
      if (!row) return undefined;
      const meanwhile =
        row.cancelling !== po.cancelling ||
        row.holding !== po.holding ||
        accounts.get(row.account)?.pausedByPerson;
      if (!begin || meanwhile) return { po: show(row, po), intentId: undefined };
      const intentId = insertIntent(row, begin.step, begin);
      return { po: show(row, po), intentId };
    },

    pauseAccount: async (account, { code, firstMs, capMs }) => {
      const row = accounts.get(account) ?? {
        pausedUntil: Number.NEGATIVE_INFINITY,
        code: undefined,
        pauses: 0,
      };
      const running = row.pausedUntil > now();
      const grown = row.pauses - (running && row.pauses > 0 ? 1 : 0);
      const asked = now() + Math.min(capMs, firstMs * 2 ** Math.min(30, grown));
      const next = {
        ...row,
        pauses: row.pauses + (running || firstMs >= capMs ? 0 : 1),
        code: asked >= row.pausedUntil ? code : row.code,
        pausedUntil: Math.max(row.pausedUntil, asked),
      };
      accounts.set(account, next);
      const longer = firstMs < capMs && firstMs * 2 ** (row.pauses - 1) < capMs;
      const isNews =
        next.code !== row.code || (running ? next.pausedUntil > row.pausedUntil + 10_000 : longer);
      return {
        change: row.code === undefined ? 'begun' : isNews ? 'changed' : 'unchanged',
        waitMs: Math.max(0, next.pausedUntil - now()),
      };
    },

    noteReadLag: async (account, lagMs) => {
      const row = accounts.get(account) ?? {
        pausedUntil: Number.NEGATIVE_INFINITY,
        code: undefined,
        pauses: 0,
      };
      if ((row.readLagMs ?? -1) >= lagMs) return false;
      accounts.set(account, { ...row, readLagMs: lagMs });
      return true;
    },

    clearPause: async (account) => {
      const row = accounts.get(account);
      if (!row) return false;
      row.pauses = 0;
      const ended = row.pausedUntil <= now() && row.code !== undefined;
      if (ended) row.code = undefined;
      return ended;
    },
  };
};
