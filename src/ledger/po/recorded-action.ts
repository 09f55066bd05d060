import type { Parts } from './change.ts';

/**
 * SQL: the parts that record what a person did to the PO in the part `acted`, and count it in a bulk run: with the action itself, so that a
 * run that a crash interrupts counts no PO twice and none too few. `$1` is the PO.
 *
 * @param action parameters, and for `detail` the pairs of a JSON object
 */
export const recordedAction = (action: {
  who: string;
  action: string;
  note: string;
  via: string;
  bulkRun: string;
  detail: string;
}): Parts => ({
  before: 'select changed_at from purchase_orders where id = $1',
  recorded: `
    insert into operator_actions (who, action, account, import_id, purchase_order_id, note, via, detail)
    select ${action.who}, ${action.action}, a.account, a.import_id, a.id, ${action.note}, ${action.via},
      jsonb_strip_nulls(jsonb_build_object('bulkRun', ${action.bulkRun}::bigint::text, 'since', b.changed_at, ${action.detail}))
    from acted a, before b`,
  counted: `
    update bulk_runs b set tried = b.tried + 1, done = b.done + 1, after_id = a.id
    from acted a where b.id = ${action.bulkRun}::bigint and b.after_id < a.id`,
});
