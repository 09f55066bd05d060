import type { CartView, ItemAnswer, OrderAnswer } from '../../src/dealer-api/answers.ts';
import type { Intent, Line, TakenPurchaseOrder } from '../../src/placing/types.ts';

const answered: ItemAnswer = {
  sku: undefined,
  name: undefined,
  availableQuantity: undefined,
  backorderQuantity: undefined,
  dealerPrice: undefined,
};

export const line = (over: Partial<Omit<Line, 'answer'>> & { answer?: Partial<ItemAnswer> } = {}): Line => ({
  rowNumber: 2,
  itemSku: 'A-1',
  itemId: undefined,
  quantity: 1,
  note: undefined,
  expectedPrice: undefined,
  ...over,
  answer: over.answer && { ...answered, ...over.answer },
});

export const order = (orderNumber: string, lines: OrderAnswer['lines']): OrderAnswer => ({
  orderNumber,
  orderStatus: undefined,
  invoiceNumber: undefined,
  freight: undefined,
  miscCharges: undefined,
  orderTotal: undefined,
  warehouse: undefined,
  orderDate: undefined,
  shipDate: undefined,
  invoiceDate: undefined,
  shipVia: undefined,
  trackingNumbers: [],
  lines,
  items: undefined,
});

export const cart = (lines: CartView['lines']): CartView => ({ cartNumber: 'C1', lines });

export const intent = (
  step: Intent['step'],
  outcome: Intent['outcome'],
  epoch = 0,
  detail?: string,
): Intent => ({ id: '1', epoch, step, outcome, detail });

export const taken = (over: Partial<TakenPurchaseOrder> = {}): TakenPurchaseOrder => ({
  id: '1',
  account: 'default',
  importId: '1',
  fileName: 'orders.csv',
  poNumber: 'PO-1',
  state: 'ready',
  epoch: 0,
  cartEpoch: undefined,
  cartNumber: undefined,
  rebuilds: 0,
  lookups: 0,
  failures: 0,
  failingForMs: 0,
  baseline: undefined,
  approvals: {},
  quoteOnly: false,
  fileGrew: false,
  orderIsLive: false,
  cancelling: false,
  holding: false,
  options: {},
  createdAt: new Date('2026-03-01T12:00:00Z'),
  intents: [],
  lines: [line()],
  accountPauses: 0,
  accountWasPaused: false,
  sinceUnclearMs: undefined,
  run: 0,
  ...over,
});
