import { describe, expect, test } from 'vitest';
import { answers, startScriptedServer } from '../dealer-api/scripted-server.ts';
import { createHeardLogger } from '../support/heard-logger.ts';
import { type PlacingAccount, usePlacing } from '../support/use-placing.ts';

const placing = usePlacing();

const one = [{ sku: 'A', quantity: 2 }];
const odd = ['redirect', 'html'] as const;
const endpoints = ['showOrder', 'showCart', 'createCart', 'addItem', 'submitOrder'] as const;

const addMany = async (account: PlacingAccount, count: number) => {
  for (let at = 1; at <= count; at += 1) await account.add(`PO-${at}`, one);
};

/** Processes eight POs at a time, skipping waits, until none has a next step; returns each pause that started. */
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
  test.each(odd)('(%s) at any call costs its PO a retry and the account no pause', async (kind) => {
    for (const endpoint of endpoints) {
      const account = placing.account();
      await addMany(account, 3);
      placing.service.faults.replace([{ kind, endpoint, poNumber: 'PO-2', count: 1 }]);
      await account.run();
      expect([endpoint, await account.pause()]).toEqual([endpoint, undefined]);
      for (const po of ['PO-1', 'PO-2', 'PO-3']) {
        expect(await account.row(po)).toMatchObject({ state: 'ordered', failures: 0, failing_since: null });
        expect(await account.ordered(po)).toHaveLength(1);
      }
    }
  });

  test.each(odd)(
    '(%s) as the answer to a submission leads to verification, never to a blind second submission',
    async (kind) => {
      const account = placing.account();
      await account.add('PO-1', one);
      placing.service.faults.replace([{ kind, endpoint: 'submitOrder', count: 1 }]);
      const [id] = await account.active();
      expect(await account.step(id!)).toMatchObject({ kind: 'transitioned', state: 'verifying' });
    },
  );
});

describe('redirects and web pages only', () => {
  test.each(odd)('(%s) pause the account with growing delays, and fail no PO', async (kind) => {
    const account = placing.account();
    await addMany(account, 2);
    placing.service.faults.replace([{ kind, endpoint: 'any' }]);
    const pauses: number[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      await account.run();
      pauses.push(Math.ceil((await account.pause())!.forSeconds!));
      await account.pauseEnds();
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32]);
    expect(await account.pause()).toMatchObject({ code: kind === 'html' ? 'web_page' : 'redirected' });
    placing.service.faults.replace([]);
    await account.run();
    for (const po of ['PO-1', 'PO-2']) expect(await account.ordered(po)).toHaveLength(1);
    expect(await account.pause()).toMatchObject({ code: null, pauses: 0 });
  });
});

/** Every fifth of the first 300 calls. A rule counts only calls that no earlier rule matched. */
const everyFifth = (kind: (typeof odd)[number]) =>
  Array.from({ length: 60 }, (_, at) => ({ kind, endpoint: 'any' as const, skip: 4 * at + 4, count: 1 }));

describe('odd answers among good ones', () => {
  test.each(odd)(
    '(%s, each fifth) never make pauses grow: everything is ordered on the way',
    async (kind) => {
      // With one odd answer in five, some POs rebuild their carts more often than an ordinary account allows.
      const account = placing.account({ rules: { rebuildsAllowed: 50 } });
      await addMany(account, 40);
      placing.service.faults.replace(everyFifth(kind));
      const pauses = await runAtOnce(account);
      placing.service.faults.replace([]);
      expect(Math.max(0, ...pauses)).toBeLessThanOrEqual(2);
      for (let at = 1; at <= 40; at += 1) {
        const row = await account.row(`PO-${at}`);
        expect([row.state, row.reason_code, row.rebuilds]).toEqual(['ordered', null, expect.any(Number)]);
        expect(await account.ordered(`PO-${at}`)).toHaveLength(1);
      }
    },
  );

  test('429 with seconds pauses for exactly these, no matter how often it repeats, and lengthens no other pause', async () => {
    const account = placing.account();
    await addMany(account, 20);
    placing.service.faults.replace([
      { kind: '429-seconds', endpoint: 'any', probability: 0.2, retryAfterSeconds: 3 },
    ]);
    const pauses = await runAtOnce(account);
    placing.service.faults.replace([]);
    expect(pauses.length).toBeGreaterThan(2);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(3);
    expect(await account.row('PO-1')).toMatchObject({ state: 'ordered', rebuilds: 0, failures: 0 });
    for (let at = 1; at <= 20; at += 1) expect(await account.ordered(`PO-${at}`)).toHaveLength(1);
  });
});

describe('the log', () => {
  test('has one line when a pause starts, changes and ends, no matter how many POs wait for it', async () => {
    const front = await startScriptedServer();
    const { logger, lines } = createHeardLogger();
    const account = placing.account({ baseUrl: front.url, logger });
    await addMany(account, 30);
    const logged = () => lines.splice(0).map(({ level, code, message }) => `${level} ${code}: ${message}`);
    const turn = async () => {
      await account.becomeDue();
      await Promise.all((await account.active()).map((id) => account.step(id)));
    };

    front.script = answers(401);
    await turn();
    expect(logged()).toEqual([
      'warn credential_refused: The account is paused; nothing is sent for it until the pause ends',
    ]);
    await turn();
    expect(logged()).toEqual([]);
    await account.pauseEnds();
    await turn();
    expect(logged()).toEqual(['warn credential_refused: The account remains paused']);
    await account.pauseEnds();
    front.script = answers(429, '', { 'retry-after': '90' });
    await turn();
    expect(logged()).toEqual(['warn rate_limited: The account remains paused']);
    await account.pauseEnds();
    account.moveTo(placing.service.url);
    await turn();
    expect(logged()).toEqual(['info undefined: The account is no longer paused; calls succeed again']);
    await front.stop();
  });

  test('gives the hold reason of the first PO at once, and sums up many others in one line', async () => {
    const { logger, lines } = createHeardLogger();
    const account = placing.account({
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
