import type pg from 'pg';

/** What every change at the service is about. */
export interface PoKey {
  dealer: string;
  poNumber: string;
}

/** What a change was decided on: at which version of its PO number the rest was read. */
export interface PoFacts {
  version: string;
}

/** What is to be done: nothing, or one statement, and what is answered once it has written. */
export type Decision<T> =
  | { write?: undefined; result: T }
  | { write: pg.QueryConfig; read: (written: pg.QueryResult) => T };

/**
 * The beginning of a question that decides a change: one row, whatever there is under the PO number.
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
 * The part of a change's statement by which it holds only where nothing else was changed under the PO number
 * since it was decided: one row then, otherwise none, and every other part is to depend on it. Of two
 * changes at the same time, in whatever processes, one waits here for the other and finds the version gone.
 * $1 is the dealer, $2 the PO number, $4 the version.
 */
export const atVersionSql = `
  insert into dealer_service.po_versions as po (dealer, po_number, version) values ($1, $2, 1)
  on conflict (dealer, po_number) do update set version = po.version + 1 where po.version = $4
  returning version`;

/**
 * Changes something under one PO number of one dealer as if nobody else did: `decide` says what is to be done
 * by facts of one moment, and it is done in one statement, or decided anew where they are no longer true.
 * Nothing is locked between the two. A loser means that another change was made, so it never goes on for ever.
 */
export const changePo = async <Facts extends PoFacts, T>(
  pool: pg.Pool,
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
