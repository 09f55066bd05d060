import type pg from 'pg';
import type { JudgedOrder } from '../../src/service/read-audit.ts';

/** What a PO asks for: quantities by SKU, summed. */
export type Quantities = Record<string, number>;

/** What our side says of a PO, for a person to read. */
export interface Standing {
  state: string;
  reasonCode: string | undefined;
  reasonText: string | undefined;
  /** What a person was told about an order that may be wrong. */
  alarm?: string | undefined;
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

/**
 * Judges the POs of a file that went on growing after it had been picked up, which nobody can undo: each is ordered
 * whole, or as far as the file went at that time and then with an alarm, or held; one that came with the rest may be
 * unknown if the file's import is marked. What is wrong, in sentences.
 */
export const judgeGrown = (
  { whole, before }: { whole: ReadonlyMap<string, Quantities>; before: ReadonlyMap<string, Quantities> },
  served: ReadonlyMap<string, readonly JudgedOrder[]>,
  standings: ReadonlyMap<string, Standing>,
  isMarked: boolean,
): string[] => {
  const found: string[] = [];
  for (const [poNumber, quantities] of whole) {
    const orders = served.get(poNumber) ?? [];
    const standing = standings.get(poNumber);
    const said = standing ? `${standing.state} ${standing.reasonCode ?? ''}`.trim() : 'unknown';
    const submissions = new Set(orders.map((order) => order.submission)).size;
    const known = standing?.state === 'ordered' || standing?.state === 'closed';
    const ordered = text(sumOf(orders));
    if (submissions > 1) found.push(`${poNumber}: ${submissions} submissions (${said})`);
    else if (submissions === 0) {
      const explained = standing?.state === 'held' && standing.reasonCode !== undefined;
      const cameLater = standing === undefined && !before.has(poNumber) && isMarked;
      if (!explained && !cameLater) found.push(`${poNumber}: no order (${said})`);
    } else if (ordered === text(quantities)) {
      if (!known && standing?.state !== 'held') found.push(`${poNumber}: ordered, but said to be ${said}`);
    } else if (ordered !== text(before.get(poNumber) ?? {})) {
      found.push(`${poNumber}: asked ${text(quantities)}, ordered ${ordered} (${said})`);
    } else if (standing?.alarm === undefined) {
      found.push(`${poNumber}: ordered ${ordered} of ${text(quantities)} without an alarm (${said})`);
    }
  }
  return found;
};

/** Judges an account that can reach no service: all its POs are known and wait. What is wrong, in sentences. */
export const judgeWaiting = (
  asked: ReadonlyMap<string, Quantities>,
  standings: ReadonlyMap<string, Standing>,
): string[] =>
  [...asked.keys()].flatMap((poNumber) => {
    const state = standings.get(poNumber)?.state ?? 'unknown';
    return state === 'ready' || state === 'held'
      ? []
      : [`${poNumber}: ${state}, although nothing can be sent`];
  });

/** Judges an account that has no trouble of its own: everything is ordered. What is wrong, in sentences. */
export const judgeUndisturbed = (verdict: Verdict): string[] =>
  verdict.ordered === verdict.asked ? [] : [`not all were ordered: ${summarise(verdict)}`];

/**
 * What the ledger says of every PO of an account; of several under one number the one that is live. What was only
 * quoted never speaks for the PO.
 */
export const readStandings = async (ledger: pg.Pool, account: string): Promise<Map<string, Standing>> => {
  const { rows } = await ledger.query<Standing & { poNumber: string }>(
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
