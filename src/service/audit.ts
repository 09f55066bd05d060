import type pg from 'pg';
import type { Endpoint } from './fault-rules.ts';

/** Who asked for what, as every audit row names it. */
export interface RequestFacts {
  requestId: string;
  dealer: string;
  poNumber: string | null;
  endpoint: Endpoint;
}

export interface AuditRow extends RequestFacts {
  /** acted: something changed. refused: nothing did. fault: a fault mode was given. */
  outcome: 'acted' | 'refused' | 'fault';
  /** The HTTP status that was meant for the client; null where there was none. */
  status: number | null;
  detail: object;
}

/**
 * Appends to the audit log. Given the client of a transaction, the row stands or falls with it.
 * PO numbers that Postgres cannot hold are left out: such a request never changes anything.
 */
export const writeAudit = async (db: pg.Pool | pg.PoolClient, row: AuditRow): Promise<void> => {
  await db.query({
    name: 'service-audit',
    text: `insert into dealer_service.audit (request_id, dealer, po_number, endpoint, outcome, status, detail)
           values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [
      row.requestId,
      row.dealer,
      row.poNumber,
      row.endpoint,
      row.outcome,
      row.status,
      JSON.stringify(row.detail),
    ],
  });
};
