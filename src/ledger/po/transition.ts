import type { EndedStep, NextCall } from '../../placing/placing-ledger.ts';
import { isActiveState, type Line, type TakenPurchaseOrder, type Transition } from '../../placing/types.ts';
import { msFromNow, personPaused } from '../purchase-order-sql.ts';
import { firstSubmittedAt } from '../submissions.ts';
import { changePos, type Parts, withParts } from './change.ts';
import { fillWindowSql, queueStateOfWaiting } from './windows.ts';
import { lateWishCode, orderedAnyway } from './wishes.ts';

/** A prepared statement: one name always has one text. */
export interface TransitionStatement {
  name: string;
  text: string;
  values: unknown[];
}

const orderNumbersOf = ({ orderNumber, orders = [] }: Transition): string[] =>
  orderNumber !== undefined ? [orderNumber] : orders.map((order) => order.orderNumber);

/** New maximum quantities in one line: per item, and over all items (''). */
const linesLargerThanEver = (lines: readonly Line[]): { item: string; quantity: number }[] =>
  lines.flatMap(({ itemSku, itemId, quantity, largestOrdered = {} }) => [
    ...(quantity > (largestOrdered.ofItem ?? 0) ? [{ item: itemSku ?? `#${itemId}`, quantity }] : []),
    ...(quantity > (largestOrdered.ofAny ?? 0) ? [{ item: '', quantity }] : []),
  ]);

/** Statement texts by name: built once per shape, not per PO. */
const texts = new Map<string, string>();

/**
 * One statement that writes all results of a step: the PO's transition (guarded by id, lease, epoch and state), the outcome of its intent,
 * the service's answers to its lines, its orders, the result file's due mark, the intent of an immediately following call, and, if the PO
 * makes room in its account's window, which POs get a job next. If the guard matches no row, it writes nothing and returns no row. If the
 * lease is kept, it returns one row with pending wishes and the ID of the intent; otherwise rows with the PO's `dispatch` and, if `id` is
 * not null, due work.
 *
 * It contains only the parts that write something, because starting a CTE costs Postgres more than running it.
 */
export const transitionStatement = (
  po: TakenPurchaseOrder,
  owner: string,
  transition: Transition,
  ended: EndedStep | undefined,
  { keepLease, window = 1, begin }: { keepLease: boolean; window?: number; begin?: NextCall | undefined },
): TransitionStatement => {
  const { cart } = transition;
  const waits = transition.waitMs > 0 || (transition.pausedMs ?? 0) > 0;
  const hasNextStep = isActiveState(transition.state);
  const isOrdered = transition.state === 'ordered';
  const larger = isOrdered ? linesLargerThanEver(po.lines) : [];
  const orderNumbers = orderNumbersOf(transition);
  const shape = {
    keepLease,
    waits,
    hasNextStep,
    isOrdered,
    failed: transition.failed !== undefined,
    takenAway: transition.state === 'cancelled' && !po.quoteOnly,
    leavesWindow: !keepLease && (waits || !hasNextStep),
    ended: ended !== undefined,
    answered: (ended?.answers?.length ?? 0) > 0,
    refused: ended?.refusal !== undefined,
    placed: orderNumbers.length > 0,
    larger: larger.length > 0,
    begins: begin !== undefined,
    provesNone: begin?.baseline !== undefined,
  };
  const given: Record<string, unknown> = {
    id: po.id,
    owner,
    epoch: po.epoch,
    stateBefore: po.state,
    state: transition.state,
    cartIs: cart === undefined ? 'same' : cart === 'gone' ? 'gone' : 'new',
    cartNumber: typeof cart === 'object' ? cart.number : null,
    moreEpochs: transition.epoch === 'next' ? 1 : 0,
    reasonCode: transition.reason?.code ?? null,
    reasonText: transition.reason?.text ?? transition.failed ?? null,
    moreRebuilds: transition.rebuilt ? 1 : 0,
    lookups: transition.lookups ?? po.lookups,
    alarm: transition.alarm ?? null,
    ...(!keepLease && hasNextStep ? { waitMs: transition.waitMs } : {}),
    ...(ended ? { outcome: ended.outcome, detail: ended.detail ?? null, intentId: ended.intentId } : {}),
    ...(shape.answered
      ? {
          answers: JSON.stringify(ended!.answers!.map(({ rowNumber, answer }) => ({ rowNumber, ...answer }))),
        }
      : {}),
    ...(ended?.refusal ? { refusal: ended.refusal.message, refusedRow: ended.refusal.rowNumber } : {}),
    ...(shape.placed ? { orderNumbers } : {}),
    ...(shape.larger
      ? { largerItems: larger.map(({ item }) => item), largerBy: larger.map(({ quantity }) => quantity) }
      : {}),
    ...(shape.leavesWindow || begin ? { account: po.account } : {}),
    ...(shape.leavesWindow ? { window } : {}),
    ...(begin
      ? {
          step: begin.step,
          timeoutMs: begin.timeoutMs ?? null,
          cancelling: po.cancelling,
          holding: po.holding,
        }
      : {}),
    ...(begin?.baseline ? { baseline: begin.baseline } : {}),
  };
  // Postgres compares only the first 63 characters of names.
  const name = `transition-${Object.values(shape).map(Number).join('')}`;
  const text = texts.get(name) ?? writeText(shape, Object.keys(given));
  texts.set(name, text);
  return { name, text, values: Object.values(given) };
};

type Shape = Record<
  | 'keepLease'
  | 'waits'
  | 'hasNextStep'
  | 'isOrdered'
  | 'failed'
  | 'takenAway'
  | 'leavesWindow'
  | 'ended'
  | 'answered'
  | 'refused'
  | 'placed'
  | 'larger'
  | 'begins'
  | 'provesNone',
  boolean
>;

const writeText = (shape: Shape, given: readonly string[]): string => {
  const { keepLease, hasNextStep, failed } = shape;
  const value = (name: string): string => `$${given.indexOf(name) + 1}`;
  const state = value('state');
  // Decide again if a person's wish arrived after the decision.
  const mayBegin = (
    po: string,
  ) => `${po}.cancelling = ${value('cancelling')} and ${po}.holding = ${value('holding')}
      and not ${personPaused(value('account'))}`;
  const dispatch = !hasNextStep ? `'backlog'` : shape.waits ? queueStateOfWaiting('p') : 'p.dispatch';
  const { written, ...follows } = changePos('written', {
    by: 'end a step',
    set: {
      state,
      epoch: `p.epoch + ${value('moreEpochs')}::int`,
      // For an ended PO, `next_at` keeps its last due time, which shows the POs that it has overtaken.
      ...(keepLease ? {} : { dispatch }),
      ...(keepLease || !hasNextStep ? {} : { next_at: msFromNow(`${value('waitMs')}::float8`) }),
      reason_code: value('reasonCode'),
      reason_text: value('reasonText'),
      cart_number: `case ${value('cartIs')} when 'gone' then null
        when 'new' then ${value('cartNumber')} else p.cart_number end`,
      cart_epoch: `case ${value('cartIs')} when 'gone' then null when 'new' then p.epoch else p.cart_epoch end`,
      rebuilds: `p.rebuilds + ${value('moreRebuilds')}::int`,
      lookups: value('lookups'),
      failures: failed ? 'p.failures + 1' : '0',
      failing_since: failed ? 'coalesce(p.failing_since, clock_timestamp())' : 'null',
      alarm: `coalesce(${value('alarm')}, ${orderedAnyway('p', state)}, p.alarm)`,
      cancelling: `p.cancelling and ${state} not in ('cancelled', 'failed', 'ordered')`,
      holding: `p.holding and ${state} not in ('cancelled', 'failed', 'ordered', 'held')`,
      ...(shape.provesNone
        ? { baseline: `case when ${mayBegin('p')} then ${value('baseline')} else p.baseline end` }
        : {}),
      ...(shape.isOrdered
        ? { alarm_code: lateWishCode('p'), ordered_at: `coalesce(p.ordered_at, ${firstSubmittedAt('p')})` }
        : {}),
    },
    endsLease: !keepLease,
    where: `p.id = ${value('id')} and p.lease_owner = ${value('owner')} and p.epoch = ${value('epoch')}
      and p.state = ${value('stateBefore')}`,
    returning: keepLease ? 'p.cart_epoch, p.epoch, p.cancelling, p.holding' : 'p.cart_epoch, p.dispatch',
    ...(shape.takenAway ? { takesAway: 'ask' as const } : {}),
  });
  const parts: Parts = {
    written: written!,
    ...(shape.ended
      ? {
          ended: `
    update intents set outcome = ${value('outcome')}, detail = ${value('detail')}, ended_at = clock_timestamp()
    where id = ${value('intentId')} and exists (select from written)`,
        }
      : {}),
    // The PO number is needed for the plan: without it, Postgres reads every line of the import.
    ...(shape.answered
      ? {
          answered: `
    update lines l set answered_epoch = w.cart_epoch, sku = a.sku, name = a.name,
      available_quantity = a."availableQuantity", backorder_quantity = a."backorderQuantity",
      dealer_price = a."dealerPrice", refusal = null
    from written w, jsonb_to_recordset(${value('answers')}::jsonb) as a("rowNumber" int, sku text,
      name text, "availableQuantity" int, "backorderQuantity" int, "dealerPrice" numeric)
    where l.import_id = w.import_id and l.po_number = w.po_number and l.row_number = a."rowNumber"`,
        }
      : {}),
    ...(shape.refused
      ? {
          refused: `
    update lines l set refusal = ${value('refusal')} from written w
    where l.import_id = w.import_id and l.row_number = ${value('refusedRow')}::int`,
        }
      : {}),
    ...(shape.placed
      ? {
          placed: `
    insert into orders (purchase_order_id, account, po_number, order_number)
    select w.id, w.account, w.po_number, n from written w, unnest(${value('orderNumbers')}::text[]) n
    on conflict (purchase_order_id, order_number) do nothing`,
        }
      : {}),
    // `on conflict` locks the row until the commit even if nothing changes, which would serialize an account's POs.
    ...(shape.larger
      ? {
          larger: `
    insert into largest_orders as m (account, item, quantity)
    select w.account, v.item, max(v.quantity)
    from written w, unnest(${value('largerItems')}::text[], ${value('largerBy')}::int[]) v(item, quantity)
    where not exists (select from largest_orders known
      where known.account = w.account and known.item = v.item and known.quantity >= v.quantity)
    group by 1, 2 order by 2
    on conflict (account, item) do update set quantity = excluded.quantity where m.quantity < excluded.quantity`,
        }
      : {}),
    ...(shape.begins
      ? {
          begun: `
    insert into intents (purchase_order_id, epoch, step, timeout_ms)
    select w.id, w.epoch, ${value('step')}, ${value('timeoutMs')} from written w where ${mayBegin('w')}
    returning id`,
        }
      : {}),
    ...follows,
    ...(shape.leavesWindow
      ? {
          next: fillWindowSql({
            account: value('account'),
            window: `${value('window')}::int`,
            leaving: value('id'),
            if: `exists (select from written w where w.dispatch <> 'window')`,
          }),
        }
      : {}),
  };
  const answer = keepLease
    ? `select cancelling, holding${shape.begins ? ', (select id from begun) as intent_id' : ''} from written`
    : shape.leavesWindow
      ? 'select w.dispatch, next.* from written w left join next on true'
      : 'select dispatch from written';
  return `${withParts(parts)}
  ${answer}`;
};
