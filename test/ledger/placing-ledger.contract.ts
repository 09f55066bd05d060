import { describe, expect, test } from 'vitest';
import { accountContract } from './account.contract.ts';
import { keptLeaseContract } from './kept-lease.contract.ts';
import { takeOverContract } from './take-over.contract.ts';
import { anyActive, type LedgerUnderTest, minute, owners, same, useLedger } from './use-ledger.ts';

/** The contract of placing's ledger. Both the SQL ledger and the simulation's ledger must pass it. */
export const placingLedgerContract = (create: () => Promise<LedgerUnderTest>): void => {
  const under = useLedger(create);
  const { take, taken, transitioned } = under;

  describe('a lease', () => {
    test('is given to one process, and the other one gets its waiting time', async () => {
      const id = await under.insert();
      expect((await take(id)).kind).toBe('taken');
      const second = await take(id, owners.b);
      expect(second).toMatchObject({ kind: 'later', why: 'leased' });
      expect((second as { waitMs: number }).waitMs).toBeGreaterThan(minute - 30_000);
    });

    test('is given only to a process that serves the account, and other processes change nothing', async () => {
      const id = await under.insert({ account: 'north' });
      const options = { states: anyActive, leaseMs: minute, graceMs: 0 };
      const other = await under.ledger.take(id, { ...options, owner: owners.a, accounts: ['south'] });
      expect(other).toEqual({ kind: 'not_served', account: 'north' });
      expect(await under.read(id)).toMatchObject({ leased: false });
      const served = await under.ledger.take(id, {
        ...options,
        owner: owners.b,
        accounts: ['north', 'south'],
      });
      expect(served).toMatchObject({ kind: 'taken', po: { account: 'north' } });
    });

    test('that expired is taken over only after the grace period', async () => {
      const id = await under.insert();
      await taken(id, owners.a, -1000);
      expect(await take(id, owners.b, minute, minute)).toMatchObject({ kind: 'later', why: 'leased' });
      expect(await take(id, owners.b, minute, 500)).toMatchObject({ kind: 'taken' });
    });

    test('is extended for its owner only', async () => {
      const id = await under.insert();
      await taken(id, owners.a, 1000);
      expect(await under.ledger.renewLease(id, owners.b, minute)).toBe(false);
      expect(await under.ledger.renewLease(id, owners.a, minute)).toBe(true);
      const later = await take(id, owners.b);
      expect(later).toMatchObject({ kind: 'later', why: 'leased' });
      expect((later as { waitMs: number }).waitMs).toBeGreaterThan(30_000);
    });

    test('that has ended is not extended any more, also for its owner', async () => {
      const id = await under.insert();
      await taken(id, owners.a, -1);
      expect(await under.ledger.renewLease(id, owners.a, minute)).toBe(false);
      expect(await take(id, owners.b)).toMatchObject({ kind: 'taken' });
    });

    test('is given back by its owner only', async () => {
      const id = await under.insert();
      await taken(id);
      await under.ledger.giveBack(id, owners.b);
      expect(await under.read(id)).toMatchObject({ leased: true });
      await under.ledger.giveBack(id, owners.a);
      expect(await under.read(id)).toMatchObject({ leased: false });
    });

    test('that was taken over prevents writes of its old owner', async () => {
      const id = await under.insert();
      const old = await taken(id, owners.a, -1000);
      await taken(id, owners.b);
      expect(await under.ledger.renewLease(id, owners.a, minute)).toBe(false);
      expect(await under.ledger.beginStep(old, owners.a, 'create_cart', {})).toEqual({ kind: 'lost' });
      expect(await under.ledger.transition(old, owners.a, { ...same, state: 'failed' })).toBeUndefined();
      expect(await under.ledger.endStep(old, owners.a, { intentId: '1', outcome: 'done' })).toBeUndefined();
      expect(await under.read(id)).toMatchObject({ state: 'ready', leased: true });
    });

    test('ends with a transition', async () => {
      const id = await under.insert();
      const po = await taken(id);
      expect(await under.ledger.transition(po, owners.a, { ...same, state: 'ready' })).toBeDefined();
      expect(await under.read(id)).toMatchObject({ leased: false });
      expect(await under.ledger.transition(po, owners.a, { ...same, state: 'ready' })).toBeUndefined();
    });

    test('counts its runs', async () => {
      const id = await under.insert();
      expect((await transitioned(id, { state: 'ready' })).run).toBe(2);
    });
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
      expect(await under.ledger.take(id, options)).toEqual({ kind: 'elsewhere', state: 'ready' });
    });

    test.each(['held', 'failed', 'ordered'] as const)('when %s', async (state) => {
      const id = await under.insert({ state });
      expect(await take(id)).toEqual({ kind: 'elsewhere', state });
    });

    test('before it is due', async () => {
      const id = await under.insert();
      await under.ledger.transition(await taken(id), owners.a, { ...same, state: 'ready', waitMs: minute });
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
      expect(await under.ledger.beginStep(other, owners.a, 'create_cart', {})).toEqual({ kind: 'lost' });
      expect(await under.ledger.transition(other, owners.a, { ...same, state: 'held' })).toBeUndefined();
    });

    test('the state', async () => {
      const po = await taken(await under.insert());
      const other = { ...po, state: 'verifying' as const };
      expect(await under.ledger.beginStep(other, owners.a, 'create_cart', {})).toEqual({ kind: 'lost' });
      expect(await under.ledger.transition(other, owners.a, { ...same, state: 'held' })).toBeUndefined();
      expect(await under.ledger.endStep(other, owners.a, { intentId: '1', outcome: 'done' })).toBeUndefined();
    });
  });

  describe('an intent', () => {
    test('has no outcome until one is written', async () => {
      const id = await under.insert();
      const po = await taken(id, owners.a, -1000);
      expect(await under.ledger.beginStep(po, owners.a, 'create_cart', { baseline: [] })).toMatchObject({
        kind: 'begun',
      });
      const again = await taken(id, owners.b);
      expect(again.intents).toMatchObject([{ epoch: 0, step: 'create_cart' }]);
      expect(again.intents[0]?.outcome).toBeUndefined();
    });

    test('stores the orders that existed before, permanently', async () => {
      const id = await under.insert();
      const po = await taken(id);
      expect(po.baseline).toBeUndefined();
      const { intentId } = await under.begun(po, owners.a, 'create_cart', {
        baseline: ['O-1'],
      });
      await under.ledger.transition(
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

    test('with an empty list of earlier orders still records that a lookup was made', async () => {
      const id = await under.insert();
      const po = await taken(id);
      await under.ledger.beginStep(po, owners.a, 'create_cart', { baseline: [] });
      await under.ledger.transition(po, owners.a, { ...same, state: 'ready' });
      expect((await taken(id)).baseline).toEqual([]);
    });

    test('to submit also changes the state to submitting', async () => {
      const id = await under.insert({ state: 'items_added' });
      await under.ledger.beginStep(await taken(id), owners.a, 'submit_order', { state: 'submitting' });
      expect(await under.read(id)).toMatchObject({ state: 'submitting' });
    });

    test.each(['submit_order', 'create_cart'] as const)(
      'to %s exists once per epoch, unless it certainly did not act',
      async (step) => {
        const id = await under.insert();
        const po = await taken(id);
        const first = await under.begin(po, step);
        await expect(under.ledger.beginStep(po, owners.a, step, {})).rejects.toThrow();
        expect(
          await under.ledger.endStep(po, owners.a, { intentId: first, outcome: 'not_acted' }),
        ).toBeDefined();
        const second = await under.begin(po, step);
        expect(
          await under.ledger.endStep(po, owners.a, { intentId: second, outcome: 'unknown' }),
        ).toBeDefined();
        await expect(under.ledger.beginStep(po, owners.a, step, {})).rejects.toThrow();
      },
    );

    test('to add or delete may be repeated', async () => {
      const po = await taken(await under.insert());
      for (const step of ['add_items', 'add_items', 'delete_cart', 'delete_cart'] as const) {
        expect(await under.ledger.beginStep(po, owners.a, step, {})).toMatchObject({ kind: 'begun' });
      }
    });

    test('gets its outcome together with the transition, or not at all', async () => {
      const id = await under.insert();
      const po = await taken(id);
      const intentId = await under.begin(po, 'create_cart');
      expect(
        await under.ledger.transition(
          { ...po, epoch: 7 },
          owners.a,
          { ...same, state: 'held' },
          { intentId, outcome: 'done' },
        ),
      ).toBeUndefined();
      expect(
        await under.ledger.transition(
          po,
          owners.a,
          { ...same, state: 'ready' },
          { intentId, outcome: 'done', detail: 'd' },
        ),
      ).toBeDefined();
      expect((await taken(id)).intents).toMatchObject([
        { id: intentId, epoch: 0, step: 'create_cart', outcome: 'done', detail: 'd' },
      ]);
    });

    test('that ends without a transition keeps the lease and the state', async () => {
      const id = await under.insert();
      const po = await taken(id);
      const intentId = await under.begin(po, 'delete_cart');
      expect(await under.ledger.endStep(po, owners.a, { intentId, outcome: 'done' })).toBeDefined();
      expect(await under.read(id)).toMatchObject({ state: 'ready', leased: true });
    });
  });

  describe('the answers to lines', () => {
    const answer = { sku: 'S', name: 'N', availableQuantity: 3, backorderQuantity: 0, dealerPrice: '1.50' };
    const withCart = async () => {
      const id = await under.insert();
      const po = await transitioned(id, { state: 'cart_created', cart: { number: 'C-1' } });
      const intentId = await under.begin(po, 'add_items');
      await under.ledger.transition(
        po,
        owners.a,
        { ...same, state: 'cart_created' },
        { intentId, outcome: 'partial', answers: [{ rowNumber: 3, answer }] },
      );
      return id;
    };

    test('are kept with the cart, also in a later epoch', async () => {
      const id = await withCart();
      const po = await transitioned(id, { state: 'items_added', epoch: 'next' });
      expect(po).toMatchObject({ epoch: 1, cartEpoch: 0, cartNumber: 'C-1' });
      expect(po.lines.map((line) => [line.rowNumber, line.answer])).toEqual([
        [2, undefined],
        [3, answer],
      ]);
    });

    test('are removed with the cart', async () => {
      const po = await transitioned(await withCart(), { state: 'ready', epoch: 'next', cart: 'gone' });
      expect([po.cartEpoch, po.cartNumber]).toEqual([undefined, undefined]);
      expect(po.lines.every((line) => line.answer === undefined)).toBe(true);
    });

    test('are not those of the next cart', async () => {
      const id = await withCart();
      const gone = await transitioned(id, { state: 'ready', epoch: 'next', cart: 'gone' });
      await under.ledger.transition(gone, owners.a, {
        ...same,
        state: 'cart_created',
        cart: { number: 'C-2' },
      });
      const po = await taken(id);
      expect(po).toMatchObject({ cartEpoch: 1, cartNumber: 'C-2' });
      expect(po.lines.every((line) => line.answer === undefined)).toBe(true);
    });
  });

  describe('a transition', () => {
    test('writes the reason, and the next one removes it', async () => {
      const id = await under.insert();
      await under.ledger.transition(await taken(id), owners.a, {
        ...same,
        state: 'ready',
        reason: { code: 'c', text: 't' },
        alarm: 'a',
      });
      expect(await under.read(id)).toMatchObject({ reasonCode: 'c', alarm: 'a' });
      await transitioned(id, { state: 'ready' });
      expect(await under.read(id)).toMatchObject({ reasonCode: undefined, alarm: 'a' });
    });

    test('counts rebuilds and lookups', async () => {
      const id = await under.insert();
      expect(await transitioned(id, { state: 'verifying', rebuilt: true, lookups: 2 })).toMatchObject({
        rebuilds: 1,
        lookups: 2,
      });
    });

    test('that failed to reach the service counts the failure, and another one resets the count', async () => {
      const id = await under.insert();
      await under.ledger.transition(await taken(id), owners.a, {
        ...same,
        state: 'ready',
        failed: 'Deleting its cart was answered 500',
      });
      await under.ledger.transition(await taken(id), owners.a, {
        ...same,
        state: 'ready',
        failed: 'Deleting its cart was answered 500',
      });
      const failing = await taken(id);
      expect(failing.failures).toBe(2);
      expect(failing.failingForMs).toBeGreaterThanOrEqual(0);
      await under.ledger.transition(failing, owners.a, { ...same, state: 'ready' });
      expect(await taken(id)).toMatchObject({ failures: 0, failingForMs: 0 });
    });

    test('records each order once', async () => {
      const id = await under.insert();
      await under.ledger.transition(await taken(id), owners.a, {
        ...same,
        state: 'verifying',
        orderNumber: 'O-1',
      });
      const orders = ['O-1', 'O-2'].map((orderNumber) => ({ orderNumber }) as never);
      await under.ledger.transition(await taken(id), owners.a, { ...same, state: 'ordered', orders });
      expect(await under.read(id)).toMatchObject({ state: 'ordered', orderNumbers: ['O-1', 'O-2'] });
    });
  });

  accountContract(under);
  keptLeaseContract(under);
  takeOverContract(under);
};
