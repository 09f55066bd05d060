import { expect, test } from 'vitest';
import { type Clock, createLease } from '../../src/placing/lease.ts';
import type { PlacingLedger } from '../../src/placing/placing-ledger.ts';

/** A clock that only the test advances; due callbacks run at once. */
const handClock = () => {
  let now = 0;
  let wall = 1_000_000;
  let periodMs = 0;
  let work: (() => void) | undefined;
  const clock: Clock = {
    monotonicMs: () => now,
    date: () => new Date(wall),
    every: (everyMs, what) => {
      periodMs = everyMs;
      work = what;
      return () => {
        work = undefined;
      };
    },
  };
  /** `stopped`: the process was stopped meanwhile, so no callback runs. */
  const pass = async (ms: number, stopped = false): Promise<void> => {
    for (let left = ms; left > 0; left -= periodMs || ms) {
      const step = Math.min(left, periodMs || ms);
      now += step;
      wall += step;
      if (!stopped) work?.();
      await Promise.resolve();
      await Promise.resolve();
    }
  };
  /** Moves only the wall clock: the machine was suspended, or its clock was set. */
  const setWall = (ms: number): void => {
    wall += ms;
  };
  return { clock, pass, setWall };
};

const ledgerThat = (renews: () => Promise<boolean>) => ({ renewLease: renews }) as unknown as PlacingLedger;

/** A lease of three seconds on a clock that the test sets. */
const leaseOf = (renews: () => Promise<boolean> = async () => true) => {
  const hands = handClock();
  return { ...hands, lease: createLease(ledgerThat(renews), hands.clock, '1', 3000) };
};

test('a lease holds while it is renewed, no matter how long the work takes', async () => {
  const { lease, pass } = leaseOf();
  lease.keep();
  await pass(60_000);
  expect(lease.holds()).toBe(true);
  lease.stop();
  await pass(3000);
  expect(lease.holds()).toBe(false);
});

test('a lease starts before its request is sent', async () => {
  const { lease, pass } = leaseOf();
  await pass(2999);
  expect(lease.holds()).toBe(true);
  await pass(1);
  expect(lease.holds()).toBe(false);
});

test('a lease that an unreachable ledger cannot renew expires on time, and not earlier', async () => {
  const { lease, pass } = leaseOf(() => Promise.reject(new Error('no ledger')));
  lease.keep();
  await pass(2999);
  expect(lease.holds()).toBe(true);
  await pass(1);
  expect(lease.holds()).toBe(false);
});

test('a renewal that the ledger refuses ends the lease at once', async () => {
  let ours = true;
  const { lease, pass } = leaseOf(async () => ours);
  lease.keep();
  await pass(1000);
  expect(lease.holds()).toBe(true);
  ours = false;
  await pass(1000);
  expect(lease.holds()).toBe(false);
});

test('a machine that was suspended for longer than its lease notices before it sends anything', async () => {
  const { lease, pass, setWall } = leaseOf();
  lease.keep();
  await pass(1000);
  // The monotonic clock was stopped, and no timer ran.
  setWall(3000);
  expect(lease.holds()).toBe(false);
  // Setting the clock back afterwards does not restore the lease.
  setWall(-3000);
  expect(lease.holds()).toBe(false);
});

test('setting the wall clock back does not extend a lease', async () => {
  const { lease, pass, setWall } = leaseOf();
  setWall(-3_600_000);
  await pass(3000);
  expect(lease.holds()).toBe(false);
});

test('a lease that expired while the process was stopped is noticed at once, and stays lost', async () => {
  const { lease, pass } = leaseOf();
  lease.keep();
  await pass(1000);
  await pass(10_000, true);
  expect(lease.holds()).toBe(false);
  await pass(2000);
  expect(lease.holds()).toBe(false);
});

test('two leases have different owners', () => {
  const { clock } = handClock();
  const ledger = ledgerThat(async () => true);
  expect(createLease(ledger, clock, '1', 1).owner).not.toBe(createLease(ledger, clock, '1', 1).owner);
});
