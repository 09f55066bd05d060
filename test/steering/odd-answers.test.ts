import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { answers, startScriptedServer } from '../dealer-api/scripted-server.ts';
import { createHeardLogger } from '../support/heard-logger.ts';
import { openPlacing, type Placing, type PlacingAccount } from './placing-account.ts';

let placing: Placing;
let service: ListeningService;
beforeAll(async () => {
  placing = await openPlacing();
  service = await placing.serve();
});
afterAll(() => placing.end());

const one = [{ sku: 'A', quantity: 2 }];
const odd = ['redirect', 'html'] as const;
const endpoints = ['showOrder', 'showCart', 'createCart', 'addItem', 'submitOrder'] as const;

const addMany = async (account: PlacingAccount, count: number) => {
  for (let at = 1; at <= count; at += 1) await account.add(`PO-${at}`, one);
};

/** Eight POs at a time, with time passing, until nothing has a next step; answers each pause that was begun. */
const runAtOnce = async (account: PlacingAccount, turns = 400) => {
  const pauses: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const ids = (await account.active()).slice(0, 8);
    if (ids.length === 0) return pauses;
    await account.becomeDue();
    await Promise.all(ids.map((id) => account.step(id)));
    const seconds = (await account.pause())?.forSeconds ?? 0;
    if (seconds > 0) pauses.push(seconds);
    await account.pauseEnds();
  }
  throw new Error('comes to no end');
};

describe('a lone redirect or web page', () => {
  test.each(odd)('(%s) costs its PO a retry, and the account no pause, at whatever call', async (kind) => {
    for (const endpoint of endpoints) {
      const account = placing.account({ baseUrl: service.url });
      await addMany(account, 3);
      service.faults.replace([{ kind, endpoint, poNumber: 'PO-2', count: 1 }]);
      await account.run();
      expect([endpoint, await account.pause()]).toEqual([endpoint, undefined]);
      for (const po of ['PO-1', 'PO-2', 'PO-3']) {
        expect(await account.row(po)).toMatchObject({ state: 'ordered', failures: 0, failing_since: null });
        expect(await account.ordered(po)).toHaveLength(1);
      }
    }
  });

  test.each(odd)('(%s) to a submission is verified, never sent again blindly', async (kind) => {
    const account = placing.account({ baseUrl: service.url });
    await account.add('PO-1', one);
    service.faults.replace([{ kind, endpoint: 'submitOrder', count: 1 }]);
    const [id] = await account.active();
    expect(await account.step(id!)).toMatchObject({ kind: 'moved', state: 'verifying' });
  });
});

describe('redirects and web pages only', () => {
  test.each(odd)('(%s) pause the account, longer and longer, and fail nothing', async (kind) => {
    const account = placing.account({ baseUrl: service.url });
    await addMany(account, 2);
    service.faults.replace([{ kind, endpoint: 'any' }]);
    const pauses: number[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      await account.run();
      pauses.push(Math.ceil((await account.pause())!.forSeconds!));
      await account.pauseEnds();
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32]);
    expect(await account.pause()).toMatchObject({ code: 'redirected' });
    service.faults.replace([]);
    await account.run();
    for (const po of ['PO-1', 'PO-2']) expect(await account.ordered(po)).toHaveLength(1);
    expect(await account.pause()).toMatchObject({ code: null, pauses: 0 });
  });
});

/** Of the first 300 calls, each fifth: a rule counts the calls that no rule before it has met. */
const everyFifth = (kind: (typeof odd)[number]) =>
  Array.from({ length: 60 }, (_, at) => ({ kind, endpoint: 'any' as const, skip: 4 * at + 4, count: 1 }));

describe('odd answers among good ones', () => {
  test.each(odd)(
    '(%s, each fifth) never make pauses grow: everything is ordered on the way',
    async (kind) => {
      // One call in five odd: some PO rebuilds its cart more often than an ordinary account allows.
      const account = placing.account({ baseUrl: service.url, rules: { rebuildsAllowed: 50 } });
      await addMany(account, 40);
      service.faults.replace(everyFifth(kind));
      const pauses = await runAtOnce(account);
      service.faults.replace([]);
      expect(Math.max(0, ...pauses)).toBeLessThanOrEqual(2);
      for (let at = 1; at <= 40; at += 1) {
        const row = await account.row(`PO-${at}`);
        expect([row.state, row.reason_code, row.rebuilds]).toEqual(['ordered', null, expect.any(Number)]);
        expect(await account.ordered(`PO-${at}`)).toHaveLength(1);
      }
    },
  );

  test('429 with seconds waits just these, however often it comes, and lets nothing else grow', async () => {
    const account = placing.account({ baseUrl: service.url });
    await addMany(account, 20);
    service.faults.replace([
      { kind: '429-seconds', endpoint: 'any', probability: 0.2, retryAfterSeconds: 3 },
    ]);
    const pauses = await runAtOnce(account);
    service.faults.replace([]);
    expect(pauses.length).toBeGreaterThan(5);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(3);
    expect(await account.row('PO-1')).toMatchObject({ state: 'ordered', rebuilds: 0, failures: 0 });
    for (let at = 1; at <= 20; at += 1) expect(await account.ordered(`PO-${at}`)).toHaveLength(1);
  });
});

describe('the log', () => {
  test('has one line when a pause begins, changes and ends, however many POs wait for it', async () => {
    const front = await startScriptedServer();
    const { logger, lines } = createHeardLogger();
    const account = placing.account({ baseUrl: front.url, logger });
    await addMany(account, 30);
    const told = () => lines.splice(0).map(({ level, code, message }) => `${level} ${code}: ${message}`);
    const turn = async () => {
      await account.becomeDue();
      await Promise.all((await account.active()).map((id) => account.step(id)));
    };

    front.script = answers(401);
    await turn();
    expect(told()).toEqual([
      'warn credential_refused: The account is paused; nothing is sent for it meanwhile',
    ]);
    await turn();
    expect(told()).toEqual([]);
    await account.pauseEnds();
    await turn();
    expect(told()).toEqual(['warn credential_refused: The account stays paused']);
    await account.pauseEnds();
    front.script = answers(429, '', { 'retry-after': '90' });
    await turn();
    expect(told()).toEqual(['warn rate_limited: The account stays paused']);
    await account.pauseEnds();
    account.moveTo(service.url);
    await turn();
    expect(told()).toEqual(['info undefined: The pause of the account is over; calls succeed again']);
    await front.stop();
  });

  test('says at once why the first PO is held, and of many others in one line', async () => {
    const { logger, lines } = createHeardLogger();
    const account = placing.account({
      baseUrl: service.url,
      logger,
      rules: { guards: { orderTotal: 0.01 } as never },
    });
    await addMany(account, 60);
    await account.run();
    expect(lines).toMatchObject([{ level: 'warn', state: 'held', code: 'order_total' }]);
    account.logReasons();
    expect(lines).toMatchObject([
      { poNumber: 'PO-1' },
      { level: 'warn', state: 'held', code: 'order_total', count: 59 },
    ]);
    expect(lines[1]!.message).toContain('(PO-2, PO-3, PO-4, PO-5, PO-6 and 54 more)');
  });
});
