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
 * The statement that logs a change, to be a part of the statement that makes it: one round trip less, and
 * neither can be there without the other. $1 is the dealer, $2 the PO number, $3 the request id.
 * @param detail what was done, as SQL that gives json
 * @param from the part of the statement that did it; it gives one row, or none where nothing was done
 */
export const actedSql = (endpoint: Endpoint, detail: string, from: string): string =>
  `insert into dealer_service.audit (dealer, po_number, request_id, endpoint, outcome, status, detail)
   select $1, $2, $3, '${endpoint}', 'acted', 200, ${detail} from ${from}`;

/** Appends to the audit log what was refused, or which fault was given. */
export const writeAudit = async (
  pool: pg.Pool,
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
