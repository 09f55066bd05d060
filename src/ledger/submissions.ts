import { certainlyNotOrdered } from '../placing/attempt-facts.ts';
import { listed } from './purchase-order-sql.ts';

const notOrdered = listed(certainlyNotOrdered);

/** SQL: a submission of the PO may have created an order, by the same rule as in placing. */
export const mayHaveOrdered = (po: string): string => `exists (
  select from intents i where i.purchase_order_id = ${po}.id and i.step = 'submit_order'
    and coalesce(i.outcome, 'unknown') not in (${notOrdered}))`;

/**
 * SQL: the service has, or may have, a cart that was created for the PO: it is not certainly deleted. For texts only; whether a cart at the
 * service is ours is decided in placing.
 */
export const mayHaveCart = (po: string): string => `exists (
  select from intents c where c.purchase_order_id = ${po}.id and c.step = 'create_cart'
    and coalesce(c.outcome, 'unknown') in ('unknown', 'done')
    and not exists (select from intents d where d.purchase_order_id = c.purchase_order_id and d.step = 'delete_cart'
      and d.outcome = 'done' and d.id > c.id))`;

/**
 * SQL: the earliest time at which the PO's order may have been created. An order found days later can be that old, so a poll must include
 * that day.
 */
export const firstSubmittedAt = (po: string): string => `coalesce(
  (select min(i.begun_at) from intents i where i.purchase_order_id = ${po}.id and i.step = 'submit_order'),
  clock_timestamp())`;

/** SQL: no call that changes anything was made or begun for the PO. */
export const nothingSent = (po: string): string =>
  `(${po}.lease_owner is null and not exists (select from intents n where n.purchase_order_id = ${po}.id))`;

/**
 * SQL: when the PO's last submission that was sent ended, or began if it has no outcome; null without one. Its order
 * exists by then or within the settle time after it. A refused submission counts too: it only makes the wait longer.
 */
export const lastSubmittedAt = (po: string): string => `(
  select max(coalesce(i.ended_at, i.begun_at)) from intents i
  where i.purchase_order_id = ${po}.id and i.step = 'submit_order' and i.outcome is distinct from 'not_acted')`;
