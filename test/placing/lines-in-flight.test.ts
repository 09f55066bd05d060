import { describe, expect, test } from 'vitest';
import type { CallResult, DealerApi, ItemAnswer } from '../../src/dealer-api/answers.ts';
import type { Logger } from '../../src/logger.ts';
import { advance } from '../../src/placing/advance.ts';
import { createCircuit } from '../../src/placing/circuit.ts';
import { sendItems } from '../../src/placing/send-items.ts';
import { activeStates } from '../../src/placing/types.ts';
import { createMemoryLedger } from '../simulation/memory-ledger.ts';
import { ledgerRow } from '../simulation/purchase-orders.ts';
import { line } from './lines.ts';
import { rules } from './rules.ts';

type Answer = CallResult<ItemAnswer>;
const accepted = (sku: string): Answer => ({
  kind: 'ok',
  value: { sku, name: sku, availableQuantity: 9, backorderQuantity: 0, dealerPrice: '1.00' },
});
const refused: Answer = { kind: 'refused', status: 422, message: 'unknown item' };
const noAnswer: Answer = { kind: 'unknown', message: 'no answer' };
const limited: Answer = { kind: 'limited', waitMs: 2000, message: 'answered 429' };

const skus = ['A', 'B', 'C', 'D', 'E', 'F'];
const lines = skus.map((sku, at) => line({ rowNumber: at + 2, itemSku: sku }));

/** A service that answers a line only when the test says so. */
const createHeldBack = () => {
  const sent: string[] = [];
  const answers = new Map<string, (answer: Answer) => void>();
  const addItem: DealerApi['addItem'] = (_po, { itemSku }, gate) => {
    if (gate && !gate()) return Promise.resolve({ kind: 'not_sent', message: 'not started' });
    sent.push(itemSku!);
    return new Promise((resolve) => answers.set(itemSku!, resolve));
  };
  return {
    sent,
    addItem,
    answer: async (sku: string, answer: Answer = accepted(sku)): Promise<void> => {
      answers.get(sku)!(answer);
      await new Promise(setImmediate);
    },
  };
};
const options = (atOnce: number) => ({ atOnce, afterEach: async () => {} });

describe('sendItems', () => {
  test('sends as many lines at a time as it may, in the order of the file', async () => {
    const service = createHeldBack();
    const sending = sendItems(service, 'PO-1', lines, () => true, options(3));
    expect(service.sent).toEqual(['A', 'B', 'C']);
    await service.answer('B');
    expect(service.sent).toEqual(['A', 'B', 'C', 'D']);
    for (const sku of ['A', 'C', 'D', 'E', 'F']) await service.answer(sku);
    const { answers, failed } = await sending;
    expect(failed).toEqual([]);
    expect(answers.map(({ rowNumber }) => rowNumber).sort()).toEqual([2, 3, 4, 5, 6, 7]);
  });

  test('sends no further line after one that was not accepted, and reports all that were in flight', async () => {
    const service = createHeldBack();
    const sending = sendItems(service, 'PO-1', lines, () => true, options(3));
    await service.answer('C', refused);
    await service.answer('B', noAnswer);
    await service.answer('A');
    const { answers, failed } = await sending;
    expect(service.sent).toEqual(['A', 'B', 'C']);
    expect(answers.map(({ rowNumber }) => rowNumber)).toEqual([2]);
    expect(failed.map(({ line, result }) => [line.itemSku, result.kind])).toEqual([
      ['B', 'unknown'],
      ['C', 'refused'],
    ]);
  });

  test('skips the lines that the cart has', async () => {
    const service = createHeldBack();
    const some = lines.map((each) =>
      each.itemSku === 'B' ? { ...each, answer: line({ answer: {} }).answer } : each,
    );
    void sendItems(service, 'PO-1', some, () => true, options(3));
    expect(service.sent).toEqual(['A', 'C', 'D']);
  });
});

/** The ledger's state after lines were added with these answers; all other lines are accepted. */
const afterAdding = async (answers: Record<string, Answer>) => {
  const ledger = createMemoryLedger(() => 0);
  const created = { step: 'create_cart', outcome: 'done', epoch: 0, id: '0', detail: undefined } as const;
  ledger.rows.set('1', {
    ...ledgerRow('1', lines, { state: 'cart_created', baseline: [], cartEpoch: 0, cartNumber: 'C-1' }),
    intents: [{ ...created, begunAt: 0, endedAt: 0 }],
  });
  // Wait until all lines are sent, before the first is answered.
  const service = createHeldBack();
  const api = {
    addItem: service.addItem,
    deleteCart: async () => ({ kind: 'ok', value: undefined }),
    showOrder: async () => ({ kind: 'not_found', message: '404' }),
    showCart: async () => ({ kind: 'not_found', message: '404' }),
  } as unknown as DealerApi;
  const advancing = advance(
    {
      ledger,
      accounts: () => ['default'],
      apiOf: () => api,
      rulesOf: () => ({ ...rules, linesInFlight: skus.length }),
      leaseMs: 10_000,
      graceMs: 0,
      logger: { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger,
      circuit: createCircuit(),
      reasonLog: { note() {}, stop() {} },
      clock: { monotonicMs: () => 0, date: () => new Date(0), every: () => () => {} },
    },
    '1',
    activeStates,
  );
  await new Promise(setImmediate);
  for (const sku of skus) await service.answer(sku, answers[sku]);
  await advancing;
  const row = ledger.rows.get('1')!;
  const { outcome } = row.intents.find(({ step }) => step === 'add_items')!;
  const inCart = row.lines
    .filter(({ answeredEpoch }) => answeredEpoch !== undefined)
    .map(({ itemSku }) => itemSku);
  return { outcome, state: row.state, reason: row.reason?.text, inCart };
};

describe('rule 4 with several lines in flight', () => {
  test('rate-limited lines: it is known exactly which lines are in the cart', async () => {
    const { outcome, state, inCart } = await afterAdding({ B: limited, D: limited });
    expect([outcome, state]).toEqual(['partial', 'cart_created']);
    expect(inCart).toEqual(['A', 'C', 'E', 'F']);
  });

  test('a rate-limited and an unclear line: nothing is known, so the cart is rebuilt', async () => {
    expect(await afterAdding({ B: limited, D: noAnswer })).toMatchObject({
      outcome: 'unknown',
      state: 'ready',
    });
  });

  test('a refused and a rate-limited line: the PO fails, and names the refused line', async () => {
    const { outcome, state, reason } = await afterAdding({ B: limited, D: refused });
    expect([outcome, state]).toEqual(['refused', 'failed']);
    expect(reason).toMatch(/row 5: unknown item/);
  });

  test('a refused and an unclear line: the PO does not fail while the unclear one can still take effect', async () => {
    expect(await afterAdding({ B: refused, D: noAnswer })).toMatchObject({
      outcome: 'unknown',
      state: 'ready',
    });
  });
});
