import { describe, expect, test } from 'vitest';
import { newLeaseOwner } from '../../src/ledger/po/take-over.ts';
import { minute, owners, same, type UsedLedger } from './use-ledger.ts';

const dead = '11111111-1111-4111-8111-111111111111';
const other = '22222222-2222-4222-8222-222222222222';

/** Contract for taking over the POs of a worker that is certainly dead. */
export const takeOverContract = (under: UsedLedger): void => {
  const graceMs = minute;
  const settle = { graceMs, settleMs: 20_000 };
  /** A PO that the worker holds, with the lease's owner. */
  const heldBy = async (worker: string) => {
    const owner = newLeaseOwner(worker);
    return { owner, po: await under.taken(await under.insert(), owner) };
  };
  const takeAgain = (id: string) => under.take(id, owners.b, minute, graceMs);

  describe('the POs of a dead worker', () => {
    test('are due at once where nothing was sent', async () => {
      const { owner, po } = await heldBy(dead);
      expect(await under.takeOver(dead, settle)).toEqual([0]);
      expect(await under.ledger.beginStep(po, owner, 'create_cart', {})).toEqual({ kind: 'lost' });
      expect(await under.ledger.renewLease(po.id, owner, minute)).toBe(false);
      expect(await takeAgain(po.id)).toMatchObject({ kind: 'taken', po: { run: po.run + 2 } });
    });

    test('are due at once where everything that was sent has an outcome', async () => {
      const { owner, po } = await heldBy(dead);
      const begun = await under.begun(po, owner, 'create_cart', {});
      await under.ledger.transitionKeepingLease(
        begun.po,
        owner,
        { ...same, state: 'cart_created', cart: { number: 'C-1' } },
        { intentId: begun.intentId, outcome: 'done' },
      );
      expect(await under.takeOver(dead, settle)).toEqual([0]);
      expect(await takeAgain(po.id)).toMatchObject({ kind: 'taken', po: { state: 'cart_created' } });
    });

    test('wait for the settle time of their account from now where an intent has no outcome', async () => {
      const { owner, po } = await heldBy(dead);
      await under.ledger.beginStep(po, owner, 'create_cart', {});
      const [waitMs] = await under.takeOver(dead, settle);
      expect(waitMs).toBeGreaterThan(settle.settleMs - 5000);
      expect(waitMs).toBeLessThanOrEqual(settle.settleMs + 2);
      expect(await under.read(po.id)).toMatchObject({ leased: true });
      expect(await takeAgain(po.id)).toMatchObject({ kind: 'later', why: 'leased' });
    });

    test('wait no longer than before, where the lease ran out before the takeover', async () => {
      const { owner, po } = await heldBy(dead);
      await under.ledger.beginStep(po, owner, 'create_cart', {});
      await under.ledger.renewLease(po.id, owner, -settle.settleMs - 1);
      expect(await under.takeOver(dead, settle)).toEqual([0]);
      expect(await takeAgain(po.id)).toMatchObject({ kind: 'taken' });
    });

    test('are freed once, and those of another worker stay with it', async () => {
      const { po } = await heldBy(other);
      expect(await under.takeOver(dead, settle)).toEqual([]);
      expect(await takeAgain(po.id)).toMatchObject({ kind: 'later', why: 'leased' });
      await under.takeOver(other, settle);
      await under.taken(po.id);
      expect(await under.takeOver(other, settle)).toEqual([]);
      expect(await under.read(po.id)).toMatchObject({ leased: true });
    });
  });
};
