import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { IntentOutcome, PurchaseOrderState } from '../../src/placing/types.ts';
import { minute, owners, same, type UsedLedger } from './use-ledger.ts';

/** Contract of the ledger's data about a whole account: unclear calls by PO number, the read lag, and pauses. */
export const accountContract = (under: UsedLedger): void => {
  const { take, taken } = under;

  describe('the time since a call for the PO number had an unclear outcome', () => {
    const endedWith = async (
      id: string,
      outcome: IntentOutcome | undefined,
      state: PurchaseOrderState = 'ready',
    ) => {
      const po = await taken(id);
      const intentId = await under.begin(po, 'delete_cart');
      const ended = outcome && { intentId, outcome };
      expect(await under.ledger.transition(po, owners.a, { ...same, state }, ended)).toBeDefined();
    };

    test.each(['done', 'partial', 'not_acted', 'refused', 'contradicted'] as const)(
      'is undefined when its outcome is clear: %s',
      async (outcome) => {
        const id = await under.insert();
        await endedWith(id, outcome);
        expect((await taken(id)).sinceUnclearMs).toBeUndefined();
      },
    );

    test.each(['unknown', undefined] as const)('is known when its outcome is %s', async (outcome) => {
      const id = await under.insert();
      await endedWith(id, outcome);
      const { sinceUnclearMs } = await taken(id);
      expect(sinceUnclearMs).toBeGreaterThanOrEqual(0);
      expect(sinceUnclearMs).toBeLessThan(minute);
    });

    test('also counts for a later PO with the same number, but for no other account', async () => {
      const cancelled = await under.insert();
      await endedWith(cancelled, 'unknown', 'cancelled');
      const next = await under.insert();
      expect((await taken(next)).sinceUnclearMs).toBeGreaterThanOrEqual(0);
      const elsewhere = await under.insert({ account: 'other' });
      expect((await taken(elsewhere)).sinceUnclearMs).toBeUndefined();
    });
  });

  test('the longest read lag that was noticed is kept', async () => {
    expect(await under.ledger.noteReadLag('default', 1000)).toBe(true);
    expect(await under.ledger.noteReadLag('default', 1000)).toBe(false);
    expect(await under.ledger.noteReadLag('default', 500)).toBe(false);
    expect(await under.ledger.noteReadLag('default', 3000)).toBe(true);
    expect(await under.ledger.noteReadLag('other', 500)).toBe(true);
  });

  describe('an account that pauses', () => {
    const pause = (waitMs: number) =>
      under.ledger.pauseAccount('default', {
        code: 'rate_limited',
        reason: 'r',
        firstMs: waitMs,
        capMs: waitMs,
      });
    const growing = (firstMs: number, capMs = 300_000) =>
      under.ledger.pauseAccount('default', { code: 'credential_refused', reason: 'r', firstMs, capMs });
    /** A pause with backoff that ends at once. */
    const past = () => growing(-1000, -1);

    test('blocks all of its POs and no PO of another account', async () => {
      const id = await under.insert();
      const other = await under.insert({ account: 'other' });
      await pause(minute);
      expect(await take(id)).toMatchObject({ kind: 'later', why: 'paused' });
      expect(await take(other)).toMatchObject({ kind: 'taken' });
    });

    test('never shortens its pause', async () => {
      const id = await under.insert();
      await pause(minute);
      await pause(1);
      const later = await take(id);
      expect(later.kind === 'later' && later.waitMs).toBeGreaterThan(30_000);
    });

    test('counts consecutive pauses, not those within a running one', async () => {
      const id = await under.insert();
      await past();
      await past();
      const po = await taken(id);
      expect(po).toMatchObject({ accountPauses: 2, accountWasPaused: true });
      await under.ledger.transition(po, owners.a, { ...same, state: 'ready' });
      const first = await growing(1000);
      const second = await growing(1000);
      for (const { waitMs } of [first, second]) {
        expect(waitMs).toBeGreaterThan(3000);
        expect(waitMs).toBeLessThanOrEqual(4000);
      }
      expect(await take(id)).toMatchObject({ kind: 'later', why: 'paused' });
    });

    test('does not lengthen its backoff for rate limits', async () => {
      const id = await under.insert();
      await pause(-1);
      await pause(-1);
      expect(await taken(id)).toMatchObject({ accountPauses: 0, accountWasPaused: true });
    });

    test('restarts its backoff after a success, even one during a pause; the pause itself continues', async () => {
      const id = await under.insert();
      for (let at = 0; at < 6; at += 1) await past();
      expect((await growing(1000)).waitMs).toBeGreaterThan(32_000);
      expect(await under.ledger.clearPause('default')).toBe(false);
      expect(await take(id)).toMatchObject({ kind: 'later', why: 'paused' });
      // Another PO in progress meets the same fault.
      expect((await growing(70_000)).waitMs).toBeLessThanOrEqual(70_000);
    });

    test('reports its start, an extension, another reason and its end, once each', async () => {
      expect((await pause(1000)).change).toBe('begun');
      expect((await pause(1500)).change).toBe('unchanged');
      expect((await pause(minute)).change).toBe('changed');
      expect((await growing(1000)).change).toBe('unchanged');
      expect((await growing(2 * minute)).change).toBe('changed');
      expect(await under.ledger.clearPause('default')).toBe(false);
    });

    test('reports consecutive pauses of the same length once', async () => {
      const limited = () =>
        under.ledger.pauseAccount('default', {
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

    test('stays paused if the next call fails again after the pause; a success ends it, once', async () => {
      expect((await past()).change).toBe('begun');
      expect((await past()).change).toBe('changed');
      expect(await under.ledger.clearPause('default')).toBe(true);
      expect(await under.ledger.clearPause('default')).toBe(false);
      expect((await past()).change).toBe('begun');
    });

    test('restarts its backoff after a success', async () => {
      const id = await under.insert();
      await past();
      await under.ledger.clearPause('default');
      expect(await taken(id)).toMatchObject({ accountPauses: 0, accountWasPaused: false });
    });
  });
};
