import type { Advanced } from './advance.ts';
import type { Findings } from './placing-run.ts';
import type { TransitionStep } from './transition-for.ts';
import type { TakenPurchaseOrder } from './types.ts';

const plural = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

/** The effects of a step at the service or in the ledger, a few words each, for the job's log. */
export const describeStep = (
  po: TakenPurchaseOrder,
  step: TransitionStep,
  { cartNumber, orderNumber, newOrders = [], failed }: Findings,
): string[] => {
  const trouble = failed ? [failed.message] : [];
  switch (step.do) {
    case 'cart_created':
      return [`cart ${cartNumber ?? po.cartNumber} created`];
    case 'items_added':
      return [...(step.epoch === 'same' ? [`${plural(po.lines.length, 'line')} added`] : []), ...trouble];
    case 'ordered': {
      const numbers = orderNumber === undefined ? newOrders.map((order) => order.orderNumber) : [orderNumber];
      return [`order ${numbers.join(', ')}`];
    }
    case 'ready':
      return [...trouble, 'the cart was deleted and will be built again'];
    case 'verify':
      return [...trouble, 'an order may exist: it will be looked up'];
    default:
      return trouble;
  }
};

const stateText: Record<string, string> = {
  held: 'held for a person',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** A job's work on its PO, as one line of its log. */
export const describeRun = (advanced: Advanced): string => {
  switch (advanced.kind) {
    case 'transitioned': {
      const { did, state, waitMs } = advanced;
      const then = waitMs > 0 ? `continues in ${Math.ceil(waitMs / 1000)} s` : stateText[state];
      return [...did, ...(then === undefined ? [] : [then])].join(', ') || `is now ${state}`;
    }
    case 'later':
      return advanced.why === 'paused'
        ? 'the account is paused'
        : advanced.why === 'leased'
          ? 'another worker has this PO'
          : 'not due yet';
    case 'not_served':
      return `this worker does not serve the account ${advanced.account}`;
    case 'elsewhere':
      return advanced.state === undefined ? 'the PO no longer exists' : `the PO is already ${advanced.state}`;
    case 'lost':
      return 'the lease ran out, so another worker can continue';
  }
};
