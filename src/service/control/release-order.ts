import type pg from 'pg';
import { isStorable } from '../../contract/text.ts';
import type { StoredItem } from '../fill-order.ts';
import { planSteps } from '../order-progress.ts';

/**
 * Releases an order on hold (spec 2.1: hold_order): it progresses from the current reading of the service's clock.
 * False if there is no such order or it is not on hold, so a repeat changes nothing.
 */
export const releaseOrder = async (pool: pg.Pool, orderNumber: string): Promise<boolean> => {
  if (!isStorable(orderNumber)) return false;
  const found = await pool.query<{ items: StoredItem[]; elapsed_ms: number }>(
    `select o.items, dealer_service.clock_ms() - s.placed_ms as elapsed_ms
     from dealer_service.orders as o join dealer_service.submissions as s using (submission_id)
     where o.order_number = $1 and o.steps is null`,
    [orderNumber],
  );
  const order = found.rows[0];
  if (!order) return false;
  const backordered = order.items.some((item) => item.available < item.quantity);
  const steps = Object.fromEntries(
    Object.entries(planSteps(orderNumber, backordered)).map(([status, at]) => [
      status,
      at + order.elapsed_ms,
    ]),
  );
  const released = await pool.query(
    'update dealer_service.orders set steps = $2 where order_number = $1 and steps is null',
    [orderNumber, JSON.stringify(steps)],
  );
  return released.rowCount === 1;
};
