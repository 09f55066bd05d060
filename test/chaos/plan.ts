/** The size of one chaos run on one queue. */
export interface ChaosPlan {
  purchaseOrders: number;
  files: number;
  /** POs of an account without faults. */
  steady: number;
  /** POs of an account whose service is behind a failing proxy. */
  troubled: number;
  /** POs of an account whose secret is missing. */
  locked: number;
  /** POs of each account whose lists of orders hang. */
  hanging: number;
  /** Number of files with a pausing upload, for each kind, and of POs in each. */
  uploads: number;
  uploadPos: number;
  /** POs for which only a quote is requested. */
  onlyQuoted: number;
  /** The minimum number of HTTP faults. */
  faults: number;
  /** The share of all calls that fail. */
  faultShare: number;
  kills: number;
  standstills: number;
  postgresRestarts: number;
  /** On the Redis queue only. */
  redisKills: number;
  flushes: number;
  workers: number;
  watchers: number;
  /** Actions of a person at random moments: pauses and resumes of an account, holds and releases, cancellations. */
  pauses: number;
  holds: number;
  cancellations: number;
  betweenMishapsMs: number;
}

/** Half of a full proof; the other half runs on the other queue. */
export const wholeChaos: ChaosPlan = {
  purchaseOrders: 2200,
  files: 44,
  steady: 200,
  troubled: 100,
  locked: 20,
  hanging: 10,
  uploads: 4,
  uploadPos: 10,
  onlyQuoted: 40,
  faults: 2000,
  faultShare: 0.1,
  kills: 50,
  standstills: 15,
  postgresRestarts: 5,
  redisKills: 5,
  flushes: 1,
  workers: 4,
  watchers: 2,
  pauses: 12,
  holds: 15,
  cancellations: 15,
  betweenMishapsMs: 1200,
};

export const smallChaos: ChaosPlan = {
  purchaseOrders: 120,
  files: 6,
  steady: 20,
  troubled: 15,
  locked: 5,
  hanging: 2,
  uploads: 1,
  uploadPos: 5,
  onlyQuoted: 5,
  faults: 60,
  faultShare: 0.12,
  kills: 4,
  standstills: 1,
  postgresRestarts: 1,
  redisKills: 1,
  flushes: 1,
  workers: 2,
  watchers: 1,
  pauses: 2,
  holds: 3,
  cancellations: 3,
  betweenMishapsMs: 800,
};

export type Mishap = 'kill' | 'standstill' | 'postgres' | 'redis' | 'flush' | 'pause' | 'hold' | 'cancel';

/** Numbers from 0 to 1, determined by the seed. */
export const createRandom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** All mishaps of a plan in an order that the seed determines. */
export const orderMishaps = (plan: ChaosPlan, onRedis: boolean, random: () => number): Mishap[] => {
  const times = (count: number, mishap: Mishap): Mishap[] => Array.from({ length: count }, () => mishap);
  const mishaps = [
    ...times(plan.kills, 'kill'),
    ...times(plan.standstills, 'standstill'),
    ...times(plan.postgresRestarts, 'postgres'),
    ...times(plan.pauses, 'pause'),
    ...times(plan.holds, 'hold'),
    ...times(plan.cancellations, 'cancel'),
    ...(onRedis ? [...times(plan.redisKills, 'redis'), ...times(plan.flushes, 'flush')] : []),
  ];
  for (let at = mishaps.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [mishaps[at], mishaps[other]] = [mishaps[other]!, mishaps[at]!];
  }
  return mishaps;
};
