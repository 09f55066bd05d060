import { describe, expect, test } from 'vitest';
import type { TakenPurchaseOrder } from '../../src/placing/types.ts';
import { owners, same, type UsedLedger } from './use-ledger.ts';

const answer = { sku: 'S', name: 'N', availableQuantity: 3, backorderQuantity: 0, dealerPrice: '1.50' };
const toCart = { ...same, state: 'cart_created', cart: { number: 'C-1' } } as const;

/** A write that keeps the lease returns the updated PO, so that no code has to repeat the update. */
export const keptLeaseContract = (under: UsedLedger): void => {
  /** Takes the PO over from its worker, whose lease has expired. */
  const takenOver = async (id: string) => {
    await under.ledger.renewLease(id, owners.a, -1000);
    return under.taken(id, owners.b);
  };
  const expectAsTaken = async (po: TakenPurchaseOrder | undefined) => {
    const { run, failingForMs, sinceUnclearMs, unclearTimeoutMs, intents, ...shown } = await takenOver(
      po!.id,
    );
    // Ages of steps are known only from the next lease on.
    const agesUnknown = intents.map(({ begunAgoMs, endedAgoMs, ...intent }) => intent);
    expect(po).toMatchObject({ ...shown, intents: agesUnknown });
  };
  const withFailures = async () =>
    under.transitioned(await under.insert(), {
      state: 'ready',
      failed: 'Looking up its order was answered 500',
      lookups: 2,
    });
  const withCart = async () => {
    const po = await withFailures();
    const started = await under.begun(po, owners.a, 'create_cart', { baseline: ['O-1'] });
    const ended = { intentId: started.intentId, outcome: 'done' } as const;
    const transition = { ...toCart, lookups: 0 };
    return (await under.ledger.transitionKeepingLease(started.po, owners.a, transition, ended))!.po;
  };

  describe('a write that keeps the lease returns the PO as `take` would', () => {
    test('when the first change begins', async () => {
      const first = await under.begun(await withFailures(), owners.a, 'create_cart', {
        baseline: [],
      });
      expect(first.po).toMatchObject({ baseline: [], failures: 1, lookups: 2 });
      await expectAsTaken(first.po);
    });

    test('when a submission begins', async () => {
      const po = await under.taken(await under.insert({ state: 'items_added' }));
      const submit = await under.begun(po, owners.a, 'submit_order', { state: 'submitting' });
      expect(submit.po).toMatchObject({ state: 'submitting', intents: [{ step: 'submit_order' }] });
      await expectAsTaken(submit.po);
    });

    test('when a cart was created', async () => {
      const po = await withCart();
      expect(po).toMatchObject({ state: 'cart_created', cartNumber: 'C-1', cartEpoch: 0, baseline: ['O-1'] });
      expect(po).toMatchObject({ failures: 0, failingForMs: 0, lookups: 0, intents: [{ outcome: 'done' }] });
      await expectAsTaken(po);
    });

    test('when a step ended and another one follows', async () => {
      const started = await under.begun(await withCart(), owners.a, 'add_items', {});
      const po = await under.ledger.endStep(started.po, owners.a, {
        intentId: started.intentId,
        outcome: 'unknown',
        detail: 'no answer',
        answers: [{ rowNumber: 3, answer }],
      });
      expect(po?.intents.at(-1)).toMatchObject({ outcome: 'unknown', detail: 'no answer' });
      expect(po?.lines.map((line) => line.answer)).toEqual([undefined, answer]);
      await expectAsTaken(po);
    });

    test.each([
      ['gone', undefined],
      [{ number: 'C-2' }, 'C-2'],
    ] as const)('when the cart of answered lines becomes %o', async (cart, cartNumber) => {
      const started = await under.begun(await withCart(), owners.a, 'add_items', {});
      const full = await under.ledger.transitionKeepingLease(
        started.po,
        owners.a,
        { ...same, state: 'items_added', epoch: 'next' },
        { intentId: started.intentId, outcome: 'done', answers: [{ rowNumber: 2, answer }] },
      );
      expect(full!.po).toMatchObject({ epoch: 1, cartEpoch: 0, lines: [{ answer }, { answer: undefined }] });
      const kept = await under.ledger.transitionKeepingLease(full!.po, owners.a, { ...toCart, cart });
      const { po } = kept!;
      expect(po.cartNumber).toBe(cartNumber);
      expect(po.lines.map((line) => line.answer)).toEqual([undefined, undefined]);
      await expectAsTaken(po);
    });

    describe('with the call that follows at once', () => {
      const adds = { step: 'add_items', timeoutMs: 100 } as const;
      /** Its cart was just created, which is not recorded yet. */
      const creating = async (wish?: 'cancelling' | 'holding') => {
        const po = await under.taken(await under.insert());
        const started = await under.begun(po, owners.a, 'create_cart', {});
        if (wish) await under.wish(po.id, wish);
        return { ...started, ended: { intentId: started.intentId, outcome: 'done' } as const };
      };

      test('its intent is committed, and what it proves', async () => {
        const { po, ended } = await creating();
        const none = { ...adds, baseline: [] };
        const kept = await under.ledger.transitionKeepingLease(po, owners.a, toCart, ended, none);
        expect(kept!.intentId).toBe(kept!.po.intents.at(-1)!.id);
        expect(kept!.po).toMatchObject({ state: 'cart_created', baseline: [] });
        expect(kept!.po.intents).toMatchObject([
          { step: 'create_cart', outcome: 'done' },
          { step: 'add_items', epoch: 0, outcome: undefined, timeoutMs: 100 },
        ]);
        await expectAsTaken(kept!.po);
      });

      test.each(['cancelling', 'holding'] as const)(
        'it does not begin where a person has asked for something meanwhile (%s); the outcome is recorded',
        async (wish) => {
          const { po, ended } = await creating(wish);
          const none = { ...adds, baseline: [] };
          const kept = await under.ledger.transitionKeepingLease(po, owners.a, toCart, ended, none);
          expect(kept!.intentId).toBeUndefined();
          expect(kept!.po).toMatchObject({ state: 'cart_created', [wish]: true, baseline: undefined });
          expect(kept!.po.intents).toMatchObject([{ step: 'create_cart', outcome: 'done' }]);
          await expectAsTaken(kept!.po);
        },
      );

      test('it begins where the wish was known when it was decided', async () => {
        const { po, ended } = await creating('cancelling');
        const known = { ...po, cancelling: true };
        const next = { ...adds, step: 'delete_cart' } as const;
        const kept = await under.ledger.transitionKeepingLease(known, owners.a, toCart, ended, next);
        expect(kept!.po.intents.at(-1)).toMatchObject({ step: 'delete_cart', outcome: undefined });
      });

      test('it does not begin while a person pauses the account', async () => {
        const { po, ended } = await creating();
        await under.pauseByPerson(po.account);
        const kept = await under.ledger.transitionKeepingLease(po, owners.a, toCart, ended, adds);
        expect(kept).toMatchObject({ intentId: undefined, po: { state: 'cart_created' } });
      });

      test('nothing begins without the lease', async () => {
        const { po, ended } = await creating();
        const other = await takenOver(po.id);
        expect(await under.ledger.transitionKeepingLease(po, owners.a, toCart, ended, adds)).toBeUndefined();
        await under.ledger.renewLease(po.id, owners.b, -1000);
        expect((await under.taken(po.id)).intents).toHaveLength(other.intents.length);
      });
    });

    test('or nothing, when the lease was lost', async () => {
      const po = await withCart();
      expect(await under.read(po.id)).toMatchObject({ leased: true });
      await takenOver(po.id);
      expect(await under.ledger.transitionKeepingLease(po, owners.a, toCart)).toBeUndefined();
      expect(await under.ledger.endStep(po, owners.a, { intentId: '1', outcome: 'done' })).toBeUndefined();
    });
  });
};
