import type pg from 'pg';
import type { JudgedOrder } from './read-audit.ts';

/** A PO's quantities by SKU, summed. */
export type Quantities = Record<string, number>;

/** A PO in the ledger. */
export interface LedgerPo {
  state: string;
  reasonCode: string | undefined;
  reasonText: string | undefined;
  /** The warning about an order that may be wrong. */
  alarm?: string | undefined;
}

export interface Verdict {
  asked: number;
  /** Number of POs with exactly one order with the file's quantities that the ledger shows as ordered. */
  ordered: number;
  /** Neither ordered nor clearly held, failed or rejected; or recorded as ordered although no order exists. */
  lost: string[];
  /** Submitted more than once. */
  double: string[];
  /** Ordered with other quantities, ordered without being requested, or ordered but not recorded as ordered. */
  wrong: string[];
  /** Held POs by their reason, whether an order exists or not. */
  held: Record<string, string[]>;
  /** Rejected, failed or cancelled with a reason, without an order, by state and reason. */
  refused: Record<string, string[]>;
}

const text = (quantities: Quantities): string =>
  JSON.stringify(Object.fromEntries(Object.entries(quantities).sort(([a], [b]) => (a < b ? -1 : 1))));

const sumOf = (orders: readonly JudgedOrder[]): Quantities => {
  const total: Quantities = {};
  for (const order of orders) {
    for (const [sku, quantity] of Object.entries(order.quantities)) {
      total[sku] = (total[sku] ?? 0) + quantity;
    }
  }
  return total;
};

/**
 * Judges the outcome of one dealer's POs by the service's audit log. The ledger only has to show clearly that a PO was not
 * ordered.
 */
export const judge = (
  asked: ReadonlyMap<string, Quantities>,
  served: ReadonlyMap<string, readonly JudgedOrder[]>,
  ledgerPos: ReadonlyMap<string, LedgerPo>,
): Verdict => {
  const verdict: Verdict = {
    asked: asked.size,
    ordered: 0,
    lost: [],
    double: [],
    wrong: [],
    held: {},
    refused: {},
  };
  const add = (to: Record<string, string[]>, key: string, poNumber: string) => {
    to[key] = [...(to[key] ?? []), poNumber];
  };
  for (const [poNumber, quantities] of asked) {
    const orders = served.get(poNumber) ?? [];
    const ledgerPo = ledgerPos.get(poNumber);
    const recorded = ledgerPo ? `${ledgerPo.state} ${ledgerPo.reasonCode ?? ''}`.trim() : 'unknown';
    const submissions = new Set(orders.map((order) => order.submission)).size;
    const isOrdered = ledgerPo?.state === 'ordered' || ledgerPo?.state === 'closed';
    const explained = ledgerPo?.reasonCode !== undefined && ledgerPo.reasonText !== undefined;
    if (submissions > 1) verdict.double.push(`${poNumber}: ${submissions} submissions (${recorded})`);
    if (submissions > 0 && text(sumOf(orders)) !== text(quantities)) {
      verdict.wrong.push(
        `${poNumber}: asked ${text(quantities)}, ordered ${text(sumOf(orders))} (${recorded})`,
      );
    }
    if (ledgerPo?.state === 'held' && explained) add(verdict.held, ledgerPo.reasonCode!, poNumber);
    else if (
      submissions === 0 &&
      !isOrdered &&
      explained &&
      ['rejected', 'failed', 'cancelled'].includes(ledgerPo.state)
    ) {
      add(verdict.refused, recorded, poNumber);
    } else if (submissions === 0) verdict.lost.push(`${poNumber}: no order (${recorded})`);
    else if (isOrdered) verdict.ordered += 1;
    else verdict.wrong.push(`${poNumber}: ordered, but recorded as ${recorded}`);
  }
  for (const poNumber of served.keys()) {
    if (!asked.has(poNumber)) verdict.wrong.push(`${poNumber}: ordered, but not requested`);
  }
  return verdict;
};

/** The verdict when every PO that was asked for became exactly one order. */
export const allOrdered = (asked: ReadonlyMap<string, Quantities>): Verdict => ({
  asked: asked.size,
  ordered: asked.size,
  lost: [],
  double: [],
  wrong: [],
  held: {},
  refused: {},
});

/**
 * Judges the POs of a file that grew after it had been picked up, which cannot be undone. Each must be ordered completely, or
 * with the file's content at that time plus an alarm, or held; a PO of the rest may be unknown if the file's import is
 * marked. Returns errors as sentences.
 */
export const judgeGrown = (
  { whole, before }: { whole: ReadonlyMap<string, Quantities>; before: ReadonlyMap<string, Quantities> },
  served: ReadonlyMap<string, readonly JudgedOrder[]>,
  ledgerPos: ReadonlyMap<string, LedgerPo>,
  isMarked: boolean,
): string[] => {
  const found: string[] = [];
  for (const [poNumber, quantities] of whole) {
    const orders = served.get(poNumber) ?? [];
    const ledgerPo = ledgerPos.get(poNumber);
    const recorded = ledgerPo ? `${ledgerPo.state} ${ledgerPo.reasonCode ?? ''}`.trim() : 'unknown';
    const submissions = new Set(orders.map((order) => order.submission)).size;
    const isOrdered = ledgerPo?.state === 'ordered' || ledgerPo?.state === 'closed';
    const ordered = text(sumOf(orders));
    if (submissions > 1) found.push(`${poNumber}: ${submissions} submissions (${recorded})`);
    else if (submissions === 0) {
      const explained = ledgerPo?.state === 'held' && ledgerPo.reasonCode !== undefined;
      const cameLater = ledgerPo === undefined && !before.has(poNumber) && isMarked;
      if (!explained && !cameLater) found.push(`${poNumber}: no order (${recorded})`);
    } else if (ordered === text(quantities)) {
      if (!isOrdered && ledgerPo?.state !== 'held')
        found.push(`${poNumber}: ordered, but recorded as ${recorded}`);
    } else if (ordered !== text(before.get(poNumber) ?? {})) {
      found.push(`${poNumber}: asked ${text(quantities)}, ordered ${ordered} (${recorded})`);
    } else if (ledgerPo?.alarm === undefined) {
      found.push(`${poNumber}: ordered ${ordered} of ${text(quantities)} without an alarm (${recorded})`);
    }
  }
  return found;
};

/** Judges an account without a reachable service: all its POs must be recorded and wait. Returns errors as sentences. */
export const judgeWaiting = (
  asked: ReadonlyMap<string, Quantities>,
  ledgerPos: ReadonlyMap<string, LedgerPo>,
): string[] =>
  [...asked.keys()].flatMap((poNumber) => {
    const state = ledgerPos.get(poNumber)?.state ?? 'unknown';
    return state === 'ready' || state === 'held'
      ? []
      : [`${poNumber}: ${state}, although nothing can be sent`];
  });

/** Judges an account without faults: everything must be ordered. Returns errors as sentences. */
export const judgeUndisturbed = (verdict: Verdict): string[] =>
  verdict.ordered === verdict.asked ? [] : [`not all were ordered: ${summarise(verdict)}`];

/**
 * All POs of an account in the ledger; of several with the same number, the live one. Without quotes.
 */
export const readLedgerPos = async (ledger: pg.Pool, account: string): Promise<Map<string, LedgerPo>> => {
  const { rows } = await ledger.query<LedgerPo & { poNumber: string }>(
    `select po_number as "poNumber", state, reason_code as "reasonCode", reason_text as "reasonText", alarm
     from purchase_orders where account = $1 and not quote_only
     order by (state in ('rejected', 'failed', 'cancelled') or reason_code is not distinct from 'conflicting_po') desc, id`,
    [account],
  );
  return new Map(
    rows.map(({ poNumber, state, reasonCode, reasonText, alarm }) => [
      poNumber,
      {
        state,
        reasonCode: reasonCode ?? undefined,
        reasonText: reasonText ?? undefined,
        alarm: alarm ?? undefined,
      },
    ]),
  );
};

const counts = (by: Record<string, string[]>): string =>
  Object.entries(by)
    .map(([reason, pos]) => `${reason} ${pos.length}`)
    .join(', ');

const sum = (by: Record<string, string[]>): number =>
  Object.values(by).reduce((total, pos) => total + pos.length, 0);

export const heldOf = (verdict: Verdict): number => sum(verdict.held);

/** The verdict in one line. */
export const summarise = (verdict: Verdict): string =>
  `${verdict.asked} purchase orders: ${verdict.ordered} ordered, lost ${verdict.lost.length}, ` +
  `double ${verdict.double.length}, wrong ${verdict.wrong.length}, ` +
  `held ${sum(verdict.held)}${sum(verdict.held) > 0 ? ` (${counts(verdict.held)})` : ''}, ` +
  `refused ${sum(verdict.refused)}${sum(verdict.refused) > 0 ? ` (${counts(verdict.refused)})` : ''}`;
