import { actionEvents } from '../api-contract/action-words.ts';
import type { PoEvent } from '../api-contract/purchase-orders.ts';
import type { PurchaseOrderEvent } from '../ledger/console/purchase-order.ts';

const steps: Record<string, string> = {
  create_cart: 'Create the cart',
  add_items: 'Add the lines to the cart',
  delete_cart: 'Delete the cart',
  submit_order: 'Submit the order',
};

const outcomes: Record<string, string> = {
  done: 'done',
  partial: 'some lines were added',
  not_acted: 'not acted on',
  refused: 'refused by the service',
  contradicted: 'the service contradicts',
  unknown: 'no clear answer',
};

const states: Record<string, string> = {
  ordered: 'Ordered',
  closed: 'Closed',
  held: 'Held',
  failed: 'Failed',
  rejected: 'Rejected',
  cancelled: 'Cancelled',
  quoted: 'Quoted',
};

/** Days that the service returns without a time zone; they can differ from the account's days. */
const daysOfService = new Set(['order_date', 'ship_date', 'invoice_date']);

const whatOf = (
  { kind, code, outcome }: PurchaseOrderEvent,
  po: { firstRow: number; fileName: string },
): string => {
  switch (kind) {
    case 'read':
      return `Read from row ${po.firstRow} of ${po.fileName}`;
    case 'intent':
      return `${steps[code] ?? code}: ${outcome === null ? 'no outcome yet' : (outcomes[outcome] ?? outcome)}`;
    case 'action':
      return code === 'corrected' ? 'Corrected its rows' : (actionEvents[code] ?? code);
    case 'state':
      return states[code] ?? code;
    case 'status':
      return `Status check: ${code.replaceAll('_', ' ')}${daysOfService.has(code) ? ' (the service’s day)' : ''}`;
  }
};

const hasFailed = ({ kind, code, outcome }: PurchaseOrderEvent): boolean =>
  kind === 'state' ? ['failed', 'rejected'].includes(code) : outcome !== null && outcome !== 'done';

/** An entry of a PO's timeline in words. Pure. */
export const describeEvent = (
  event: PurchaseOrderEvent,
  po: { firstRow: number; fileName: string },
): PoEvent => {
  const { code: _, ...rest } = event;
  return { ...rest, what: whatOf(event, po), failed: hasFailed(event) };
};
