import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import type {
  IntentOutcome,
  Move,
  PlacingLedger,
  PurchaseOrderState,
  TakenPurchaseOrder,
} from '../../src/placing/types.ts';

export interface LedgerUnderTest {
  ledger: PlacingLedger;
  /** A ready PO with the number PO-1 of an import of its own with two lines (rows 2 and 3), due at once; answers its id. */
  insert(over?: { state?: PurchaseOrderState; account?: string }): Promise<string>;
  read(id: string): Promise<{
    state: string;
    epoch: number;
    reasonCode: string | undefined;
    alarm: string | undefined;
    leased: boolean;
    orderNumbers: string[];
  }>;
}

const minute = 60_000;
const anyActive = ['ready', 'cart_created', 'items_added', 'submitting', 'verifying'] as const;
const same = { epoch: 'same', waitMs: 0 } as const;

/** What placing relies on in a ledger. Held by the SQL ledger and by the simulation's, so that they are equal. */
export const placingLedgerContract = (create: () => Promise<LedgerUnderTest>): void => {
  let under: LedgerUnderTest;
  let ledger: PlacingLedger;
  beforeEach(async () => {
    under = await create();
    ledger = under.ledger;
  });

  const owners = { a: '00000000-0000-4000-8000-00000000000a', b: '00000000-0000-4000-8000-00000000000b' };
  const take = (id: string, owner = owners.a, leaseMs = minute, graceMs = 0) =>
    ledger.take(id, { owner, accounts: ['default', 'other'], states: anyActive, leaseMs, graceMs });
  const taken = async (id: string, owner?: string, leaseMs?: number): Promise<TakenPurchaseOrder> => {
    const result = await take(id, owner, leaseMs);
    if (result.kind !== 'taken') throw new Error(`not taken: ${JSON.stringify(result)}`);
    return result.po;
  };
  /** Moves a PO and takes it again. */
  const moved = async (
    id: string,
    move: Partial<Move> & Pick<Move, 'state'>,
  ): Promise<TakenPurchaseOrder> => {
    expect(await ledger.move(await taken(id), owners.a, { ...same, ...move })).toBe(true);
    return taken(id);
  };

  describe('a lease', () => {
    test('is given to one, and the other is told how long to wait', async () => {
      const id = await under.insert();
      expect((await take(id)).kind).toBe('taken');
      const second = await take(id, owners.b);
      expect(second).toMatchObject({ kind: 'later', why: 'leased' });
      expect((second as { waitMs: number }).waitMs).toBeGreaterThan(minute - 30_000);
    });

    test('is given only to a process that serves the account, and costs the others nothing', async () => {
      const id = await under.insert({ account: 'north' });
      const options = { states: anyActive, leaseMs: minute, graceMs: 0 };
      const other = await ledger.take(id, { ...options, owner: owners.a, accounts: ['south'] });
      expect(other).toEqual({ kind: 'not_served', account: 'north' });
      expect(await under.read(id)).toMatchObject({ leased: false });
      const served = await ledger.take(id, { ...options, owner: owners.b, accounts: ['north', 'south'] });
      expect(served).toMatchObject({ kind: 'taken', po: { account: 'north' } });
    });

    test('that ran out is taken over only after the grace', async () => {
      const id = await under.insert();
      await taken(id, owners.a, -1000);
      expect(await take(id, owners.b, minute, minute)).toMatchObject({ kind: 'later', why: 'leased' });
      expect(await take(id, owners.b, minute, 500)).toMatchObject({ kind: 'taken' });
    });

    test('is extended for its owner only', async () => {
      const id = await under.insert();
      await taken(id, owners.a, -1000);
      expect(await ledger.renewLease(id, owners.b, minute)).toBe(false);
      expect(await ledger.renewLease(id, owners.a, minute)).toBe(true);
      expect(await take(id, owners.b)).toMatchObject({ kind: 'later', why: 'leased' });
    });

    test('that was taken over lets its old owner write nothing', async () => {
      const id = await under.insert();
      const old = await taken(id, owners.a, -1000);
      await taken(id, owners.b);
      expect(await ledger.renewLease(id, owners.a, minute)).toBe(false);
      expect(await ledger.beginStep(old, owners.a, 'create_cart', {})).toBeUndefined();
      expect(await ledger.move(old, owners.a, { ...same, state: 'failed' })).toBe(false);
      expect(await ledger.endStep(old, owners.a, { intentId: '1', outcome: 'done' })).toBe(false);
      expect(await under.read(id)).toMatchObject({ state: 'ready', leased: true });
    });

    test('ends with a move', async () => {
      const id = await under.insert();
      const po = await taken(id);
      expect(await ledger.move(po, owners.a, { ...same, state: 'ready' })).toBe(true);
      expect(await under.read(id)).toMatchObject({ leased: false });
      expect(await ledger.move(po, owners.a, { ...same, state: 'ready' })).toBe(false);
    });

    test('counts its runs', async () => {
      const id = await under.insert();
      expect((await moved(id, { state: 'ready' })).run).toBe(2);
    });
  });

  describe('how long ago a call for the PO number had an unclear outcome', () => {
    const endedWith = async (
      id: string,
      outcome: IntentOutcome | undefined,
      state: PurchaseOrderState = 'ready',
    ) => {
      const po = await taken(id);
      const intentId = await ledger.beginStep(po, owners.a, 'delete_cart', {});
      const ended = outcome && { intentId: intentId!, outcome };
      expect(await ledger.move(po, owners.a, { ...same, state }, ended)).toBe(true);
    };

    test.each(['done', 'partial', 'not_acted', 'refused', 'contradicted'] as const)(
      'is unknown where its outcome is clear: %s',
      async (outcome) => {
        const id = await under.insert();
        await endedWith(id, outcome);
        expect((await taken(id)).sinceUnclearMs).toBeUndefined();
      },
    );

    test.each(['unknown', undefined] as const)('is told where its outcome is %s', async (outcome) => {
      const id = await under.insert();
      await endedWith(id, outcome);
      const { sinceUnclearMs } = await taken(id);
      expect(sinceUnclearMs).toBeGreaterThanOrEqual(0);
      expect(sinceUnclearMs).toBeLessThan(minute);
    });

    test('counts for a later PO of the same number too, and for no other account', async () => {
      const cancelled = await under.insert();
      await endedWith(cancelled, 'unknown', 'cancelled');
      const next = await under.insert();
      expect((await taken(next)).sinceUnclearMs).toBeGreaterThanOrEqual(0);
      const elsewhere = await under.insert({ account: 'other' });
      expect((await taken(elsewhere)).sinceUnclearMs).toBeUndefined();
    });
  });

  test('the longest read lag that was noticed is kept', async () => {
    expect(await ledger.noteReadLag('default', 1000)).toBe(true);
    expect(await ledger.noteReadLag('default', 1000)).toBe(false);
    expect(await ledger.noteReadLag('default', 500)).toBe(false);
    expect(await ledger.noteReadLag('default', 3000)).toBe(true);
    expect(await ledger.noteReadLag('other', 500)).toBe(true);
  });

  describe('a PO is not taken', () => {
    test('in another state', async () => {
      const id = await under.insert();
      const options = {
        owner: owners.a,
        accounts: ['default'],
        states: ['verifying'] as const,
        leaseMs: minute,
        graceMs: 0,
      };
      expect(await ledger.take(id, options)).toEqual({ kind: 'elsewhere', state: 'ready' });
    });

    test.each(['held', 'failed', 'ordered'] as const)('when %s', async (state) => {
      const id = await under.insert({ state });
      expect(await take(id)).toEqual({ kind: 'elsewhere', state });
    });

    test('before its time', async () => {
      const id = await under.insert();
      await ledger.move(await taken(id), owners.a, { ...same, state: 'ready', waitMs: minute });
      expect(await take(id)).toMatchObject({ kind: 'later', why: 'not_yet' });
    });

    test('when it is not known', async () => {
      expect(await take('999999')).toEqual({ kind: 'elsewhere', state: undefined });
    });
  });

  describe('every write is conditional on', () => {
    test('the epoch', async () => {
      const po = await taken(await under.insert());
      const other = { ...po, epoch: po.epoch + 1 };
      expect(await ledger.beginStep(other, owners.a, 'create_cart', {})).toBeUndefined();
      expect(await ledger.move(other, owners.a, { ...same, state: 'held' })).toBe(false);
    });

    test('the state', async () => {
      const po = await taken(await under.insert());
      const other = { ...po, state: 'verifying' as const };
      expect(await ledger.beginStep(other, owners.a, 'create_cart', {})).toBeUndefined();
      expect(await ledger.move(other, owners.a, { ...same, state: 'held' })).toBe(false);
      expect(await ledger.endStep(other, owners.a, { intentId: '1', outcome: 'done' })).toBe(false);
    });
  });

  describe('an intent', () => {
    test('stands without an outcome until one is written', async () => {
      const id = await under.insert();
      const po = await taken(id, owners.a, -1000);
      expect(await ledger.beginStep(po, owners.a, 'create_cart', { baseline: [] })).toBeDefined();
      const again = await taken(id, owners.b);
      expect(again.intents).toMatchObject([{ epoch: 0, step: 'create_cart' }]);
      expect(again.intents[0]?.outcome).toBeUndefined();
    });

    test('carries the record of what stood there before, which stays', async () => {
      const id = await under.insert();
      const po = await taken(id);
      expect(po.baseline).toBeUndefined();
      const intentId = (await ledger.beginStep(po, owners.a, 'create_cart', { baseline: ['O-1'] }))!;
      await ledger.move(
        po,
        owners.a,
        { ...same, state: 'ready', epoch: 'next' },
        { intentId, outcome: 'unknown' },
      );
      const again = await taken(id);
      expect(again.baseline).toEqual(['O-1']);
      expect(again.epoch).toBe(1);
      expect(again.intents).toMatchObject([{ epoch: 0, outcome: 'unknown' }]);
    });

    test('an empty record is one: it was looked', async () => {
      const id = await under.insert();
      const po = await taken(id);
      await ledger.beginStep(po, owners.a, 'create_cart', { baseline: [] });
      await ledger.move(po, owners.a, { ...same, state: 'ready' });
      expect((await taken(id)).baseline).toEqual([]);
    });

    test('to submit moves the PO to submitting in one go', async () => {
      const id = await under.insert({ state: 'items_added' });
      await ledger.beginStep(await taken(id), owners.a, 'submit_order', { state: 'submitting' });
      expect(await under.read(id)).toMatchObject({ state: 'submitting' });
    });

    test.each(['submit_order', 'create_cart'] as const)(
      'to %s comes once in an epoch, unless it certainly did not act',
      async (step) => {
        const id = await under.insert();
        const po = await taken(id);
        const first = (await ledger.beginStep(po, owners.a, step, {}))!;
        await expect(ledger.beginStep(po, owners.a, step, {})).rejects.toThrow();
        expect(await ledger.endStep(po, owners.a, { intentId: first, outcome: 'not_acted' })).toBe(true);
        const second = (await ledger.beginStep(po, owners.a, step, {}))!;
        expect(await ledger.endStep(po, owners.a, { intentId: second, outcome: 'unknown' })).toBe(true);
        await expect(ledger.beginStep(po, owners.a, step, {})).rejects.toThrow();
      },
    );

    test('to add or delete may come again', async () => {
      const po = await taken(await under.insert());
      for (const step of ['add_items', 'add_items', 'delete_cart', 'delete_cart'] as const) {
        expect(await ledger.beginStep(po, owners.a, step, {})).toBeDefined();
      }
    });

    test('its outcome is written together with the move, or not at all', async () => {
      const id = await under.insert();
      const po = await taken(id);
      const intentId = (await ledger.beginStep(po, owners.a, 'create_cart', {}))!;
      expect(
        await ledger.move(
          { ...po, epoch: 7 },
          owners.a,
          { ...same, state: 'held' },
          { intentId, outcome: 'done' },
        ),
      ).toBe(false);
      expect(
        await ledger.move(
          po,
          owners.a,
          { ...same, state: 'ready' },
          { intentId, outcome: 'done', detail: 'd' },
        ),
      ).toBe(true);
      expect((await taken(id)).intents).toEqual([
        { epoch: 0, step: 'create_cart', outcome: 'done', detail: 'd' },
      ]);
    });

    test('an outcome in between keeps the lease and the state', async () => {
      const id = await under.insert();
      const po = await taken(id);
      const intentId = (await ledger.beginStep(po, owners.a, 'delete_cart', {}))!;
      expect(await ledger.endStep(po, owners.a, { intentId, outcome: 'done' })).toBe(true);
      expect(await under.read(id)).toMatchObject({ state: 'ready', leased: true });
    });
  });

  describe('the answers to lines', () => {
    const answer = { sku: 'S', name: 'N', availableQuantity: 3, backorderQuantity: 0, dealerPrice: '1.50' };
    const withCart = async () => {
      const id = await under.insert();
      const po = await moved(id, { state: 'cart_created', cart: { number: 'C-1' } });
      const intentId = (await ledger.beginStep(po, owners.a, 'add_items', {}))!;
      await ledger.move(
        po,
        owners.a,
        { ...same, state: 'cart_created' },
        { intentId, outcome: 'partial', answers: [{ rowNumber: 3, answer }] },
      );
      return id;
    };

    test('stay with the cart, also into a later epoch', async () => {
      const id = await withCart();
      const po = await moved(id, { state: 'items_added', epoch: 'next' });
      expect(po).toMatchObject({ epoch: 1, cartEpoch: 0, cartNumber: 'C-1' });
      expect(po.lines.map((line) => [line.rowNumber, line.answer])).toEqual([
        [2, undefined],
        [3, answer],
      ]);
    });

    test('go with the cart', async () => {
      const po = await moved(await withCart(), { state: 'ready', epoch: 'next', cart: 'gone' });
      expect([po.cartEpoch, po.cartNumber]).toEqual([undefined, undefined]);
      expect(po.lines.every((line) => line.answer === undefined)).toBe(true);
    });

    test('are not those of the next cart', async () => {
      const id = await withCart();
      const gone = await moved(id, { state: 'ready', epoch: 'next', cart: 'gone' });
      await ledger.move(gone, owners.a, { ...same, state: 'cart_created', cart: { number: 'C-2' } });
      const po = await taken(id);
      expect(po).toMatchObject({ cartEpoch: 1, cartNumber: 'C-2' });
      expect(po.lines.every((line) => line.answer === undefined)).toBe(true);
    });
  });

  describe('a move', () => {
    test('writes the reason, and the next one takes it away', async () => {
      const id = await under.insert();
      await ledger.move(await taken(id), owners.a, {
        ...same,
        state: 'ready',
        reason: { code: 'c', text: 't' },
        alarm: 'a',
      });
      expect(await under.read(id)).toMatchObject({ reasonCode: 'c', alarm: 'a' });
      await moved(id, { state: 'ready' });
      expect(await under.read(id)).toMatchObject({ reasonCode: undefined, alarm: 'a' });
    });

    test('counts rebuilds and looks', async () => {
      const id = await under.insert();
      expect(await moved(id, { state: 'verifying', rebuilt: true, looks: 2 })).toMatchObject({
        rebuilds: 1,
        looks: 2,
      });
    });

    test('that failed to reach the service counts, and another one forgets it', async () => {
      const id = await under.insert();
      await ledger.move(await taken(id), owners.a, { ...same, state: 'ready', failed: true });
      await ledger.move(await taken(id), owners.a, { ...same, state: 'ready', failed: true });
      const failing = await taken(id);
      expect(failing.failures).toBe(2);
      expect(failing.failingForMs).toBeGreaterThanOrEqual(0);
      await ledger.move(failing, owners.a, { ...same, state: 'ready' });
      expect(await taken(id)).toMatchObject({ failures: 0, failingForMs: 0 });
    });

    test('records each order once', async () => {
      const id = await under.insert();
      await ledger.move(await taken(id), owners.a, { ...same, state: 'verifying', orderNumber: 'O-1' });
      const orders = ['O-1', 'O-2'].map((orderNumber) => ({ orderNumber }) as never);
      await ledger.move(await taken(id), owners.a, { ...same, state: 'ordered', orders });
      expect(await under.read(id)).toMatchObject({ state: 'ordered', orderNumbers: ['O-1', 'O-2'] });
    });
  });

  describe('an account that pauses', () => {
    const pause = (waitMs: number) =>
      ledger.pauseAccount('default', { code: 'rate_limited', reason: 'r', firstMs: waitMs, capMs: waitMs });
    const growing = (firstMs: number, capMs = 300_000) =>
      ledger.pauseAccount('default', { code: 'credential_refused', reason: 'r', firstMs, capMs });
    /** A growing pause that is over at once. */
    const past = () => growing(-1000, -1);

    test("lets none of its POs be taken, and others' be", async () => {
      const id = await under.insert();
      const other = await under.insert({ account: 'other' });
      await pause(minute);
      expect(await take(id)).toMatchObject({ kind: 'later', why: 'paused' });
      expect(await take(other)).toMatchObject({ kind: 'taken' });
    });

    test('is never paused shorter', async () => {
      const id = await under.insert();
      await pause(minute);
      await pause(1);
      const later = await take(id);
      expect(later.kind === 'later' && later.waitMs).toBeGreaterThan(30_000);
    });

    test('counts pauses one after the other, not those within one', async () => {
      const id = await under.insert();
      await past();
      await past();
      const po = await taken(id);
      expect(po).toMatchObject({ accountPauses: 2, accountWasPaused: true });
      await ledger.move(po, owners.a, { ...same, state: 'ready' });
      const first = await growing(1000);
      const second = await growing(1000);
      for (const { waitMs } of [first, second]) {
        expect(waitMs).toBeGreaterThan(3000);
        expect(waitMs).toBeLessThanOrEqual(4000);
      }
      expect(await take(id)).toMatchObject({ kind: 'later', why: 'paused' });
    });

    test('does not grow for what the service limits', async () => {
      const id = await under.insert();
      await pause(-1);
      await pause(-1);
      expect(await taken(id)).toMatchObject({ accountPauses: 0, accountWasPaused: true });
    });

    test('grows from the start again after a success, also after one while a pause runs; that goes on', async () => {
      const id = await under.insert();
      for (let at = 0; at < 6; at += 1) await past();
      expect((await growing(1000)).waitMs).toBeGreaterThan(32_000);
      expect(await ledger.clearPause('default')).toBe(false);
      expect(await take(id)).toMatchObject({ kind: 'later', why: 'paused' });
      // Another PO was under way and meets the trouble, too.
      expect((await growing(70_000)).waitMs).toBeLessThanOrEqual(70_000);
    });

    test('is news when it begins, stays for longer or for another reason, and ends; once each', async () => {
      expect((await pause(1000)).change).toBe('begun');
      expect((await pause(1500)).change).toBe('unchanged');
      expect((await pause(minute)).change).toBe('changed');
      expect((await growing(1000)).change).toBe('unchanged');
      expect((await growing(2 * minute)).change).toBe('changed');
      expect(await ledger.clearPause('default')).toBe(false);
    });

    test('of the same length, one after the other, is news once', async () => {
      const limited = () =>
        ledger.pauseAccount('default', {
          code: 'rate_limited',
          reason: 'answered 429',
          firstMs: 1,
          capMs: 1,
        });
      const changes: string[] = [];
      for (let at = 0; at < 20; at += 1) {
        changes.push((await limited()).change);
        await sleep(3);
      }
      expect(changes).toEqual(['begun', ...Array(19).fill('unchanged')]);
    });

    test('that is over and needed again has not ended; a success ends it, once', async () => {
      expect((await past()).change).toBe('begun');
      expect((await past()).change).toBe('changed');
      expect(await ledger.clearPause('default')).toBe(true);
      expect(await ledger.clearPause('default')).toBe(false);
      expect((await past()).change).toBe('begun');
    });

    test('that got through starts anew', async () => {
      const id = await under.insert();
      await past();
      await ledger.clearPause('default');
      expect(await taken(id)).toMatchObject({ accountPauses: 0, accountWasPaused: false });
    });
  });
};
