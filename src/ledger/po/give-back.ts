import { isConflicting, isReadAgain, namedPo } from '../purchase-order-sql.ts';
import { insertPos } from './write.ts';

/**
 * SQL: parts of a statement that withdraws POs: a PO that another file repeated becomes a PO of that file, so that nothing is lost with the
 * first one. `given` has the new POs with `id` and `import_id`.
 *
 * After a re-read, the other file's POs are live at once (`at_once`), and further repetitions refer to them. After a cancellation by a
 * person, one is held for a decision (`ask`); further repetitions stay with the cancelled PO.
 *
 * @param ended the part with the withdrawn POs: columns `id`, `account` and `po_number`
 */
export const giveBackRepeated = (ended: string, how: 'at_once' | 'ask'): Record<string, string> => ({
  given: insertPos(
    {
      account: 'p.account',
      po_number: 'p.po_number',
      po_key: 'p.po_key',
      import_id: 'r.import_id',
      first_row: 'r.first_row',
      line_count: 'r.line_count',
      // From that file's reading: the account's constants may have changed between the two.
      options: 'coalesce(r.options, p.options)',
      content_hash: 'coalesce(r.content_hash, p.content_hash)',
      file_hash: 'p.file_hash',
      po_written: 'p.po_written',
      // A pending decision about the first PO carries over to this one.
      state: how === 'ask' ? `'held'` : `p.state`,
      reason_code:
        how === 'ask'
          ? `case when ${isConflicting('p')} then p.reason_code else 'was_cancelled' end`
          : 'p.reason_code',
      reason_text:
        how === 'ask'
          ? `case when ${isConflicting('p')} then p.reason_text
        else ${namedPo('p')} || ' was cancelled in import ' || p.import_id || ', and this file asks for the same. Release it to order it now, or cancel it again.' end`
          : 'p.reason_text',
      turn: 'p.turn',
    },
    {
      distinct: 'distinct on (p.id)',
      // Reads the rows as they were before this statement.
      from: `${ended} e join purchase_orders p on p.id = e.id
    join repeated_purchase_orders r on r.purchase_order_id = p.id and r.import_id <> p.import_id
    join imports i on i.id = r.import_id and i.rows_pruned_at is null and not ${isReadAgain('i')}
    where not p.quote_only
    order by p.id, r.import_id ${how === 'ask' ? 'desc' : ''}`,
      returning: 'id, account, po_number, import_id',
    },
  ),
  dropped: `
    delete from repeated_purchase_orders r using given g where r.import_id = g.import_id and r.po_number = g.po_number`,
  ...(how === 'at_once'
    ? {
        moved: `
    update repeated_purchase_orders r set purchase_order_id = g.id
    from given g join ${ended} e on e.account = g.account and e.po_number = g.po_number
    where r.purchase_order_id = e.id and r.import_id <> g.import_id`,
      }
    : {}),
  marked: `
    update imports i set po_count = i.po_count + g.count, result_due = true
    from (select import_id, count(*) from given group by 1) g where i.id = g.import_id`,
});
