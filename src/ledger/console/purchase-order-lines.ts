const shownLines = 2000;

const problem = `case
    when l.refusal is not null or l.quantity is null or exists (select from row_issues r
      where r.import_id = l.import_id and r.row_number = l.row_number and r.severity = 'issue') then 'refused'
    when l.backorder_quantity > 0 then 'backordered'
    when l.dealer_price > l.expected_price then 'price_above' end`;

/** SQL: the lines of a PO `p` as JSON, those with a problem first. A price that the service gave for a deleted cart is still shown. */
export const linesSql = `
  select coalesce(json_agg(json_build_object('rowNumber', l.row_number, 'item', coalesce(l.item_sku, l.item_id, ''),
      'sku', l.sku, 'name', l.name, 'quantity', l.quantity, 'available', l.available_quantity,
      'backorder', l.backorder_quantity, 'price', l.dealer_price::text, 'expectedPrice', l.expected_price::text,
      'difference', (l.dealer_price - l.expected_price)::text, 'amount', (l.dealer_price * l.quantity)::text,
      'note', l.note, 'refusal', l.refusal, 'problem', l.problem, 'options', l.options::json) order by l.rank, l.row_number), '[]')
  from (select l.*, array_position(array['refused', 'backordered', 'price_above', null], l.problem) as rank
    from (select l.*, ${problem} as problem from lines l where l.import_id = p.import_id and l.po_number = p.po_number) l
    order by rank, l.row_number limit ${shownLines}) l`;
