import type pg from 'pg';
import type { JudgedOrder } from '../../src/service/read-audit.ts';

/** What a PO asks for: quantities by SKU, summed. */
export type Quantities = Record<string, number>;

/** What our side says of a PO, for a person to read. */
export interface Standing {
  state: string;
  reasonCode: string | undefined;
  reasonText: string | undefined;
}

export interface Verdict {
  asked: number;
  /** Exactly one order with exactly the file's quantities, and we know it. */
  ordered: number;
  /** Neither ordered nor clearly held, failed or rejected; or said to be ordered where there is no order. */
  lost: string[];
  /** Submitted more than once. */
  double: string[];
  /** Ordered with other quantities, ordered though nobody asked, or ordered though we say that it is not. */
  wrong: string[];
  /** Held POs by their reason, whether an order stands or not. */
  held: Record<string, string[]>;
  /** Rejected, failed or cancelled, with a reason, and no order stands. By state and reason. */
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
 * Judges what became of the POs of one dealer by what the service's audit log says was done. Of our own side
 * it is only asked whether a PO that was not ordered is clearly said to be so.
 */
export const judge = (
  asked: ReadonlyMap<string, Quantities>,
  served: ReadonlyMap<string, readonly JudgedOrder[]>,
  standings: ReadonlyMap<string, Standing>,
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
    const standing = standings.get(poNumber);
    const said = standing ? `${standing.state} ${standing.reasonCode ?? ''}`.trim() : 'unknown';
    const submissions = new Set(orders.map((order) => order.submission)).size;
    const known = standing?.state === 'ordered' || standing?.state === 'closed';
    const explained = standing?.reasonCode !== undefined && standing.reasonText !== undefined;
    if (submissions > 1) verdict.double.push(`${poNumber}: ${submissions} submissions (${said})`);
    if (submissions > 0 && text(sumOf(orders)) !== text(quantities)) {
      verdict.wrong.push(`${poNumber}: asked ${text(quantities)}, ordered ${text(sumOf(orders))} (${said})`);
    }
    if (standing?.state === 'held' && explained) add(verdict.held, standing.reasonCode!, poNumber);
    else if (
      submissions === 0 &&
      !known &&
      explained &&
      ['rejected', 'failed', 'cancelled'].includes(standing.state)
    ) {
      add(verdict.refused, said, poNumber);
    } else if (submissions === 0) verdict.lost.push(`${poNumber}: no order (${said})`);
    else if (known) verdict.ordered += 1;
    else verdict.wrong.push(`${poNumber}: ordered, but said to be ${said}`);
  }
  for (const poNumber of served.keys()) {
    if (!asked.has(poNumber)) verdict.wrong.push(`${poNumber}: ordered, but nobody asked for it`);
  }
  return verdict;
};

/** What the ledger says of every PO of an account; of several under one number the one that is live. */
export const readStandings = async (ledger: pg.Pool, account: string): Promise<Map<string, Standing>> => {
  const { rows } = await ledger.query<Standing & { poNumber: string }>(
    `select po_number as "poNumber", state, reason_code as "reasonCode", reason_text as "reasonText"
     from purchase_orders where account = $1
     order by quote_only desc, (state in ('rejected', 'failed', 'cancelled') or reason_code is not distinct from 'conflicting_po') desc, id`,
    [account],
  );
  return new Map(
    rows.map(({ poNumber, state, reasonCode, reasonText }) => [
      poNumber,
      { state, reasonCode: reasonCode ?? undefined, reasonText: reasonText ?? undefined },
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
