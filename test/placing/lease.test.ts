import { expect, test } from 'vitest';
import { type Clock, createLease } from '../../src/placing/lease.ts';
import type { PlacingLedger } from '../../src/placing/types.ts';

/** A clock that stands until the test moves it; what is due is done at once. */
const handClock = () => {
  let now = 0;
  let periodMs = 0;
  let work: (() => void) | undefined;
  const clock: Clock = {
    monotonicMs: () => now,
    date: () => new Date(now),
    every: (everyMs, what) => {
      periodMs = everyMs;
      work = what;
      return () => {
        work = undefined;
      };
    },
  };
  /** `stopped`: the process stood still meanwhile, so nothing of it was done. */
  const pass = async (ms: number, stopped = false): Promise<void> => {
    for (let left = ms; left > 0; left -= periodMs || ms) {
      now += Math.min(left, periodMs || ms);
      if (!stopped) work?.();
      await Promise.resolve();
      await Promise.resolve();
    }
  };
  return { clock, pass };
};

const ledgerThat = (renews: () => Promise<boolean>) => ({ renewLease: renews }) as unknown as PlacingLedger;

test('a lease holds while it is renewed, however long the work takes', async () => {
  const { clock, pass } = handClock();
  const lease = createLease(
    ledgerThat(async () => true),
    clock,
    '1',
    3000,
  );
  lease.keep();
  await pass(60_000);
  expect(lease.holds()).toBe(true);
  lease.stop();
  await pass(3000);
  expect(lease.holds()).toBe(false);
});

test('a lease runs from before it was asked for', async () => {
  const { clock, pass } = handClock();
  const lease = createLease(
    ledgerThat(async () => true),
    clock,
    '1',
    3000,
  );
  await pass(2999);
  expect(lease.holds()).toBe(true);
  await pass(1);
  expect(lease.holds()).toBe(false);
});

test('a lease that the ledger does not renew runs out', async () => {
  for (const renews of [async () => false, () => Promise.reject(new Error('no ledger'))]) {
    const { clock, pass } = handClock();
    const lease = createLease(ledgerThat(renews), clock, '1', 3000);
    lease.keep();
    await pass(3000);
    expect(lease.holds()).toBe(false);
  }
});

test('a lease that ran out while the process stood still is known at once, and stays lost', async () => {
  const { clock, pass } = handClock();
  const lease = createLease(
    ledgerThat(async () => true),
    clock,
    '1',
    3000,
  );
  lease.keep();
  await pass(1000);
  await pass(10_000, true);
  expect(lease.holds()).toBe(false);
  await pass(2000);
  expect(lease.holds()).toBe(false);
});

test('two leases have two owners', () => {
  const { clock } = handClock();
  const ledger = ledgerThat(async () => true);
  expect(createLease(ledger, clock, '1', 1).owner).not.toBe(createLease(ledger, clock, '1', 1).owner);
});
