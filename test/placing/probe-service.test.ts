import { afterEach, describe, expect, test } from 'vitest';
import { createDealerApi } from '../../src/dealer-api/create-dealer-api.ts';
import { createThrottle } from '../../src/dealer-api/throttle.ts';
import { type ProbeOptions, probeService } from '../../src/placing/probe-service.ts';
import { readAudit } from '../support/read-audit.ts';
import { usePlacing } from '../support/use-placing.ts';

const catalogue = ['A,1.00,99,0,0,0'];
const placing = usePlacing({ catalogue });

type Service = Parameters<typeof placing.serve>[0];

const clients: { stop(): void }[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.stop();
});

const probe = async (service: Service, over: Partial<ProbeOptions> = {}) => {
  const { url } = service ? await placing.serve({ catalogue, ...service }) : placing.service;
  const account = placing.account({ baseUrl: url });
  const options: ProbeOptions = {
    api: account.api,
    poNumber: 'PROBE-1',
    sku: 'A',
    submit: false,
    rules: { requestTimeoutMs: 2000, readLagMs: 0 },
    isStopped: () => false,
    // Shortened, because waits for late effects are long, and this service has none.
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 50))),
    now: () => performance.now(),
    ...over,
  };
  const probed = await probeService(options);
  return {
    probed,
    account,
    acted: async () => {
      const acted = await readAudit(placing.pool, { dealer: account.dealer, outcome: 'acted' });
      return acted.map(({ endpoint }) => endpoint);
    },
  };
};

describe('the test of a service', () => {
  test('shows its capabilities without ordering anything, and leaves no cart', async () => {
    const { probed, account, acted } = await probe(undefined);
    expect(probed).toEqual({
      kind: 'probed',
      cartGone: true,
      capabilities: {
        createRefusesExistingCart: true,
        cartNumberShown: true,
        itemsShown: true,
        equalLines: 'separate',
        deletionWorks: true,
        readLagMs: 0,
        submissionConsumesCart: undefined,
        createRefusesOrderedPo: undefined,
        orderNumber: undefined,
      },
    });
    expect(await acted()).not.toContain('submitOrder');
    expect((await account.api.showCart('PROBE-1')).kind).toBe('not_found');
  });

  test.each<[string, NonNullable<Service>, object]>([
    ['replaces a cart', { existingCart: 'replaced' }, { createRefusesExistingCart: false }],
    ['merges equal lines', { sameSku: 'merged' }, { equalLines: 'merged' }],
    ['hides items', { itemsIn: ['orders'] }, { itemsShown: false, equalLines: undefined }],
  ])('finds a service that %s', async (_, service, capabilities) => {
    const { probed, account } = await probe(service);
    expect(probed).toMatchObject({ kind: 'probed', cartGone: true, capabilities });
    expect((await account.api.showCart('PROBE-1')).kind).toBe('not_found');
  });

  test('measures how late lookups show a change', async () => {
    const { probed } = await probe({ readLagMs: 600 });
    expect(probed).toMatchObject({ kind: 'probed', capabilities: { itemsShown: true, deletionWorks: true } });
    const { capabilities } = probed as Extract<typeof probed, { kind: 'probed' }>;
    expect(capabilities.readLagMs).toBeGreaterThan(300);
  });

  test.each<[string, NonNullable<Service>, object]>([
    ['consumes it', {}, { submissionConsumesCart: true, createRefusesOrderedPo: true }],
    [
      'keeps it',
      { cartAfterSubmission: 'kept' },
      { submissionConsumesCart: false, createRefusesOrderedPo: true },
    ],
    [
      'consumes it, and takes more orders under the number',
      { poReuse: 'allowed' },
      { submissionConsumesCart: true, createRefusesOrderedPo: false },
    ],
  ])('with a submission, finds out what it does to the cart: %s', async (_, service, capabilities) => {
    // A kept cart stays visible until the probe stops waiting for it to disappear.
    let waitedMs = 0;
    const { probed, account } = await probe(service, {
      submit: true,
      now: () => {
        waitedMs += 400;
        return waitedMs;
      },
    });
    expect(probed).toMatchObject({ kind: 'probed', cartGone: true, capabilities });
    expect(await account.ordered('PROBE-1')).toMatchObject([{ quantities: { A: 3 } }]);
    expect((await account.api.showCart('PROBE-1')).kind).toBe('not_found');
  });
});

describe('whatever happens during the test', () => {
  test('an order or a cart that exists under the number is not touched', async () => {
    const first = placing.account();
    await first.api.createCart({ poNumber: 'PROBE-1', options: {} });
    const again = await probeService({
      api: first.api,
      poNumber: 'PROBE-1',
      sku: 'A',
      submit: true,
      rules: { requestTimeoutMs: 2000, readLagMs: 0 },
      isStopped: () => false,
      sleep: async () => {},
      now: () => 0,
    });
    expect(again).toEqual({ kind: 'in_use', what: 'cart' });
    expect((await first.api.showCart('PROBE-1')).kind).toBe('ok');
  });

  test('an unknown SKU ends it, and the cart is deleted', async () => {
    const { probed, account } = await probe(undefined, { sku: 'NO-SUCH-SKU' });
    expect(probed).toMatchObject({ kind: 'stopped', at: 'adding NO-SUCH-SKU', cartGone: true });
    expect((await account.api.showCart('PROBE-1')).kind).toBe('not_found');
  });

  test.each([2, 3, 4, 5, 6, 7])('Ctrl-C before call %i: the cart is deleted', async (count) => {
    let calls = 0;
    const { probed, account, acted } = await probe(undefined, {
      submit: true,
      isStopped: () => {
        calls += 1;
        return calls >= count;
      },
    });
    expect(probed).toEqual({ kind: 'interrupted', cartGone: true });
    expect((await account.api.showCart('PROBE-1')).kind).toBe('not_found');
    expect(await acted()).not.toContain('submitOrder');
  });

  test('a call without an answer: the cart is deleted once more when nothing can take effect any more', async () => {
    const service = await placing.serve({ catalogue });
    service.faults.replace([{ endpoint: 'createCart', kind: 'close-after', count: 1 }]);
    const account = placing.account({ baseUrl: service.url });
    const waits: number[] = [];
    const probed = await probeService({
      api: account.api,
      poNumber: 'PROBE-1',
      sku: 'A',
      submit: false,
      rules: { requestTimeoutMs: 2000, readLagMs: 100 },
      isStopped: () => false,
      sleep: async (ms) => void waits.push(ms),
      now: () => 0,
    });
    expect(probed).toMatchObject({ kind: 'stopped', at: 'creating the cart', cartGone: true });
    expect(waits).toContain(4100);
    expect(account.calls.filter((call) => call.startsWith('deleteCart'))).toHaveLength(2);
    expect((await account.api.showCart('PROBE-1')).kind).toBe('not_found');
  });

  test('a service that cannot be reached: nothing was changed', async () => {
    const api = createDealerApi(
      {
        baseUrl: 'http://127.0.0.1:9',
        auth: { kind: 'none' },
        secret: undefined,
        requestFormat: 'json',
        dateRangeIn: 'query',
        requestTimeoutMs: 1000,
        maxAnswerBytes: 1000,
      },
      createThrottle(() => 1),
    );
    clients.push(api);
    const { probed } = await probe(undefined, { api });
    expect(probed).toMatchObject({ kind: 'stopped', at: 'looking up the order', cartGone: true });
  });
});
