import { expect, test } from 'vitest';
import type { DealerApi } from '../../src/dealer-api/answers.ts';
import { findFreePort } from '../../src/embedded/free-port.ts';
import type { FaultRuleInput } from '../../src/service/fault-rules.ts';
import { answers, startScriptedServer } from '../dealer-api/scripted-server.ts';
import { type PlacingAccount, usePlacing } from '../support/use-placing.ts';

const placing = usePlacing();

const one = [{ sku: 'A', quantity: 2 }];

/** Asserts that after the fault the PO continues and becomes one order without losing an attempt. */
const expectRecovery = async (account: PlacingAccount, poNumber = 'PO-1') => {
  await account.pauseEnds();
  await account.run();
  expect(await account.row(poNumber)).toMatchObject({ state: 'ordered', failures: 0, failing_since: null });
  expect(await account.ordered(poNumber)).toHaveLength(1);
  // The pause ends without a person's action, also in the status output.
  expect(await account.pause()).toMatchObject({ code: null, reason: null, pauses: 0 });
};

/** Meets a single fault of the service at one call. */
const meets = async (fault: FaultRuleInput) => {
  const account = placing.account();
  await account.add('PO-1', one);
  placing.service.faults.replace([{ count: 1, ...fault }]);
  await account.run();
  return account;
};

test.each(['createCart', 'addItem', 'submitOrder', 'showOrder', 'showCart'] as const)(
  '429 with Retry-After at %s pauses the account for the given time, and costs no attempt',
  async (endpoint) => {
    const account = await meets({ endpoint, kind: '429-seconds', retryAfterSeconds: 40 });
    const { forSeconds, ...pause } = (await account.pause())!;
    expect(pause).toMatchObject({ code: 'rate_limited', reason: 'answered 429', pauses: 0 });
    expect(forSeconds).toBeGreaterThan(30);
    expect(forSeconds).toBeLessThanOrEqual(40);
    expect(await account.row('PO-1')).toMatchObject({ reason_code: null, failures: 0, rebuilds: 0 });

    // While the account pauses nothing is sent for any of its POs.
    await account.add('PO-2', one);
    account.calls.length = 0;
    await account.run();
    expect(account.calls).toEqual([]);
    await expectRecovery(account);
    expect((await account.row('PO-1')).rebuilds).toBe(0);
    expect(await account.ordered('PO-2')).toHaveLength(1);
  },
);

test('429 with a date pauses until that date', async () => {
  const account = await meets({ endpoint: 'createCart', kind: '429-date', retryAfterSeconds: 100 });
  const { forSeconds } = (await account.pause())!;
  expect(forSeconds).toBeGreaterThan(90);
  expect(forSeconds).toBeLessThanOrEqual(101);
});

test.each([
  ['429 without Retry-After, for half a minute', 429, 'rate_limited', 30],
  ['405 to a new cart, as not this service', 405, 'not_this_service', 1],
  ['415 to a new cart, as not this service', 415, 'not_this_service', 1],
  ['404 to a new cart, as not this service', 404, 'not_this_service', 1],
  ['401, as a refused credential', 401, 'credential_refused', 1],
])('pauses after %s', async (_name, status, code, seconds) => {
  const front = await startScriptedServer();
  front.script = (answer, socket, received) => {
    const isCreate = received.method === 'POST' && received.url === '/carts';
    answers(isCreate ? status : 404)(answer, socket, received);
  };
  const account = placing.account({ baseUrl: front.url });
  await account.add('PO-1', one);
  await account.run();
  await front.stop();
  const { forSeconds, ...pause } = (await account.pause())!;
  expect(pause).toMatchObject({ code, pauses: status === 429 ? 0 : 1 });
  expect(pause.reason).toContain(status === 429 ? '429' : String(status));
  expect(forSeconds).toBeLessThanOrEqual(seconds);
  expect(await account.row('PO-1')).toMatchObject({ state: 'ready', reason_code: null, failures: 0 });
  account.moveTo(placing.service.url);
  await expectRecovery(account);
});

test('a refused credential pauses longer each time, fails no PO, and recovers once it is fixed', async () => {
  const account = placing.account({ token: 'stolen' });
  await account.add('PO-1', one);
  await account.add('PO-2', one);
  const waits: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    await account.run();
    waits.push(Math.ceil((await account.pause())!.forSeconds!));
    await account.pauseEnds();
  }
  expect(waits).toEqual([1, 2, 4, 8, 16]);
  expect(await account.pause()).toMatchObject({ code: 'credential_refused', pauses: 5 });
  expect((await account.pause())!.reason).not.toContain('stolen');
  expect(await account.row('PO-1')).toMatchObject({ state: 'ready', reason_code: null });
});

test('a suspended dealer pauses the account; a refusal of one PO only fails that PO', async () => {
  const dealers = [
    { name: 'suspended', token: 'suspended', access: 'none' },
    { name: 'reader', token: 'reader', access: 'read' },
  ];
  const limited = await placing.serve({ dealers });
  const suspended = placing.account({ baseUrl: limited.url, token: 'suspended' });
  await suspended.add('PO-1', one);
  await suspended.run();
  expect(await suspended.pause()).toMatchObject({ code: 'credential_refused' });
  expect((await suspended.row('PO-1')).state).toBe('ready');

  const reader = placing.account({ baseUrl: limited.url, token: 'reader' });
  await reader.add('PO-1', one);
  await reader.run();
  expect(await reader.pause()).toBeUndefined();
  expect(await reader.row('PO-1')).toMatchObject({
    state: 'failed',
    reason_text: expect.stringContaining('403'),
  });
  expect(reader.calls.filter((call) => call.startsWith('listOrders'))).toHaveLength(1);
});

test('a refusal of one PO only fails that PO, also where the service answers 404 for a day without orders', async () => {
  const front = await startScriptedServer();
  front.script = (answer, socket, received) =>
    answers(received.method === 'POST' ? 403 : 404)(answer, socket, received);
  const account = placing.account({ baseUrl: front.url });
  await account.add('PO-1', one);
  await account.run();
  await front.stop();
  expect((await account.row('PO-1')).state).toBe('failed');
  expect(await account.pause()).toBeUndefined();
});

test('a service that is down pauses the account for at most a minute, and everything continues when it is back', async () => {
  const port = await findFreePort();
  const account = placing.account({ baseUrl: `http://127.0.0.1:${port}` });
  await account.add('PO-1', one);
  await account.run();
  expect(await account.pause()).toMatchObject({ code: 'connection_refused', pauses: 1 });
  expect((await account.pause())!.reason).toBe(
    `cannot connect to http://127.0.0.1:${port} (connection refused)`,
  );
  const since = (await account.row('PO-1')).failing_since;
  expect(since).not.toBeNull();
  for (let turn = 0; turn < 9; turn += 1) {
    await account.pauseEnds();
    await account.run();
  }
  expect((await account.pause())!.forSeconds).toBeGreaterThan(50);
  expect((await account.pause())!.forSeconds).toBeLessThanOrEqual(60);
  // The time without service is counted from the first failure, including all pauses.
  expect(await account.row('PO-1')).toMatchObject({ state: 'ready', failures: 10, failing_since: since });
  await placing.serve({ port });
  await expectRecovery(account);
});

test('a service that is unreachable for longer than the account allows: the PO is held with that reason; released, it continues', async () => {
  const port = await findFreePort();
  const account = placing.account({
    baseUrl: `http://127.0.0.1:${port}`,
    rules: { unreachableAllowedMs: 3_600_000 },
  });
  await account.add('PO-1', one);
  await account.run();
  await placing.pool.query(
    `update purchase_orders set failing_since = clock_timestamp() - interval '59 minutes' where account = $1`,
    [account.account],
  );
  await account.pauseEnds();
  await account.run();
  expect((await account.row('PO-1')).state).toBe('ready');
  await placing.pool.query(
    `update purchase_orders set failing_since = clock_timestamp() - interval '61 minutes' where account = $1`,
    [account.account],
  );
  await account.pauseEnds();
  await account.run();
  expect(await account.row('PO-1')).toMatchObject({
    state: 'held',
    reason_code: 'service_unreachable',
    reason_text: expect.stringContaining('connection refused'),
  });
  account.moveTo(placing.service.url);
  await account.act('release', { reasonCode: 'service_unreachable' });
  await account.run();
  expect(await account.ordered('PO-1')).toHaveLength(1);
});

/** Delays lookups until this many of them are waiting. */
const together = (count: number) => {
  let waiting = 0;
  let release = () => {};
  const all = new Promise<void>((resolve) => {
    release = resolve;
  });
  return (api: DealerApi): DealerApi => ({
    ...api,
    showCart: async (...args) => {
      waiting += 1;
      if (waiting === count) release();
      await all;
      return api.showCart(...args);
    },
  });
};

test('many POs that meet the same fault at once lengthen the pause once', async () => {
  const account = placing.account({ token: 'stolen', around: together(12) });
  for (let at = 0; at < 12; at += 1) await account.add(`PO-${at}`, one);
  await Promise.all((await account.active()).map((id) => account.step(id)));
  expect(account.calls).toHaveLength(12);
  expect(await account.pause()).toMatchObject({ pauses: 1 });
});

test('a shorter pause neither shortens a longer one nor hides its reason', async () => {
  const account = placing.account({ around: together(2) });
  await account.add('PO-1', one);
  await account.add('PO-2', one);
  placing.service.faults.replace([
    { endpoint: 'showCart', poNumber: 'PO-1', kind: '429-seconds', retryAfterSeconds: 3000, count: 1 },
    { endpoint: 'showCart', poNumber: 'PO-2', kind: 'redirect', count: 1 },
  ]);
  await account.becomeDue();
  await Promise.all((await account.active()).map((id) => account.step(id)));
  const { forSeconds, pauses, code } = (await account.pause())!;
  expect(forSeconds).toBeGreaterThan(2900);
  expect([pauses, code]).toEqual([0, 'rate_limited']);
});
