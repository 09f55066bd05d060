import { expect, test } from 'vitest';
import { type Clock, createLease } from '../../src/placing/lease.ts';
import type { PlacingLedger } from '../../src/placing/types.ts';

/** A clock that stands until the test moves it; what is due is done at once. */
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
  /** `stopped`: the process stood still meanwhile, so nothing of it was done. */
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
  /** The wall clock moves alone: the machine was suspended, or its clock was set. */
  const setWall = (ms: number): void => {
    wall += ms;
  };
  return { clock, pass, setWall };
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

test('a lease that an unreachable ledger does not renew runs out, and not before', async () => {
  const { clock, pass } = handClock();
  const lease = createLease(
    ledgerThat(() => Promise.reject(new Error('no ledger'))),
    clock,
    '1',
    3000,
  );
  lease.keep();
  await pass(2999);
  expect(lease.holds()).toBe(true);
  await pass(1);
  expect(lease.holds()).toBe(false);
});

test('a renewal that the ledger refuses ends the lease at once', async () => {
  const { clock, pass } = handClock();
  let ours = true;
  const lease = createLease(
    ledgerThat(async () => ours),
    clock,
    '1',
    3000,
  );
  lease.keep();
  await pass(1000);
  expect(lease.holds()).toBe(true);
  ours = false;
  await pass(1000);
  expect(lease.holds()).toBe(false);
});

test('a machine that was suspended for longer than the lease knows it before its next send', async () => {
  const { clock, pass, setWall } = handClock();
  const lease = createLease(
    ledgerThat(async () => true),
    clock,
    '1',
    3000,
  );
  lease.keep();
  await pass(1000);
  // The monotonic clock stood still, and no timer ran.
  setWall(3000);
  expect(lease.holds()).toBe(false);
  // A clock that is set right again afterwards brings nothing back.
  setWall(-3000);
  expect(lease.holds()).toBe(false);
});

test('a wall clock that is set back makes no lease longer', async () => {
  const { clock, pass, setWall } = handClock();
  const lease = createLease(
    ledgerThat(async () => true),
    clock,
    '1',
    3000,
  );
  setWall(-3_600_000);
  await pass(3000);
  expect(lease.holds()).toBe(false);
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
