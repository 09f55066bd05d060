import type { EndedStep, NextCall } from './placing-ledger.ts';
import type { ChangingStep, Line, TakenPurchaseOrder, Transition } from './types.ts';

/** The PO's cart after a transition. */
const cartAfter = (
  { epoch, cartNumber, cartEpoch }: TakenPurchaseOrder,
  cart: Transition['cart'],
): Pick<TakenPurchaseOrder, 'cartNumber' | 'cartEpoch'> => {
  if (cart === undefined) return { cartNumber, cartEpoch };
  return cart === 'gone'
    ? { cartNumber: undefined, cartEpoch: undefined }
    : { cartNumber: cart.number, cartEpoch: epoch };
};

/**
 * The PO after a write that keeps its lease, as `take` would read it, except for wishes of people, which only the ledger
 * knows. This gives the next step before the write. Answers to lines count only for the current cart.
 */
export const afterWrite = (
  po: TakenPurchaseOrder,
  transition: Transition & Pick<TakenPurchaseOrder, 'state'>,
  ended: EndedStep | undefined,
): TakenPurchaseOrder => {
  const cart = cartAfter(po, transition.cart);
  const sameCart = cart.cartEpoch === po.cartEpoch;
  const answers = new Map(ended?.answers?.map(({ rowNumber, answer }) => [rowNumber, answer]));
  const answerOf = (line: Line) => answers.get(line.rowNumber) ?? (sameCart ? line.answer : undefined);
  return {
    ...po,
    ...cart,
    state: transition.state,
    epoch: po.epoch + (transition.epoch === 'next' ? 1 : 0),
    rebuilds: po.rebuilds + (transition.rebuilt ? 1 : 0),
    lookups: transition.lookups ?? po.lookups,
    failures: 0,
    failingForMs: 0,
    intents: po.intents.map((intent) =>
      intent.id === ended?.intentId ? { ...intent, outcome: ended.outcome, detail: ended.detail } : intent,
    ),
    lines: po.lines.map((line) => ({
      ...line,
      answer: cart.cartEpoch === undefined ? undefined : answerOf(line),
    })),
  };
};

/** The PO after an intent was written for it. */
export const withIntent = (
  po: TakenPurchaseOrder,
  id: string,
  { step, baseline, timeoutMs }: Omit<NextCall, 'step'> & { step: ChangingStep },
): TakenPurchaseOrder => ({
  ...po,
  ...(baseline ? { baseline } : {}),
  intents: [
    ...po.intents,
    {
      id,
      epoch: po.epoch,
      step,
      outcome: undefined,
      detail: undefined,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    },
  ],
});
