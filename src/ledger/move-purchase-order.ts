import type { EndedStep, Move, TakenPurchaseOrder } from '../placing/types.ts';
import { makeResultsDue } from './result-due.ts';
import { firstSubmittedAt } from './submissions.ts';

/** A prepared statement: one name always has one text. */
export interface MoveStatement {
  name: string;
  text: string;
  values: unknown[];
}

const orderNumbersOf = (move: Move): string[] =>
  move.orderNumber !== undefined ? [move.orderNumber] : (move.orders ?? []).map((order) => order.orderNumber);

/**
 * One statement that writes everything a step leads to: the PO's move (guarded by id, lease, epoch and
 * state), the outcome of its intent, the service's answers to its lines, its orders, and that the result
 * file is due. Without the guarded row nothing of it is written. Answers `moved` = 1 or 0.
 *
 * Only the parts that have something to write are in it: starting a part costs Postgres more than running it.
 */
export const moveStatement = (
  po: TakenPurchaseOrder,
  owner: string,
  move: Move,
  ended: EndedStep | undefined,
  { keepLease }: { keepLease: boolean },
): MoveStatement => {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const parts: Record<string, string> = {};

  const { cart } = move;
  const state = bind(move.state);
  const failed = move.failed ?? false;
  const lease = () => `lease_owner = null, lease_until = null,
      next_at = clock_timestamp() + ${bind(move.waitMs)}::float8 * interval '1 millisecond',`;
  const cartIs = bind(cart === undefined ? 'same' : cart === 'gone' ? 'gone' : 'new');
  parts.moved = `
    update purchase_orders p set
      state = ${state}, epoch = p.epoch + ${bind(move.epoch === 'next' ? 1 : 0)}::int,
      ${keepLease ? '' : lease()}
      reason_code = ${bind(move.reason?.code ?? null)}, reason_text = ${bind(move.reason?.text ?? null)},
      cart_number = case ${cartIs} when 'gone' then null
        when 'new' then ${bind(typeof cart === 'object' ? cart.number : null)} else p.cart_number end,
      cart_epoch = case ${cartIs} when 'gone' then null when 'new' then p.epoch else p.cart_epoch end,
      rebuilds = p.rebuilds + ${bind(move.rebuilt ? 1 : 0)}::int, looks = ${bind(move.looks ?? po.looks)},
      failures = ${failed ? 'p.failures + 1' : '0'},
      failing_since = ${failed ? 'coalesce(p.failing_since, clock_timestamp())' : 'null'},
      alarm = coalesce(${bind(move.alarm ?? null)}, p.alarm),
      cancelling = p.cancelling and ${state} not in ('cancelled', 'failed', 'ordered')
      ${move.state === 'ordered' ? `, ordered_at = coalesce(p.ordered_at, ${firstSubmittedAt('p')})` : ''},
      changed_at = clock_timestamp()
    where p.id = ${bind(po.id)} and p.lease_owner = ${bind(owner)} and p.epoch = ${bind(po.epoch)}
      and p.state = ${bind(po.state)}
    returning p.id, p.import_id, p.account, p.po_number, p.cart_epoch`;

  if (ended) {
    parts.ended = `
    update intents set outcome = ${bind(ended.outcome)}, detail = ${bind(ended.detail ?? null)},
      ended_at = clock_timestamp()
    where id = ${bind(ended.intentId)} and exists (select from moved)`;
  }
  if (ended?.answers?.length) {
    const answers = ended.answers.map(({ rowNumber, answer }) => ({ rowNumber, ...answer }));
    // The PO number is said for the plan: without it every line of the import is read.
    parts.answered = `
    update lines l set answered_epoch = m.cart_epoch, sku = a.sku, name = a.name,
      available_quantity = a."availableQuantity", backorder_quantity = a."backorderQuantity",
      dealer_price = a."dealerPrice", refusal = null
    from moved m, jsonb_to_recordset(${bind(JSON.stringify(answers))}::jsonb) as a("rowNumber" int, sku text,
      name text, "availableQuantity" int, "backorderQuantity" int, "dealerPrice" numeric)
    where l.import_id = m.import_id and l.po_number = m.po_number and l.row_number = a."rowNumber"`;
  }
  if (ended?.refusal) {
    parts.refused = `
    update lines l set refusal = ${bind(ended.refusal.message)} from moved m
    where l.import_id = m.import_id and l.row_number = ${bind(ended.refusal.rowNumber)}::int`;
  }
  const orderNumbers = orderNumbersOf(move);
  if (orderNumbers.length > 0) {
    parts.placed = `
    insert into orders (purchase_order_id, account, po_number, order_number)
    select m.id, m.account, m.po_number, n from moved m, unnest(${bind(orderNumbers)}::text[]) n
    on conflict (purchase_order_id, order_number) do nothing`;
  }
  parts.due = makeResultsDue('moved');

  const names = Object.keys(parts);
  const flags = [keepLease && 'kept', failed && 'failed', move.state === 'ordered' && 'ordered'];
  return {
    name: ['move', ...names, ...flags.filter(Boolean)].join('-'),
    text: `with ${names.map((name) => `${name} as (${parts[name]})`).join(',\n  ')}
  select count(*)::int as moved from moved`,
    values,
  };
};
