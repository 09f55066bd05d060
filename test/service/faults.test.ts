import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Cut, cuts, endpoints, type FaultRuleInput, faultKinds } from '../../src/service/fault-rules.ts';
import { createFaults } from '../../src/service/faults.ts';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { faultsGiven, ordersByPo, readAudit } from '../support/read-audit.ts';
import { servicesOfTest, type TestServices } from './run-service.ts';

let services: TestServices;
let service: ListeningService;
beforeAll(async () => {
  services = await servicesOfTest();
  service = await services.listen({ admin: true });
});
beforeEach(() => service.faults.replace([]));
afterAll(() => services.end());

/** Sends a request over the network; `undefined` if the connection was cut, `'hang'` if no answer arrived. */
const send = async (method: string, path: string, body?: object, giveUp?: AbortSignal) => {
  try {
    const response = await fetch(service.url + path, {
      method,
      redirect: 'manual',
      ...(giveUp ? { signal: giveUp } : {}),
      ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (thrown) {
    return (thrown as Error).name === 'AbortError' ? 'hang' : undefined;
  }
};
const newCart = async () => {
  const po = randomUUID();
  await send('POST', '/carts', { po_number: po });
  await send('POST', `/carts/${po}/items`, { item_sku: 'A', quantity: 2 });
  return po;
};
const orderedOf = async (po: string) => ((await ordersByPo(services.pool)).get(po) ?? []).length;

/** Submits under one fault; returns what the client got and the number of orders. A hang is aborted early. */
const submitUnder = async (fault: FaultRuleInput) => {
  const po = await newCart();
  service.faults.replace([{ ...fault, endpoint: 'submitOrder' }]);
  const giveUp = new AbortController();
  const met = send('POST', '/orders', { po_number: po }, giveUp.signal);
  const after = /-after$/.test(fault.kind);
  await expect
    .poll(async () => (await readAudit(services.pool, { poNumber: po, outcome: 'fault' })).length)
    .toBe(1);
  if (after) await expect.poll(() => orderedOf(po)).toBe(1);
  if (/^hang/.test(fault.kind) || fault.cutBy === 'hang') giveUp.abort();
  return { po, met: await met, orders: await orderedOf(po) };
};

describe('each fault mode gives its response, and has its effect or none', () => {
  const cases: [FaultRuleInput['kind'], unknown, number][] = [
    ['close-before', undefined, 0],
    ['hang-before', 'hang', 0],
    ['delay', expect.objectContaining({ status: 200 }), 1],
    ['500-before', expect.objectContaining({ status: 500 }), 0],
    ['503-before', expect.objectContaining({ status: 503 }), 0],
    ['429-seconds', expect.objectContaining({ status: 429 }), 0],
    ['429-date', expect.objectContaining({ status: 429 }), 0],
    ['redirect', expect.objectContaining({ status: 302 }), 0],
    ['html', expect.objectContaining({ status: 200, text: expect.stringContaining('<html') }), 0],
    ['close-after', undefined, 1],
    ['hang-after', 'hang', 1],
    ['500-after', expect.objectContaining({ status: 500 }), 1],
    ['empty-after', expect.objectContaining({ status: 200, text: '' }), 1],
    [
      'truncated-after',
      expect.objectContaining({ status: 200, text: expect.stringMatching(/^\{"[^}]*$/) }),
      1,
    ],
  ];
  test.each(cases)('%s', async (kind, met, orders) => {
    expect(await submitUnder({ kind, delayMs: 5 })).toMatchObject({ met, orders });
  });

  const met: Record<Cut, unknown> = {
    hang: 'hang',
    close: undefined,
    '500': expect.objectContaining({ status: 500 }),
    '503': expect.objectContaining({ status: 503 }),
    empty: expect.objectContaining({ status: 200, text: '' }),
    truncated: expect.objectContaining({ status: 200, text: expect.stringMatching(/^\{"[^}]*$/) }),
    html: expect.objectContaining({ status: 200, text: expect.stringContaining('<html') }),
    redirect: expect.objectContaining({ status: 302 }),
  };
  test.each(cuts)(
    'act-late: the client gets %s at once, and the request takes effect later',
    async (cutBy) => {
      const submitted = await submitUnder({ kind: 'act-late', delayMs: 1_000, cutBy });
      expect([submitted.met, submitted.orders]).toEqual([met[cutBy], 0]);
      await expect.poll(() => orderedOf(submitted.po)).toBe(1);
    },
  );

  test('every kind of fault has a case in this test', () => {
    expect(new Set([...cases.map(([kind]) => kind), 'act-late'])).toEqual(new Set(faultKinds));
  });

  test('429 gives the time of the next attempt in seconds or as a date', async () => {
    const retryAfter = async (kind: FaultRuleInput['kind']) => {
      const { met } = await submitUnder({ kind, retryAfterSeconds: 7 });
      return (met as { headers: Headers }).headers.get('retry-after') ?? '';
    };
    expect(await retryAfter('429-seconds')).toBe('7');
    const date = await retryAfter('429-date');
    expect(new Date(date).toUTCString()).toBe(date);
    expect(Date.parse(date)).toBeGreaterThan(Date.now());
  });

  test('faults can be injected at every endpoint, by its name', async () => {
    const po = await newCart();
    const calls: Record<(typeof endpoints)[number], [string, string, object?]> = {
      createCart: ['POST', '/carts', { po_number: randomUUID() }],
      showCart: ['GET', `/carts/${po}`],
      addItem: ['POST', `/carts/${po}/items`, { item_sku: 'A', quantity: 1 }],
      deleteCart: ['DELETE', '/carts/none'],
      submitOrder: ['POST', '/orders', { po_number: 'none' }],
      showOrder: ['GET', '/orders/none'],
      listOrders: ['GET', '/orders?from_date=20200101&to_date=20200101'],
    };
    for (const met of endpoints) {
      service.faults.replace([{ kind: '503-before', endpoint: met }]);
      for (const endpoint of endpoints) {
        const answer = await send(...calls[endpoint]);
        expect((answer as { status: number }).status === 503, `${endpoint} under a fault of ${met}`).toBe(
          endpoint === met,
        );
      }
    }
  });

  test('a truncated list is not valid JSON', async () => {
    const po = await newCart();
    await send('POST', '/orders', { po_number: po });
    service.faults.replace([{ kind: 'truncated-after', endpoint: 'listOrders' }]);
    const answer = await send('GET', '/orders?from_date=20000101&to_date=29991231');
    expect(() => JSON.parse((answer as { text: string }).text)).toThrow();
  });
});

describe('a fault is injected', () => {
  const fired = (rule: FaultRuleInput, calls: number) => {
    const faults = createFaults([rule]);
    return Array.from({ length: calls }, () => faults.pick('submitOrder', 'A') !== undefined);
  };

  test('by count: a given number of times, after skipping a given number of calls', () => {
    expect(fired({ kind: 'delay', count: 2 }, 4)).toEqual([true, true, false, false]);
    expect(fired({ kind: 'delay', skip: 2, count: 1 }, 4)).toEqual([false, false, true, false]);
  });

  test('by probability and seed: the same seed selects the same calls, another seed others', () => {
    const rule = { kind: 'delay', probability: 0.3, seed: 5 } as const;
    expect(fired(rule, 300)).toEqual(fired(rule, 300));
    expect(fired(rule, 300)).not.toEqual(fired({ ...rule, seed: 6 }, 300));
    const share = fired(rule, 2_000).filter((one) => one).length / 2_000;
    expect(Math.abs(share - 0.3)).toBeLessThan(0.05);
  });

  test('by endpoint and PO number; the first matching rule applies', () => {
    const faults = createFaults([
      { kind: 'html', endpoint: 'addItem' },
      { kind: 'redirect', poNumber: 'B' },
      { kind: 'delay' },
    ]);
    expect(faults.pick('addItem', 'B')?.kind).toBe('html');
    expect(faults.pick('showCart', 'B')?.kind).toBe('redirect');
    expect(faults.pick('showCart', null)?.kind).toBe('delay');
  });
});

describe('faults can be switched on', () => {
  test('only explicitly: they are off by default', async () => {
    const { service: plain, call } = await services.build();
    expect(plain.faults.list()).toEqual([]);
    expect((await call('GET', '/admin/faults')).status).toBe(404);
  });

  test('over HTTP by PUT /admin/faults, which also counts; an invalid rule is refused', async () => {
    expect(await send('PUT', '/admin/faults', [{ kind: '500-before', endpoint: 'showCart' }])).toMatchObject({
      status: 200,
    });
    expect(await send('GET', '/carts/x')).toMatchObject({ status: 500 });
    expect(JSON.parse(((await send('GET', '/admin/faults')) as { text: string }).text)).toMatchObject([
      { met: 1, given: 1 },
    ]);
    expect(await send('PUT', '/admin/faults', [{ kind: 'meteor' }])).toMatchObject({ status: 422 });
    expect(await send('PUT', '/admin/faults', [])).toMatchObject({ status: 200, text: '[]' });
    expect(await send('GET', '/carts/x')).toMatchObject({ status: 404 });
  });

  test('by callers on loopback only', async () => {
    const answer = await service.app.inject({ url: '/admin/faults', remoteAddress: '203.0.113.9' });
    expect(answer.statusCode).toBe(403);
  });

  test('never on a service that listens outside loopback, also not at run time', async () => {
    const faults = createFaults([], 'the service listens on 0.0.0.0, outside loopback');
    expect(() => faults.replace([{ kind: 'delay' }])).toThrow('outside loopback');
    expect(() => faults.replace([])).not.toThrow();
  });
});

test('every injected fault is in the audit log, also those of reads', async () => {
  const before = (await faultsGiven(services.pool)).html ?? 0;
  service.faults.replace([{ kind: 'html', count: 3 }]);
  for (let at = 0; at < 5; at += 1) await send('GET', `/orders/faulted-${at}`);
  expect((await faultsGiven(services.pool)).html).toBe(before + 3);
  expect(await readAudit(services.pool, { poNumber: 'faulted-2' })).toMatchObject([
    { endpoint: 'showOrder', outcome: 'fault', dealer: 'dealer', detail: { kind: 'html' } },
  ]);
});

test('stopping cuts off hanging requests and drops late effects', async () => {
  const other = await services.listen();
  const po = await newCart();
  other.faults.replace([{ kind: 'act-late', delayMs: 600_000 }]);
  const met = fetch(`${other.url}/orders`, { method: 'POST', body: new URLSearchParams({ po_number: po }) });
  const failed = expect(met).rejects.toThrow();
  await expect
    .poll(async () => (await readAudit(services.pool, { poNumber: po, outcome: 'fault' })).length)
    .toBe(1);
  await other.stop();
  await other.stop();
  await failed;
  expect(await orderedOf(po)).toBe(0);
});
