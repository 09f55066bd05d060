import { beforeEach, describe, expect, test } from 'vitest';
import type { CallResult, DealerApi, FailedCall } from '../../src/dealer-api/answers.ts';
import type { Logger } from '../../src/logger.ts';
import { advance } from '../../src/placing/advance.ts';
import { createCircuit } from '../../src/placing/circuit.ts';
import type { PlacingDeps } from '../../src/placing/placing-run.ts';
import { activeStates, type ChangingStep } from '../../src/placing/types.ts';
import { createMemoryLedger, type MemoryLedger } from '../simulation/memory-ledger.ts';
import { createModelService, type ModelService, noAddress, unknownSku } from '../simulation/model-service.ts';
import { defaultService } from '../simulation/plan.ts';
import { ledgerRow } from '../simulation/purchase-orders.ts';
import { line } from './lines.ts';
import { rules } from './rules.ts';

const leaseMs = 10_000;
const silent = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger;

let now: number;
let ledger: MemoryLedger;
let service: ModelService;
let api: DealerApi;
let deps: PlacingDeps;
/** The ledger's knowledge when a changing call reached the service. */
let knownAtCalls: string[];

const answered = <T>(
  effect: ReturnType<ModelService['deleteCart']> | { kind: string; value?: T },
): CallResult<T> =>
  effect.kind === 'ok'
    ? (effect as { kind: 'ok'; value: T })
    : ({ kind: effect.kind, status: 422, message: `answered ${effect.kind}` } as FailedCall);

beforeEach(() => {
  now = 0;
  knownAtCalls = [];
  ledger = createMemoryLedger(() => now);
  service = createModelService(defaultService, () => now);
  ledger.rows.set(
    '1',
    ledgerRow('1', [line({ rowNumber: 2, itemSku: 'A', quantity: 2 }), line({ rowNumber: 3, itemSku: 'B' })]),
  );
  const change = async <T>(
    step: ChangingStep,
    gate: (() => boolean) | undefined,
    act: () => unknown,
  ): Promise<CallResult<T>> => {
    if (gate && !gate()) return { kind: 'not_sent', message: 'not started' };
    const { state, intents } = ledger.rows.get('1')!;
    const last = intents.at(-1)!;
    knownAtCalls.push(`${step} while ${state}: ${last.step} ${last.outcome ?? 'begun'}`);
    return answered<T>(act() as { kind: string; value?: T });
  };
  api = {
    createCart: ({ poNumber }, gate) => change('create_cart', gate, () => service.createCart(poNumber)),
    addItem: (poNumber, item, gate) => change('add_items', gate, () => service.addItem(poNumber, item)),
    deleteCart: (poNumber, gate) => change('delete_cart', gate, () => service.deleteCart(poNumber)),
    createOrder: (poNumber, gate) => change('submit_order', gate, () => service.createOrder(poNumber)),
    showCart: async (poNumber) => {
      const cart = service.showCart(poNumber, 0);
      return cart ? { kind: 'ok', value: cart } : { kind: 'not_found', message: 'answered 404' };
    },
    showOrder: async (poNumber) => {
      const orders = service.showOrders(poNumber, 0);
      return orders.length > 0
        ? { kind: 'ok', value: { ...noAddress, poNumber, orders } }
        : { kind: 'not_found', message: 'answered 404' };
    },
    listOrders: async () => ({ kind: 'ok', value: [] }),
    stop: () => {},
  };
  deps = {
    ledger,
    accounts: () => ['default'],
    apiOf: () => api,
    rulesOf: () => rules,
    leaseMs,
    graceMs: 91_000,
    logger: silent,
    circuit: createCircuit(),
    reasonLog: { note() {}, stop() {} },
    clock: { monotonicMs: () => now, date: () => new Date(now), every: () => () => {} },
  };
});

const step = () => advance(deps, '1', activeStates);
/** Runs steps until the PO has ended, letting the requested time pass after each. */
const drain = async (): Promise<string> => {
  for (let at = 0; at < 5000; at += 1) {
    const advanced = await step();
    if (advanced.kind === 'elsewhere') return advanced.state!;
    now += 'waitMs' in advanced ? advanced.waitMs : leaseMs + deps.graceMs + 1;
  }
  throw new Error('comes to no end');
};
const row = () => ledger.rows.get('1')!;
const ordered = () => service.showOrders('PO-1', 0).flatMap((order) => order.lines!);

test('a PO becomes one order with its lines, each call with its intent committed before it', async () => {
  expect(await drain()).toBe('ordered');
  expect(ordered()).toEqual([
    { sku: 'A', quantity: 2 },
    { sku: 'B', quantity: 1 },
  ]);
  expect(knownAtCalls).toEqual([
    'create_cart while ready: create_cart begun',
    'add_items while cart_created: add_items begun',
    'add_items while cart_created: add_items begun',
    'submit_order while submitting: submit_order begun',
  ]);
  expect(row().intents.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual([
    'create_cart done',
    'add_items done',
    'submit_order done',
  ]);
});

describe('a lost lease', () => {
  test('at the send: nothing is sent or written, and the next worker finds the intent', async () => {
    const { beginStep } = ledger;
    deps = {
      ...deps,
      ledger: {
        ...ledger,
        beginStep: async (...args) => {
          const id = await beginStep(...args);
          now += leaseMs;
          return id;
        },
      },
    };
    expect(await step()).toEqual({ kind: 'lost' });
    expect(knownAtCalls).toEqual([]);
    expect(service.log).toEqual([]);
    expect(row().intents).toMatchObject([{ step: 'create_cart', outcome: undefined }]);
  });

  test('before a write: what was done is not recorded as done', async () => {
    deps = {
      ...deps,
      checkpoint: async (name) => {
        if (name === 'effect_done') row().leaseOwner = 'another';
      },
    };
    expect(await step()).toEqual({ kind: 'lost' });
    expect(row()).toMatchObject({ state: 'ready', intents: [{ step: 'create_cart', outcome: undefined }] });
  });
});

test('a PO that continues with a new cart sends all its lines, including those that an old cart already had', async () => {
  const [first, second] = row().lines;
  // Released after a hold: the old, half-filled cart is gone at the service, but the ledger still has it.
  Object.assign(row(), { epoch: 1, cartEpoch: 0, cartNumber: 'C-OLD', baseline: [] });
  Object.assign(first!, {
    answer: { sku: 'A', name: undefined, availableQuantity: 2, backorderQuantity: 0, dealerPrice: '1.00' },
    answeredEpoch: 0,
  });
  row().intents.push(
    { id: 'a', epoch: 0, step: 'create_cart', outcome: 'done', detail: undefined, begunAt: 0, endedAt: 0 },
    { id: 'b', epoch: 0, step: 'add_items', outcome: 'partial', detail: undefined, begunAt: 0, endedAt: 0 },
  );
  expect(second!.answer).toBeUndefined();
  expect(await step()).toMatchObject({ kind: 'transitioned', state: 'ordered' });
  expect(knownAtCalls.filter((call) => call.startsWith('add_items'))).toHaveLength(2);
  expect(ordered()).toEqual([
    { sku: 'A', quantity: 2 },
    { sku: 'B', quantity: 1 },
  ]);
});

test('a process that is to end leaves a PO at its next state, with its lease given back', async () => {
  deps = { ...deps, stopping: () => true };
  expect(await step()).toMatchObject({ kind: 'transitioned', state: 'cart_created', waitMs: 0 });
  expect(row().leaseOwner).toBeUndefined();
  expect(await step()).toMatchObject({ kind: 'transitioned', state: 'items_added', waitMs: 0 });
  expect(await step()).toMatchObject({ kind: 'transitioned', state: 'ordered' });
});

test('rule 4: a refused line fails the PO, is named, and leaves no cart', async () => {
  row().lines[1]!.itemSku = unknownSku;
  expect(await drain()).toBe('failed');
  expect(row().reason).toEqual({
    code: 'refused_by_service',
    text: expect.stringContaining('row 3: answered refused'),
  });
  expect(service.ordersUnder('PO-1')).toEqual({ cart: undefined, orders: [] });
});

describe('rule 13: a 403', () => {
  const forbidden: FailedCall = { kind: 'denied', status: 403, message: 'answered 403' };
  beforeEach(() => {
    api.createCart = async () => forbidden;
  });

  test("where today's orders can be seen is a refusal of the PO, after another lookup", async () => {
    expect(await step()).toMatchObject({ kind: 'transitioned', state: 'ready' });
    expect(await step()).toMatchObject({ kind: 'transitioned', state: 'failed' });
    expect(ledger.accounts.size).toBe(0);
  });

  test("where today's orders are refused too pauses the account", async () => {
    api.listOrders = async () => forbidden;
    expect(await step()).toMatchObject({ kind: 'transitioned', state: 'ready' });
    expect(ledger.accounts.get('default')).toMatchObject({ code: 'credential_refused', pauses: 1 });
  });
});

test('429 pauses the account for the given time, costs no attempt, and a lookup follows', async () => {
  const { createOrder } = api;
  api.createOrder = async () => ({ kind: 'limited', waitMs: 7000, message: 'answered 429' });
  expect(await step()).toMatchObject({ kind: 'transitioned', state: 'items_added', waitMs: 7000 });
  expect(row()).toMatchObject({ epoch: 1, failures: 0, rebuilds: 0 });
  expect(await step()).toMatchObject({ kind: 'later', why: 'paused' });
  api.createOrder = createOrder;
  now += 7000;
  expect(await step()).toMatchObject({ kind: 'transitioned', state: 'ordered' });
  expect(ledger.accounts.get('default')).toMatchObject({ pauses: 0 });
});

describe('the words that a hold or a failure quotes', () => {
  const earlier = (outcome: 'contradicted' | 'refused') => {
    Object.assign(row(), { epoch: 1, baseline: [] });
    row().intents.push({
      id: 'a',
      epoch: 0,
      step: 'submit_order',
      outcome,
      detail: 'answered 409: long ago',
      begunAt: 0,
      endedAt: 0,
    });
  };

  test('are not those of an earlier attempt', async () => {
    earlier('contradicted');
    api.showOrder = async () => ({ kind: 'not_found', message: 'answered 404' });
    api.showCart = async () => ({
      kind: 'ok',
      value: { cartNumber: 'C-OTHER', lines: [{ sku: 'X', itemId: undefined, quantity: 1 }] },
    });
    expect(await drain()).toBe('held');
    expect(row().reason).toEqual({ code: 'foreign_cart', text: expect.not.stringContaining('long ago') });
  });

  test('are those of the current one, even after another worker took over', async () => {
    earlier('contradicted');
    api.createCart = async () => ({ kind: 'conflict', message: 'answered 409: number is blocked' });
    expect(await drain()).toBe('held');
    expect(row().reason).toEqual({
      code: 'po_refused',
      text: expect.stringContaining('(Creating its cart was answered 409: number is blocked)'),
    });
  });

  test('of a failure are its own', async () => {
    earlier('refused');
    api.createOrder = async () => ({ kind: 'refused', status: 422, message: 'answered 422: closed' });
    expect(await drain()).toBe('failed');
    expect(row().reason?.text).toBe('The service refused it: answered 422: closed');
  });
});

test('an unknown submission whose order came late becomes ordered, with that order', async () => {
  api.createOrder = async () => ({ kind: 'unknown', message: 'no answer' });
  expect(await step()).toMatchObject({ kind: 'transitioned', state: 'verifying' });
  now += rules.requestTimeoutMs;
  service.createOrder('PO-1');
  expect(await drain()).toBe('ordered');
  expect(row().orderNumbers).toEqual(['O-1']);
});

test('a submission without an answer whose order is there is ordered at once, without waiting', async () => {
  api.createOrder = async () => {
    service.createOrder('PO-1');
    return { kind: 'unknown', message: 'no answer' };
  };
  expect(await step()).toMatchObject({ kind: 'transitioned', state: 'ordered' });
  expect(row().orderNumbers).toEqual(['O-1']);
});

test('an order that only the date range shows is found at the last lookup', async () => {
  api.createOrder = async () => {
    service.createOrder('PO-1');
    return { kind: 'unknown', message: 'no answer' };
  };
  const { showOrder } = api;
  api.showOrder = async () => ({ kind: 'not_found', message: 'answered 404' });
  api.listOrders = async () => {
    const direct = await showOrder('PO-1');
    return direct.kind === 'ok' ? { kind: 'ok', value: [direct.value] } : direct;
  };
  expect(await step()).toMatchObject({ kind: 'transitioned', state: 'verifying' });
  expect(await drain()).toBe('ordered');
});

test('a service that is unreachable for too long: held with that reason', async () => {
  api.showOrder = async () => ({ kind: 'not_sent', message: 'connect ECONNREFUSED' });
  expect(await drain()).toBe('held');
  expect(row().reason).toEqual({
    code: 'service_unreachable',
    text: expect.stringContaining('connect ECONNREFUSED'),
  });
  expect(now).toBeGreaterThan(rules.unreachableAllowedMs);
});

test.each([
  ['order', { showOrder: 'refused' }, /refused to show the orders under this PO number/],
  [
    'date range',
    { listOrders: 'refused' },
    /refused to list the orders of the last days.* not about the PO itself/,
  ],
  ['cart', { showCart: 'refused' }, /refused to show the cart under this PO number/],
])('a refused lookup names what was refused: the %s', async (_name, refused, text) => {
  for (const call of Object.keys(refused) as (keyof DealerApi)[]) {
    Object.assign(api, { [call]: async () => ({ kind: 'refused', status: 400, message: 'answered 400' }) });
  }
  Object.assign(row(), { state: 'verifying', lookups: 2, baseline: [] });
  expect(await step()).toMatchObject({ kind: 'transitioned', state: 'held' });
  expect(row().reason).toMatchObject({ code: 'lookup_refused', text: expect.stringMatching(text) });
});

describe('a hold that is released at once', () => {
  test('builds its cart at once, and submits nothing while a call of the old cart may still take effect', async () => {
    Object.assign(row(), { epoch: 1, baseline: [], lines: row().lines });
    row().intents.push(
      { id: 'a', epoch: 0, step: 'create_cart', outcome: 'done', detail: undefined, begunAt: 0, endedAt: 0 },
      { id: 'b', epoch: 0, step: 'add_items', outcome: 'unknown', detail: undefined, begunAt: 0, endedAt: 0 },
      { id: 'c', epoch: 0, step: 'delete_cart', outcome: 'done', detail: undefined, begunAt: 0, endedAt: 0 },
    );
    now = 100;
    const boundMs = 2 * rules.requestTimeoutMs + rules.readLagMs;
    expect(await step()).toMatchObject({ kind: 'transitioned', state: 'items_added', waitMs: boundMs - 100 });
    expect(knownAtCalls.filter((call) => call.startsWith('submit_order'))).toEqual([]);
    now = boundMs + 1000;
    expect(await step()).toMatchObject({ kind: 'transitioned', state: 'ordered' });
  });
});
