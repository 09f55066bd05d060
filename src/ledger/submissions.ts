/** SQL: a submission of the PO may have made an order. The same as the standing that placing decides by. */
export const mayHaveOrdered = (po: string): string => `exists (
  select from intents i where i.purchase_order_id = ${po}.id and i.step = 'submit_order'
    and i.outcome is distinct from 'not_acted' and i.outcome is distinct from 'refused')`;

/**
 * SQL: when the PO's order may have come into being at the earliest. What is found out later, perhaps days
 * later, has stood there since then: a poll must ask for that day too.
 */
export const firstSubmittedAt = (po: string): string => `coalesce(
  (select min(i.begun_at) from intents i where i.purchase_order_id = ${po}.id and i.step = 'submit_order'),
  clock_timestamp())`;

/**
 * SQL: when the PO's last submission that may have acted ended; null without one. Its order is made by then, or within
 * the settle time after it: what an earlier submission would have made by now says nothing about it.
 */
export const lastSubmittedAt = (po: string): string => `(
  select max(coalesce(i.ended_at, i.begun_at)) from intents i
  where i.purchase_order_id = ${po}.id and i.step = 'submit_order' and i.outcome is distinct from 'not_acted')`;
