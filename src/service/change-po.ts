import type pg from 'pg';
import type { RequestFacts } from './audit.ts';

/** A pool, or a client in a transaction. */
export type Queryable = Pick<pg.Pool, 'query'>;

/** Identifies what every change at the service applies to. */
export interface PoKey {
  dealer: string;
  poNumber: string;
}

/** The facts that a change is decided on, with the version of the PO number at which they were read. */
export interface PoFacts {
  version: string;
}

/** A request that changes something: its PO, and what the audit log records of it. */
export interface ChangeRequest {
  key: PoKey;
  facts: RequestFacts;
}

/** The values of $1 to $4 in `atVersionSql` and `actedSql`. */
export const changeValues = ({ key, facts }: ChangeRequest, { version }: PoFacts): string[] => [
  key.dealer,
  key.poNumber,
  facts.requestId,
  version,
];

/** Either a result without a change, or one statement to run and how to read its result. */
export type Decision<T> =
  | { write?: undefined; result: T }
  | { write: pg.QueryConfig; read: (written: pg.QueryResult) => T };

/**
 * The start of a query that reads the facts of a change. It always returns one row, even for an unused PO number.
 * $1 is the dealer, $2 the PO number.
 */
export const factsSql = (columns: string, joins = ''): string =>
  `select coalesce(po.version, 0) as version, ${columns}
   from (select) as always
   left join dealer_service.po_versions as po on po.dealer = $1 and po.po_number = $2
   left join dealer_service.carts as cart
     on cart.dealer = $1 and cart.po_number = $2 and cart.removed_at is null
   ${joins}`;

/**
 * The part of a change's statement that checks the version: it returns one row if nothing else has changed under the
 * PO number since the facts were read, otherwise none, and every other part must depend on that row (an aggregate over
 * nothing is also a row). Of two concurrent changes, in any processes, one waits here for the other and then finds a newer
 * version.
 * $1 is the dealer, $2 the PO number, $4 the version (see `changeValues`).
 */
export const atVersionSql = `
  insert into dealer_service.po_versions as po (dealer, po_number, version) values ($1, $2, 1)
  on conflict (dealer, po_number) do update set version = po.version + 1 where po.version = $4
  returning version`;

/**
 * Changes something under one PO number of one dealer as if no other change ran at the same time: `decide` chooses
 * the change from one consistent set of facts, and one statement makes it. If the facts have changed meanwhile, they
 * are read and decided again. Row locks would not help, because a change can depend on a row that does not exist yet (no
 * cart, no order). An attempt fails only because another one succeeded, so this always ends.
 */
export const changePo = async <Facts extends PoFacts, T>(
  pool: Queryable,
  facts: pg.QueryConfig,
  decide: (facts: Facts) => Decision<T>,
): Promise<T> => {
  for (;;) {
    const found = await pool.query<Facts>(facts);
    const decision = decide(found.rows[0]!);
    if (!decision.write) return decision.result;
    const written = await pool.query(decision.write);
    if (written.rowCount) return decision.read(written);
  }
};
