import type { Parts } from './change.ts';
import type { Operator } from './operator-actions.ts';

/** Who acts, as a statement with `recordedAction` takes it: `$2` to `$5`, behind the PO, which is `$1`. */
export const actingOn = (
  id: string,
  { who, note, via = 'command line', bulkRunId }: Operator,
): [id: string, ...unknown[]] => [id, who, note ?? null, via, bulkRunId ?? null];

/**
 * SQL: the parts that record what a person did to the PO in the part `acted`, and count it in a bulk run: with the action itself, so that a
 * run that a crash interrupts counts no PO twice and none too few. Its first parameters are `actingOn`.
 *
 * @param action an expression
 * @param detail the pairs of a JSON object
 */
export const recordedAction = (action: string, detail: string): Parts => ({
  before: 'select changed_at from purchase_orders where id = $1',
  recorded: `
    insert into operator_actions (who, action, account, import_id, purchase_order_id, note, via, detail)
    select $2, ${action}, a.account, a.import_id, a.id, $3, $4,
      jsonb_strip_nulls(jsonb_build_object('bulkRun', $5::bigint::text, 'since', b.changed_at, ${detail}))
    from acted a, before b`,
  counted: `
    update bulk_runs b set tried = b.tried + 1, done = b.done + 1, after_id = a.id
    from acted a where b.id = $5::bigint and b.after_id < a.id`,
});
