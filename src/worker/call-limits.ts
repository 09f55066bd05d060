import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { shareOut } from '../dealer-api/share-out.ts';
import { createThrottle, type SharedThrottle } from '../dealer-api/throttle.ts';
import { readCallShares, reserveCalls, writeCallShares } from '../ledger/call-shares.ts';
import type { Logger } from '../logger.ts';

/** The limits of an account, shared by all processes. */
export interface AccountLimits {
  name: string;
  inFlight: number;
  callsPerSecond: number | undefined;
  /** How long a call may run. */
  requestTimeoutMs: number;
}

interface OpenLimits extends AccountLimits {
  throttle: SharedThrottle;
  /** Calls that this process may make at the same time, as of `askedAt`. */
  usable: number;
  askedAt: { monotonicMs: number; wallMs: number };
  /** Whether this process has a share in the ledger. */
  has: boolean;
}

export interface CallLimits {
  /** A throttle that keeps an account's limits together with all other processes. */
  throttleOf(limits: AccountLimits): SharedThrottle;
  /** Returns the shares of this process. Calls that still wait never start. */
  stop(): Promise<void>;
}

/** How long a share may be used without an answer from the ledger. */
const usableMs = 10_000;
const renewEveryMs = 1000;
/** Renewal interval while several processes share an account's calls, so that unused calls of one soon go to another. */
const sharedEveryMs = 200;
/** How far ahead calls are reserved. */
const reservedMs = 100;

/** Spaces the calls of all processes `1 / callsPerSecond` apart. The ledger assigns the times. */
const createPacer = (pool: pg.Pool, account: string, callsPerSecond: number, isStopped: () => boolean) => {
  const intervalMs = 1000 / callsPerSecond;
  const waiting: (() => void)[] = [];
  let working = false;
  let nextAt = 0;
  const work = async (): Promise<void> => {
    while (waiting.length > 0 && !isStopped()) {
      const count = Math.min(waiting.length, Math.max(1, Math.floor(reservedMs / intervalMs)));
      // If the ledger cannot be reached, no call may start.
      const first = await reserveCalls(pool, account, count, intervalMs).catch(() => undefined);
      if (first === undefined) {
        await sleep(renewEveryMs, undefined, { ref: false });
        continue;
      }
      const startAt = performance.now() + first;
      for (let nth = 0; nth < count; nth += 1) {
        // If this machine was delayed, late calls must not start in a burst.
        const waitMs = Math.max(startAt + nth * intervalMs, nextAt) - performance.now();
        if (waitMs > 0) await sleep(Math.ceil(waitMs));
        nextAt = performance.now() + intervalMs;
        waiting.shift()?.();
      }
    }
  };
  return () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (working) return;
      working = true;
      void work().finally(() => {
        working = false;
      });
    });
};

/**
 * Keeps the limits of calls in flight and of calls per second over any number of processes. Each process has a share of an
 * account's calls in flight, which it renews while it has calls to make; others get the unused part. A share counts in the
 * ledger until none of its calls can still be running, so that the sum never exceeds the limit even if a process is killed
 * or suspended.
 */
export const createCallLimits = (pool: pg.Pool, process: string, logger: Logger): CallLimits => {
  const open = new Map<string, OpenLimits>();
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let asking: Promise<void> | undefined;
  let stopped = false;

  const now = () => ({ monotonicMs: performance.now(), wallMs: Date.now() });
  // The monotonic clock stops while the machine is suspended, and the wall clock can be set back.
  const msSince = (then: OpenLimits['askedAt']): number =>
    Math.max(performance.now() - then.monotonicMs, Date.now() - then.wallMs);
  const limitOf = ({ usable, askedAt }: OpenLimits) => (msSince(askedAt) < usableMs ? usable : 0);

  const wantsCalls = ({ throttle }: { throttle: SharedThrottle }) =>
    throttle.running() + throttle.waiting() > 0;

  const askIn = (delayMs: number): void => {
    const at = performance.now() + delayMs;
    if (stopped || at >= dueAt) return;
    dueAt = at;
    clearTimeout(timer);
    timer = setTimeout(() => {
      asking = (asking ?? Promise.resolve()).then(ask);
    }, delayMs);
    // Waiting calls keep the process alive; the renewal alone does not.
    if (![...open.values()].some(({ throttle }) => throttle.waiting() > 0)) timer.unref();
  };

  /** Negotiates the shares of these accounts once. `lost`: accounts for which another process was faster. */
  const negotiate = async (names: readonly string[]): Promise<{ lost: string[]; shared: boolean }> => {
    const askedAt = now();
    const decided = (await readCallShares(pool, names)).map((read) => {
      const one = open.get(read.account)!;
      const running = one.throttle.running();
      const result = shareOut(read.shares, {
        process,
        limit: one.inFlight,
        running,
        wanted: stopped ? 0 : running + one.throttle.waiting(),
        now: read.now,
        validMs: usableMs + one.requestTimeoutMs,
      });
      // Calls that are being returned must not be used while the request is in progress.
      one.usable = Math.min(result.usable, one.usable);
      return { ...read, ...result, one };
    });
    const written = await writeCallShares(
      pool,
      decided.map(({ account, shares, version }) => ({ account, shares, version })),
    );
    for (const { account, usable, one } of decided) {
      if (!written.includes(account)) continue;
      Object.assign(one, { usable, askedAt, has: usable > 0 || one.throttle.running() > 0 });
      one.throttle.admitWaiting();
    }
    return {
      lost: names.filter((name) => !written.includes(name)),
      shared: decided.some((one) => Object.keys(one.shares).length > 1),
    };
  };

  const ask = async (): Promise<void> => {
    dueAt = Number.POSITIVE_INFINITY;
    const relevant = [...open.values()].filter((one) => one.has || wantsCalls(one));
    if (relevant.length === 0) return;
    let names = relevant.map(({ name }) => name);
    let everyMs = renewEveryMs;
    try {
      for (let attempt = 0; names.length > 0 && attempt < 5; attempt += 1) {
        const { lost, shared } = await negotiate(names);
        if (shared || lost.length > 0) everyMs = sharedEveryMs;
        names = lost;
      }
    } catch (thrown) {
      // Shares that cannot be renewed end, and with them the calls.
      logger.debug({ err: thrown }, 'Could not renew the shares of calls; it will be retried');
    }
    askIn(everyMs);
  };

  return {
    throttleOf: (limits) => {
      const { name, callsPerSecond } = limits;
      const pace =
        callsPerSecond === undefined ? undefined : createPacer(pool, name, callsPerSecond, () => stopped);
      // Starts at zero: the first call that has to wait asks the ledger for a share.
      const throttle = createThrottle(
        () => limitOf(one),
        pace,
        () => {
          if (!one.has) askIn(0);
        },
      );
      const askedAt = { monotonicMs: 0, wallMs: 0 };
      const one: OpenLimits = { ...limits, throttle, usable: 0, askedAt, has: false };
      open.set(name, one);
      return throttle;
    },
    stop: async () => {
      if (stopped) return;
      stopped = true;
      clearTimeout(timer);
      await asking;
      const names = [...open.values()].filter(({ has }) => has).map(({ name }) => name);
      if (names.length > 0) await negotiate(names).catch(() => {});
    },
  };
};
