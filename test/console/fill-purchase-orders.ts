import type pg from 'pg';
import { insertImport, insertPurchaseOrder, insertRow } from '../support/ledger-rows.ts';

/** Five POs in two accounts with lines, an order, intents and an action. Returns their ids and those of two imports. */
export const fillPurchaseOrders = async (pool: pg.Pool): Promise<Record<string, string>> => {
  const ids: Record<string, string> = {};
  const north = { account: 'north' };
  ids.monday = await insertImport(pool, { ...north, file_name: 'Monday.csv' });
  ids.southFile = await insertImport(pool, { account: 'south', file_name: 'monday-south.csv' });

  ids.first = await insertPurchaseOrder(pool, ids.monday, 'NS-1001', {
    ...north,
    state: 'cancelled',
    reason_code: 'cancelled',
    content_hash: 'first',
    import_id: await insertImport(pool, { ...north, file_name: 'Friday.csv' }),
  });
  ids.ordered = await insertPurchaseOrder(pool, ids.monday, 'NS-1001', {
    ...north,
    state: 'ordered',
    line_count: 3,
    created_at: '2026-11-20T10:00:00Z',
    changed_at: '2026-11-20T10:00:05Z',
    ordered_at: '2026-11-20T10:00:04Z',
    options: { ship_via: 'UPS' },
  });
  for (const [at, line] of [
    {
      item_sku: 'AB-1',
      quantity: 2,
      dealer_price: '10.50',
      expected_price: '10.00',
      available_quantity: 1,
      backorder_quantity: 1,
    },
    { item_sku: 'ab-12', quantity: 1, dealer_price: '3' },
    { item_id: '77', quantity: 4, dealer_price: '0.125', expected_price: '0.25', note: 'gift' },
  ].entries())
    await insertRow(pool, 'lines', {
      import_id: ids.monday,
      row_number: 2 + at,
      po_number: 'NS-1001',
      ...line,
    });
  const order = await insertRow(pool, 'orders', {
    ...north,
    purchase_order_id: ids.ordered,
    po_number: 'NS-1001',
    order_number: 'SO77001',
    order_status: 'Shipped',
    tracking_numbers: ['1Z999AA10123456784', 'Pallet-9'],
    invoice_number: 'INV-5',
    ship_name: 'Ann Miller',
    ship_zip: '04101',
  });
  await insertRow(pool, 'status_changes', {
    order_id: order,
    field: 'order_status',
    was: 'Open',
    became: 'Shipped',
    seen_at: '2026-11-20T12:00:00Z',
  });
  for (const [epoch, step, begun, ended, outcome] of [
    [0, 'create_cart', '10:00:00', '10:00:01', 'unknown'],
    [1, 'create_cart', '10:00:02', '10:00:02.250', 'done'],
    [1, 'submit_order', '10:00:03', '10:00:04', 'done'],
  ] as const)
    await insertRow(pool, 'intents', {
      purchase_order_id: ids.ordered,
      epoch,
      step,
      outcome,
      begun_at: `2026-11-20T${begun}Z`,
      ended_at: `2026-11-20T${ended}Z`,
    });
  await insertRow(pool, 'operator_actions', {
    ...north,
    at: '2026-11-20T10:00:01.500Z',
    who: 'Ada',
    action: 'release',
    purchase_order_id: ids.ordered,
    note: 'price agreed',
  });

  ids.held = await insertPurchaseOrder(pool, ids.monday, 'NS-1002', {
    ...north,
    state: 'held',
    reason_code: 'price_above',
    reason_text: 'AB-1 (row 4) costs 12.00, the file expects 10.00.',
    alarm: 'One order too many.',
    changed_at: '2026-11-01T00:00:00Z',
  });
  ids.rejected = await insertPurchaseOrder(pool, ids.monday, '=1+1', {
    ...north,
    state: 'rejected',
    reason_code: 'row_issues',
  });
  await insertRow(pool, 'row_issues', {
    import_id: ids.monday,
    row_number: 9,
    po_number: '=1+1',
    column_name: 'Qty',
    code: 'not_a_number',
    message: 'Row 9: Qty is not a number.',
    found: 'x',
  });
  ids.south = await insertPurchaseOrder(pool, ids.southFile, 'ns-1001', { account: 'south' });
  await insertRow(pool, 'lines', {
    import_id: ids.southFile,
    row_number: 2,
    po_number: 'ns-1001',
    item_sku: 'AB-1',
    quantity: 1,
  });
  return ids;
};
