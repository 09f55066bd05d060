import { afterEach, beforeEach } from 'vitest';
import type { NewJob } from '../../src/dispatch/job-schemas.ts';
import { type Logger, silentLogger } from '../../src/logger.ts';
import type { QueueBackend } from '../../src/queue/backend.ts';
import { createQueues, type Queues } from '../../src/queue/create-queues.ts';
import type { Handlers } from '../../src/queue/start-workers.ts';

export interface StoreAddress {
  kind: 'redis' | 'postgres';
  url: string;
  prefix: string;
}

/** A queue's store, and its possible failures. */
export interface Store {
  address: StoreAddress;
  backend: QueueBackend;
  /** Deletes everything in it. */
  lose(): Promise<void>;
  /** Breaks every connection to it, without losing data. */
  breakConnections(): Promise<void>;
  close(): Promise<void>;
}
export const cart = (id: number, more: { key?: string; delayMs?: number } = {}): NewJob => ({
  name: 'create-cart',
  data: { purchaseOrderId: String(id) },
  ...more,
});

/** Collects arguments; `all` resolves with them after `count` calls. */
export const collect = <T>(count: number): { add(value: T): void; all: Promise<T[]>; seen: T[] } => {
  const seen: T[] = [];
  let done = (_all: T[]) => {};
  const all = new Promise<T[]>((resolve) => {
    done = resolve;
  });
  const add = (value: T) => {
    seen.push(value);
    if (seen.length === count) done([...seen]);
  };
  return { add, all, seen };
};
/** For each test: an empty store, and queues on it. */
export const useQueues = (openStore: () => Promise<Store>) => {
  let store: Store;
  let opened: Queues[];
  let queues: Queues;

  /** More queues on the same store, like in another process. */
  const open = async (logger: Logger = silentLogger): Promise<Queues> => {
    const more = await createQueues({ backend: store.backend, logger, prefix: store.address.prefix });
    opened.push(more);
    return more;
  };
  const work = (queuesOfOne: Queues, handlers: Handlers) =>
    queuesOfOne.startWorkers({
      handlers,
      lockMs: 1_000,
      stalledEveryMs: 500,
      backoff: { firstMs: 10, capMs: 20 },
    });

  beforeEach(async () => {
    store = await openStore();
    opened = [];
    queues = await open();
  });
  afterEach(async () => {
    await Promise.all(opened.map((one) => one.stop(0)));
    await store.close();
  });
  return {
    get store() {
      return store;
    },
    get queues() {
      return queues;
    },
    open,
    work,
  };
};
export type UsedQueues = ReturnType<typeof useQueues>;
