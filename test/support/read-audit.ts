import type pg from 'pg';
import type { AuditRow } from '../../src/service/audit.ts';

/** An order as the audit log recorded it, its quantities summed by SKU. */
export interface JudgedOrder {
  orderNumber: string;
  cartNumber: string;
  /** The submission that created it; several orders of one submission come from several warehouses. */
  submission: string;
  quantities: Record<string, number>;
}

/** One entry of the log. `at` is the database's time; `auditId` increases with it. */
export interface AuditEntry extends AuditRow {
  auditId: string;
  at: Date;
  detail: {
    cart_number?: string;
    replaced_cart_number?: string;
    sku?: string;
    quantity?: number;
    orders?: { order_number: string; items: { sku: string; quantity: number }[] }[];
    code?: string;
    kind?: string;
  };
}

/** Restricts which entries are read. */
export interface AuditFilter {
  dealer?: string;
  poNumber?: string;
  outcome?: AuditRow['outcome'];
}

/** The log in the order in which it was written. */
export const readAudit = async (pool: pg.Pool, filter: AuditFilter = {}): Promise<AuditEntry[]> => {
  const { rows } = await pool.query<AuditEntry>(
    `select audit_id as "auditId", at, request_id as "requestId", dealer, po_number as "poNumber", endpoint,
       outcome, status, detail
     from dealer_service.audit
     where ($1::text is null or dealer = $1) and ($2::text is null or po_number = $2)
       and ($3::text is null or outcome = $3)
     order by audit_id`,
    [filter.dealer ?? null, filter.poNumber ?? null, filter.outcome ?? null],
  );
  return rows;
};

/** Every order of every PO, by PO number. A PO that was submitted twice shows two submissions. */
export const ordersByPo = async (
  pool: pg.Pool,
  filter: Pick<AuditFilter, 'dealer'> = {},
): Promise<Map<string, JudgedOrder[]>> => {
  const byPo = new Map<string, JudgedOrder[]>();
  for (const entry of await readAudit(pool, { ...filter, outcome: 'acted' })) {
    if (entry.endpoint !== 'submitOrder' || entry.poNumber === null) continue;
    const orders = byPo.get(entry.poNumber) ?? [];
    for (const order of entry.detail.orders ?? []) {
      const quantities: Record<string, number> = {};
      for (const { sku, quantity } of order.items) quantities[sku] = (quantities[sku] ?? 0) + quantity;
      orders.push({
        orderNumber: order.order_number,
        cartNumber: entry.detail.cart_number ?? '',
        submission: entry.auditId,
        quantities,
      });
    }
    byPo.set(entry.poNumber, orders);
  }
  return byPo;
};

/** Number of injected faults, by kind. */
export const faultsGiven = async (pool: pg.Pool): Promise<Record<string, number>> => {
  const given: Record<string, number> = {};
  for (const entry of await readAudit(pool, { outcome: 'fault' })) {
    const kind = entry.detail.kind ?? '';
    given[kind] = (given[kind] ?? 0) + 1;
  }
  return given;
};
