import {
  activeStates,
  type EndedStep,
  type Line,
  type TakenPurchaseOrder,
  type Transition,
} from '../../placing/types.ts';
import { placingColumns } from '../purchase-order-row.ts';
import { msFromNow } from '../purchase-order-sql.ts';
import { firstSubmittedAt } from '../submissions.ts';
import { changePos, type Parts, withParts } from './change.ts';
import { fillWindowSql, whereItWaits } from './windows.ts';
import { lateWishCode, orderedAnyway } from './wishes.ts';

/** A prepared statement: one name always has one text. */
export interface TransitionStatement {
  name: string;
  text: string;
  values: unknown[];
}

const orderNumbersOf = ({ orderNumber, orders = [] }: Transition): string[] =>
  orderNumber !== undefined ? [orderNumber] : orders.map((order) => order.orderNumber);

/** What the account has never ordered so much of in one line: each item, and any item (''). */
const linesLargerThanEver = (lines: readonly Line[]): { item: string; quantity: number }[] =>
  lines.flatMap(({ itemSku, itemId, quantity, largestOrdered = {} }) => [
    ...(quantity > (largestOrdered.ofItem ?? 0) ? [{ item: itemSku ?? `#${itemId}`, quantity }] : []),
    ...(quantity > (largestOrdered.ofAny ?? 0) ? [{ item: '', quantity }] : []),
  ]);

/**
 * One statement that writes everything a step leads to: the PO's transition (guarded by id, lease, epoch and state), the
 * outcome of its intent, the service's answers to its lines, its orders, that the result file is due, and, where the PO
 * makes room in its account's window, which POs get a job next. Without the guarded row it writes nothing and returns no
 * row. With it and a kept lease, it returns one row with the placing columns of the PO; otherwise rows with `dispatch` of
 * the PO and, if `id` is not null, due work.
 *
 * It contains only the parts that have something to write: starting a part costs Postgres more than running it.
 */
export const transitionStatement = (
  po: TakenPurchaseOrder,
  owner: string,
  transition: Transition,
  ended: EndedStep | undefined,
  { keepLease, window = 1 }: { keepLease: boolean; window?: number },
): TransitionStatement => {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const parts: Parts = {};

  const { cart } = transition;
  const state = bind(transition.state);
  const failed = transition.failed ?? false;
  const waits = transition.waitMs > 0;
  const hasNextStep = (activeStates as readonly string[]).includes(transition.state);
  const dispatch = !hasNextStep ? `'backlog'` : waits ? whereItWaits('p') : 'p.dispatch';
  const cartIs = bind(cart === undefined ? 'same' : cart === 'gone' ? 'gone' : 'new');
  const takenAway = transition.state === 'cancelled' && !po.quoteOnly;
  const { written, ...follows } = changePos('written', {
    by: 'end a step',
    set: {
      state,
      epoch: `p.epoch + ${bind(transition.epoch === 'next' ? 1 : 0)}::int`,
      // Of a PO that has ended it stays the time at which it was last due: by that others are found that it has overtaken.
      ...(keepLease ? {} : { dispatch }),
      ...(keepLease || !hasNextStep ? {} : { next_at: msFromNow(`${bind(transition.waitMs)}::float8`) }),
      reason_code: bind(transition.reason?.code ?? null),
      reason_text: bind(transition.reason?.text ?? null),
      cart_number: `case ${cartIs} when 'gone' then null
        when 'new' then ${bind(typeof cart === 'object' ? cart.number : null)} else p.cart_number end`,
      cart_epoch: `case ${cartIs} when 'gone' then null when 'new' then p.epoch else p.cart_epoch end`,
      rebuilds: `p.rebuilds + ${bind(transition.rebuilt ? 1 : 0)}::int`,
      lookups: bind(transition.lookups ?? po.lookups),
      failures: failed ? 'p.failures + 1' : '0',
      failing_since: failed ? 'coalesce(p.failing_since, clock_timestamp())' : 'null',
      alarm: `coalesce(${bind(transition.alarm ?? null)}, ${orderedAnyway('p', state)}, p.alarm)`,
      cancelling: `p.cancelling and ${state} not in ('cancelled', 'failed', 'ordered')`,
      holding: `p.holding and ${state} not in ('cancelled', 'failed', 'ordered', 'held')`,
      ...(transition.state === 'ordered'
        ? { alarm_code: lateWishCode('p'), ordered_at: `coalesce(p.ordered_at, ${firstSubmittedAt('p')})` }
        : {}),
    },
    endsLease: !keepLease,
    where: `p.id = ${bind(po.id)} and p.lease_owner = ${bind(owner)} and p.epoch = ${bind(po.epoch)}
      and p.state = ${bind(po.state)}`,
    returning: keepLease ? placingColumns('p') : 'p.cart_epoch, p.dispatch',
    ...(takenAway ? { takesAway: 'ask' as const } : {}),
  });
  parts.written = written!;

  if (ended) {
    parts.ended = `
    update intents set outcome = ${bind(ended.outcome)}, detail = ${bind(ended.detail ?? null)},
      ended_at = clock_timestamp()
    where id = ${bind(ended.intentId)} and exists (select from written)`;
  }
  if (ended?.answers?.length) {
    const answers = ended.answers.map(({ rowNumber, answer }) => ({ rowNumber, ...answer }));
    // The PO number is needed for the plan: without it, Postgres reads every line of the import.
    parts.answered = `
    update lines l set answered_epoch = w.cart_epoch, sku = a.sku, name = a.name,
      available_quantity = a."availableQuantity", backorder_quantity = a."backorderQuantity",
      dealer_price = a."dealerPrice", refusal = null
    from written w, jsonb_to_recordset(${bind(JSON.stringify(answers))}::jsonb) as a("rowNumber" int, sku text,
      name text, "availableQuantity" int, "backorderQuantity" int, "dealerPrice" numeric)
    where l.import_id = w.import_id and l.po_number = w.po_number and l.row_number = a."rowNumber"`;
  }
  if (ended?.refusal) {
    parts.refused = `
    update lines l set refusal = ${bind(ended.refusal.message)} from written w
    where l.import_id = w.import_id and l.row_number = ${bind(ended.refusal.rowNumber)}::int`;
  }
  const orderNumbers = orderNumbersOf(transition);
  if (orderNumbers.length > 0) {
    parts.placed = `
    insert into orders (purchase_order_id, account, po_number, order_number)
    select w.id, w.account, w.po_number, n from written w, unnest(${bind(orderNumbers)}::text[]) n
    on conflict (purchase_order_id, order_number) do nothing`;
  }
  const larger = transition.state === 'ordered' ? linesLargerThanEver(po.lines) : [];
  if (larger.length > 0) {
    parts.larger = `
    insert into largest_orders as m (account, item, quantity)
    select w.account, v.item, max(v.quantity)
    from written w, unnest(${bind(larger.map(({ item }) => item))}::text[], ${bind(larger.map(({ quantity }) => quantity))}::int[]) v(item, quantity)
    -- A conflict locks its row until the commit, even if it changes nothing: one account's POs would end one after the other.
    where not exists (select from largest_orders known
      where known.account = w.account and known.item = v.item and known.quantity >= v.quantity)
    group by 1, 2 order by 2
    on conflict (account, item) do update set quantity = excluded.quantity where m.quantity < excluded.quantity`;
  }
  Object.assign(parts, follows);
  const leavesWindow = !keepLease && (waits || !hasNextStep);
  if (leavesWindow) {
    parts.next = fillWindowSql({
      account: bind(po.account),
      window: `${bind(window)}::int`,
      leaving: bind(po.id),
      if: `exists (select from written w where w.dispatch <> 'window')`,
    });
  }

  const names = Object.keys(parts);
  const flags = [
    keepLease && 'kept',
    failed && 'failed',
    transition.state === 'ordered' && 'ordered',
    !keepLease && hasNextStep && waits && 'waits',
    !keepLease && hasNextStep && !waits && 'at-once',
  ];
  return {
    name: ['transition', ...names, ...flags.filter(Boolean)].join('-'),
    text: `${withParts(parts)}
  ${keepLease ? 'select * from written' : leavesWindow ? 'select w.dispatch, next.* from written w left join next on true' : 'select dispatch from written'}`,
    values,
  };
};
