import type { OrderStatus } from '../../contract/codes.ts';
import { isStorable } from '../../contract/text.ts';
import type { Queryable } from '../change-po.ts';
import { type OrderSteps, stepsTo } from '../order-progress.ts';

/**
 * Sets the status of an order by hand. The order keeps it, regardless of the clock, until it is set again; this also releases
 * an order on hold. Dates that come with the status are taken from the clock.
 * @returns false if there is no such order
 */
export const setStatus = async (
  pool: Queryable,
  orderNumber: string,
  status: OrderStatus,
): Promise<boolean> => {
  if (!isStorable(orderNumber)) return false;
  const found = await pool.query<{ steps: OrderSteps | null; elapsed_ms: number }>(
    `select o.steps, dealer_service.clock_ms() - s.placed_ms as elapsed_ms
     from dealer_service.orders as o join dealer_service.submissions as s using (submission_id)
     where o.order_number = $1`,
    [orderNumber],
  );
  const order = found.rows[0];
  if (!order) return false;
  await pool.query('update dealer_service.orders set steps = $2 where order_number = $1', [
    orderNumber,
    JSON.stringify(stepsTo(status, order.steps ?? {}, order.elapsed_ms)),
  ]);
  return true;
};

/** Moves the submission of an order to noon (UTC) of a day, YYYY-MM-DD. Its orders progress from then. */
export const placeOn = async (pool: Queryable, orderNumber: string, day: string): Promise<void> => {
  await pool.query(
    `update dealer_service.submissions set order_date = $2::date,
       placed_ms = dealer_service.clock_reading(($2::date + interval '12 hours') at time zone 'utc')
     where submission_id = (select submission_id from dealer_service.orders where order_number = $1)`,
    [orderNumber, day],
  );
};
