import { activeStates } from '../placing/types.ts';

/**
 * SQL: has the result files written again that show these POs: those of their own imports, and those of imports in
 * which they came again. `changed` is a part of the statement, with the columns `id` and `import_id`. An array lets
 * Postgres find the imports by their ids also where the ledger has no statistics yet.
 */
export const makeResultsDue = (changed: string): string => `
  update imports i set result_due = true
  where not i.result_due and i.id = any(array(
    select c.import_id from ${changed} c
    union all
    select r.import_id from ${changed} c join repeated_purchase_orders r on r.purchase_order_id = c.id))`;

/** SQL: the same for the imports in which these POs came again only, where their own is written to anyway. */
export const makeRepeatsDue = (changed: string): string => `
  update imports i set result_due = true
  where not i.result_due and i.id = any(array(
    select r.import_id from ${changed} c join repeated_purchase_orders r on r.purchase_order_id = c.id))`;

const active = activeStates.map((state) => `'${state}'`).join(', ');

/** SQL: no PO that the import's result file shows has a next step, whichever import brought it first. */
export const nothingMoves = (importId: string): string => `(
  not exists (select from purchase_orders a where a.import_id = ${importId} and a.state in (${active}))
  and not exists (
    select from repeated_purchase_orders r join purchase_orders a on a.id = r.purchase_order_id
    where r.import_id = ${importId} and a.state in (${active})))`;
