import { describe, expect, test } from 'vitest';
import type { DealerApi } from '../../src/dealer-api/answers.ts';
import { applyOperatorAction, findActionTargets } from '../../src/ledger/po/operator-actions.ts';
import type { FaultRuleInput } from '../../src/service/fault-rules.ts';
import { insertImport } from '../support/ledger-rows.ts';
import { readAudit } from '../support/read-audit.ts';
import { type PlacingAccount, quantitiesOf, rowsOf, sends, usePlacing } from '../support/use-placing.ts';

const placing = usePlacing({ catalogue: ['A,10.00,5,0,0,0', 'B,2.50,99,0,0,0'] });

const held = { guards: { backorder: true, unknownPrice: true } };
const short = [{ sku: 'A', quantity: 8 }];

/** A PO held by a guard; its cart exists. */
const heldByGuard = async (poNumber = 'PO-1') => {
  const account = placing.account({ rules: held });
  const { importId } = await account.add(poNumber, short);
  await account.run();
  expect(await account.row(poNumber)).toMatchObject({ state: 'held', reason_code: 'backorder' });
  return { account, importId };
};

/** A PO held because its only submission got no answer and no order can be found. */
const heldUnknown = async () => {
  const account = placing.account({ rules: { submissionConsumesCart: false } });
  await account.add('PO-1', [{ sku: 'B', quantity: 3 }]);
  placing.service.faults.replace([{ endpoint: 'submitOrder', kind: 'close-before', count: 1 }]);
  await account.run();
  expect(await account.row('PO-1')).toMatchObject({ state: 'held', reason_code: 'submission_unknown' });
  return account;
};

/** Loses the answers to a submission and to the immediate lookup after it, so that the verification finds the order. */
const lostAnswers: FaultRuleInput[] = [
  { endpoint: 'submitOrder', kind: 'close-after', count: 1 },
  { endpoint: 'showOrder', kind: 'close-before', skip: 1, count: 1 },
];

/** Somebody else's order under the PO number, by their own client. */
const orderElsewhere = async ({ api }: PlacingAccount, poNumber: string, quantity: number) => {
  await api.createCart({ poNumber, options: {} });
  await api.addItem(poNumber, { itemSku: 'B', quantity });
  const ordered = await api.createOrder(poNumber);
  if (ordered.kind !== 'ok') throw new Error(ordered.message);
  return ordered.value.orderNumber;
};

describe('adopting an order', () => {
  test('links an existing order to this PO, and sends nothing', async () => {
    const account = placing.account();
    const orderNumber = await orderElsewhere(account, 'PO-1', 2);
    await account.add('PO-1', [{ sku: 'B', quantity: 3 }]);
    await account.run();
    expect(await account.row('PO-1')).toMatchObject({ state: 'held', reason_code: 'already_ordered' });
    account.calls.length = 0;
    expect(await account.act('release', { poNumber: 'PO-1' })).toEqual([
      {
        kind: 'not_possible',
        why: 'the service has an order under its number: adopt it, or cancel this PO',
      },
    ]);
    await account.act('adopt', { poNumber: 'PO-1' });
    await account.run();
    expect(sends(account.calls)).toEqual([]);
    expect(await account.row('PO-1')).toMatchObject({ state: 'ordered', order_numbers: [orderNumber] });
    // An adopted order is still compared with the file.
    await account.poll();
    expect((await account.row('PO-1')).alarm).toMatch(/^The service shows smaller/);
  });

  test('links all orders when they exceed what the file asks for', async () => {
    const twice = await placing.serve({ catalogue: ['B,2.50,99,0,0,0'], poReuse: 'allowed' });
    const account = placing.account({ baseUrl: twice.url });
    await account.add('PO-1', [{ sku: 'B', quantity: 3 }]);
    twice.faults.replace(lostAnswers);
    let id = '';
    for (id of await account.active()) {
      while ((await account.row('PO-1')).state !== 'verifying') await account.step(id);
    }
    await orderElsewhere(account, 'PO-1', 3);
    await account.run();
    expect(await account.row('PO-1')).toMatchObject({
      state: 'held',
      reason_code: 'duplicate_suspected',
      alarm: expect.stringMatching(/^The service shows larger quantities/),
    });
    await account.act('release', { poNumber: 'PO-1' });
    await account.run();
    expect((await account.row('PO-1')).reason_code).toBe('duplicate_suspected');
    await account.act('adopt', { poNumber: 'PO-1' });
    await account.run();
    const row = await account.row('PO-1');
    expect(row.state).toBe('ordered');
    expect(row.order_numbers).toHaveLength(2);
    // The service has two orders, but only one of them was submitted by us.
    expect(
      await rowsOf(
        placing.pool,
        `select 1 from intents where step = 'submit_order' and purchase_order_id = $1`,
        [row.id],
      ),
    ).toHaveLength(1);
  });

  test('links an order whose quantities differ from the file only when a person confirms it', async () => {
    const account = placing.account();
    await account.add('PO-1', [{ sku: 'B', quantity: 3 }]);
    placing.service.faults.replace(lostAnswers);
    for (const id of await account.active()) {
      while ((await account.row('PO-1')).state !== 'verifying') await account.step(id);
    }
    // The service's operator has changed the order by hand.
    await placing.pool.query(
      `update dealer_service.orders o set items = '[{"sku":"B","name":"Item B","quantity":2,"available":2,"price_cents":250}]'
       from dealer_service.submissions s where s.submission_id = o.submission_id and s.dealer = $1`,
      [account.dealer],
    );
    await account.run();
    expect(await account.row('PO-1')).toMatchObject({ state: 'held', reason_code: 'cannot_verify' });
    await account.act('adopt', { reasonCode: 'cannot_verify' });
    await account.run();
    expect((await account.row('PO-1')).state).toBe('ordered');
    expect(await account.ordered('PO-1')).toHaveLength(1);
  });

  test('never marks a PO as ordered when no order exists, and never sends it', async () => {
    const account = await heldUnknown();
    expect(await account.act('adopt', { poNumber: 'PO-1' })).toEqual([{ kind: 'done', state: 'verifying' }]);
    account.calls.length = 0;
    await account.run();
    expect(await account.row('PO-1')).toMatchObject({ state: 'held', reason_code: 'submission_unknown' });
    expect(sends(account.calls)).toEqual([]);
    expect(await account.ordered('PO-1')).toEqual([]);
  });
});

describe('a submission whose result is unknown', () => {
  test('released: is looked up again and held again; nothing is sent', async () => {
    const account = await heldUnknown();
    await account.act('release', { poNumber: 'PO-1' });
    account.calls.length = 0;
    await account.run();
    expect((await account.row('PO-1')).reason_code).toBe('submission_unknown');
    expect(sends(account.calls)).toEqual([]);
  });

  test('submitted again by a person: becomes exactly one order', async () => {
    const account = await heldUnknown();
    await account.act('submit_again', { poNumber: 'PO-1' });
    await account.run();
    expect((await account.row('PO-1')).state).toBe('ordered');
    const orders = await account.ordered('PO-1');
    expect(orders).toHaveLength(1);
    expect(quantitiesOf(orders)).toEqual({ B: 3 });
  });

  test('submitted again although the order arrived late: the order is found and not submitted twice', async () => {
    const account = await heldUnknown();
    await account.api.createOrder('PO-1');
    await account.act('submit_again', { poNumber: 'PO-1' });
    await account.run();
    expect((await account.row('PO-1')).state).toBe('ordered');
    expect(await account.ordered('PO-1')).toHaveLength(1);
  });

  test('cancelled: nothing is sent and nothing changes at the service', async () => {
    const account = await heldUnknown();
    account.calls.length = 0;
    expect(await account.act('cancel', { poNumber: 'PO-1' })).toEqual([{ kind: 'done', state: 'cancelled' }]);
    await account.run();
    expect(account.calls).toEqual([]);
    expect(await account.row('PO-1')).toMatchObject({ state: 'cancelled', reason_code: 'dismissed' });
    expect((await account.api.showCart('PO-1')).kind).toBe('ok');
  });

  test('is required: no other PO can be submitted again', async () => {
    const { account } = await heldByGuard();
    expect(await account.act('submit_again', { poNumber: 'PO-1' })).toEqual([
      { kind: 'not_possible', why: 'it is held as backorder, not as submission_unknown' },
    ]);
  });
});

describe('cancelling a PO', () => {
  test('deletes the cart at the service, and nothing is ordered', async () => {
    const { account } = await heldByGuard();
    await account.act('cancel', { poNumber: 'PO-1' });
    await account.run();
    expect(await account.row('PO-1')).toMatchObject({ state: 'cancelled', reason_code: 'cancelled' });
    expect((await account.api.showCart('PO-1')).kind).toBe('not_found');
    expect(await account.ordered('PO-1')).toEqual([]);
  });

  test('sends nothing if nothing was sent before', async () => {
    const account = placing.account();
    await account.add('PO-1', [{ sku: 'B', quantity: 1 }]);
    // No cart to delete, so it does not wait for a worker.
    expect(await account.act('cancel', { poNumber: 'PO-1' })).toEqual([{ kind: 'done', state: 'cancelled' }]);
    expect(await account.act('cancel', { poNumber: 'PO-1' })).toEqual([]);
    await account.run();
    expect((await account.row('PO-1')).state).toBe('cancelled');
    expect(sends(account.calls)).toEqual([]);
  });

  test('is refused once it is ordered', async () => {
    const account = placing.account();
    await account.add('PO-1', [{ sku: 'B', quantity: 1 }]);
    await account.run();
    expect(await account.act('cancel', { poNumber: 'PO-1' })).toEqual([
      { kind: 'not_possible', why: 'it is ordered; only a PO that was not submitted can be cancelled' },
    ]);
  });

  test('is final even if the service does not delete the cart and a person releases the PO', async () => {
    let refusing = true;
    const around = (api: DealerApi): DealerApi => ({
      ...api,
      deleteCart: async (...args) =>
        refusing ? { kind: 'refused', status: 400, message: 'no' } : api.deleteCart(...args),
    });
    const account = placing.account({ rules: held, around });
    await account.add('PO-1', short);
    await account.run();
    await account.act('cancel', { poNumber: 'PO-1' });
    await account.run();
    expect((await account.row('PO-1')).reason_code).toBe('cart_not_deletable');
    refusing = false;
    await account.act('release', { poNumber: 'PO-1' });
    await account.run();
    expect((await account.row('PO-1')).state).toBe('cancelled');
    expect(await account.ordered('PO-1')).toEqual([]);
  });
});

describe('a PO that failed', () => {
  const failing = async () => {
    const account = placing.account();
    const first = await account.add('PO-1', [
      { sku: 'B', quantity: 1 },
      { sku: 'NEW', quantity: 2 },
    ]);
    await account.run();
    expect(await account.row('PO-1')).toMatchObject({
      state: 'failed',
      reason_text: expect.stringContaining('row 3'),
    });
    return { account, first };
  };

  test('retried once the service has the item, becomes one order in a new attempt', async () => {
    const { account, first } = await failing();
    const restocked = await placing.serve({ catalogue: ['B,2.50,99,0,0,0', 'NEW,1.00,9,0,0,0'] });
    account.moveTo(restocked.url);
    expect(await account.act('retry', { importId: first.importId })).toEqual([
      { kind: 'done', state: 'ready' },
    ]);
    await account.run();
    const orders = await account.ordered('PO-1');
    expect(orders).toHaveLength(1);
    expect(quantitiesOf(orders)).toEqual({ B: 1, NEW: 2 });
    expect((await account.row('PO-1')).epoch).toBeGreaterThan(0);
  });

  test('cannot be retried while one that is written in another case is live', async () => {
    const { account, first } = await failing();
    await account.add('po-1', [{ sku: 'B', quantity: 1 }]);
    expect(await account.act('retry', { importId: first.importId })).toMatchObject([
      { kind: 'not_possible', why: expect.stringContaining('another case') },
    ]);
  });

  test('cannot be retried while another PO with its number is live, and the answer gives the reason', async () => {
    const { account, first } = await failing();
    await account.add('PO-1', [{ sku: 'B', quantity: 1 }]);
    expect(await account.act('retry', { importId: first.importId })).toEqual([
      {
        kind: 'not_possible',
        why: 'another purchase order with this number is live, perhaps written in another case; use another PO number, or cancel the other one before it is ordered',
      },
    ]);
  });

  test('is required: no other PO can be retried', async () => {
    const { account } = await heldByGuard();
    expect(await account.act('retry', { poNumber: 'PO-1' })).toEqual([]);
  });
});

describe('an operator action', () => {
  test('applies to one PO, an import or a hold reason, and is recorded with who, when and why', async () => {
    const account = placing.account({ rules: held });
    const importId = await insertImport(placing.pool, { account: account.account });
    const others = await insertImport(placing.pool, { account: account.account });
    for (const [poNumber, into] of [
      ['PO-1', importId],
      ['PO-2', importId],
      ['PO-3', others],
      ['PO-4', others],
    ] as const) {
      await account.add(poNumber, short, { importId: into });
    }
    await account.run();
    await placing.pool.query('update imports set result_due = false');
    expect(await account.act('release', { poNumber: 'PO-3' }, 'Ann', 'dealer called')).toHaveLength(1);
    expect(await account.act('release', { importId }, 'Bob')).toHaveLength(2);
    expect(await account.act('cancel', { reasonCode: 'backorder' }, 'Cem')).toHaveLength(1);
    expect(await account.act('release', { reasonCode: 'price_above' })).toEqual([]);
    const recorded = await rowsOf(
      placing.pool,
      `select a.who, a.action, a.note, p.po_number as po, a.import_id as import,
         a.at > clock_timestamp() - interval '1 minute' as now
       from operator_actions a join purchase_orders p on p.id = a.purchase_order_id
       where a.account = $1 order by a.id`,
      [account.account],
    );
    expect(recorded).toEqual([
      { who: 'Ann', action: 'release', note: 'dealer called', po: 'PO-3', import: others, now: true },
      { who: 'Bob', action: 'release', note: null, po: 'PO-1', import: importId, now: true },
      { who: 'Bob', action: 'release', note: null, po: 'PO-2', import: importId, now: true },
      { who: 'Cem', action: 'cancel', note: null, po: 'PO-4', import: others, now: true },
    ]);
    const due = await rowsOf(placing.pool, 'select 1 from imports where account = $1 and result_due', [
      account.account,
    ]);
    expect(due).toHaveLength(2);
    await account.run();
    const orders = await Promise.all(['PO-1', 'PO-2', 'PO-3', 'PO-4'].map(account.ordered));
    expect(orders.map((one) => one.length)).toEqual([1, 1, 1, 0]);
  });

  test('by two people at once: one takes effect, the others are refused', async () => {
    const { account } = await heldByGuard();
    const found = await findActionTargets(placing.pool, 'release', { account: account.account });
    const both = await Promise.all([
      applyOperatorAction(placing.pool, 'release', found, { who: 'Ann' }),
      applyOperatorAction(placing.pool, 'cancel', found, { who: 'Bob' }),
      applyOperatorAction(placing.pool, 'release', found, { who: 'Cem' }),
    ]);
    const kinds = both.flat().map(({ outcome }) => outcome.kind);
    expect(kinds.toSorted()).toEqual(['done', 'not_possible', 'not_possible']);
    const recorded = await rowsOf(placing.pool, 'select 1 from operator_actions where account = $1', [
      account.account,
    ]);
    expect(recorded).toHaveLength(1);
  });

  test('on a hold that has changed meanwhile is refused', async () => {
    const account = await heldUnknown();
    const found = await findActionTargets(placing.pool, 'submit_again', { account: account.account });
    await account.act('release', { poNumber: 'PO-1' });
    await account.run();
    expect((await account.row('PO-1')).state).toBe('held');
    const [late] = await applyOperatorAction(placing.pool, 'submit_again', found, { who: 'Bob' });
    expect(late!.outcome).toEqual({
      kind: 'not_possible',
      why: 'it has changed meanwhile and is held now; check it and try again',
    });
  });

  test('that releases any other hold starts with a lookup', async () => {
    const account = placing.account();
    await account.api.createCart({ poNumber: 'PO-1', options: {} });
    await account.add('PO-1', [{ sku: 'B', quantity: 1 }]);
    await account.run();
    expect((await account.row('PO-1')).reason_code).toBe('foreign_cart');
    await account.api.deleteCart('PO-1');
    await account.act('release', { poNumber: 'PO-1' });
    account.calls.length = 0;
    await account.run();
    expect(account.calls.slice(0, 3)).toEqual(['showOrder PO-1', 'showCart PO-1', 'createCart PO-1']);
    expect(await account.ordered('PO-1')).toHaveLength(1);
    const acted = await readAudit(placing.pool, { dealer: account.dealer, outcome: 'acted' });
    expect(acted.filter(({ endpoint }) => endpoint === 'submitOrder')).toHaveLength(1);
  });
});
