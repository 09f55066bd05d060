import type { Queryable } from './change-po.ts';
import type { Endpoint } from './fault-rules.ts';

/** The request as every audit row identifies it. */
export interface RequestFacts {
  requestId: string;
  dealer: string;
  poNumber: string | null;
  endpoint: Endpoint;
}

export interface AuditRow extends RequestFacts {
  /** acted: the request changed something. refused: it changed nothing. fault: a fault was injected. */
  outcome: 'acted' | 'refused' | 'fault';
  /** The HTTP status of the answer; null for an injected fault. */
  status: number | null;
  detail: object;
}

/**
 * The audit insert as a part of the statement that makes the change: this saves a round trip, and neither can exist
 * without the other. $1 is the dealer, $2 the PO number, $3 the request id (see `changeValues`).
 * @param detail an SQL expression that returns the change as json
 * @param from the part of the statement that made the change: one row, or none if nothing changed
 */
export const actedSql = (endpoint: Endpoint, detail: string, from: string): string =>
  `insert into dealer_service.audit (dealer, po_number, request_id, endpoint, outcome, status, detail)
   select $1, $2, $3, '${endpoint}', 'acted', 200, ${detail} from ${from}`;

/** Appends a refusal or an injected fault to the audit log. */
export const writeAudit = async (
  pool: Queryable,
  row: AuditRow & { outcome: 'refused' | 'fault' },
): Promise<void> => {
  await pool.query({
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
