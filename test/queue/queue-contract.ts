import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type LogFields, silentLogger } from '../../src/logger.ts';
import type { QueueBackend } from '../../src/queue/backend.ts';
import { createQueues, type Queues } from '../../src/queue/create-queues.ts';
import type { NewJob } from '../../src/queue/jobs.ts';
import type { Handlers } from '../../src/queue/start-workers.ts';

export interface StoreAddress {
  kind: 'redis' | 'postgres';
  url: string;
  prefix: string;
}

/** Where a queue is kept, and what can happen to it. */
export interface Store {
  address: StoreAddress;
  backend: QueueBackend;
  /** Everything in it is gone. */
  lose(): Promise<void>;
  /** Every connection to it breaks; what it holds stays. */
  breakConnections(): Promise<void>;
  close(): Promise<void>;
}

const cart = (id: number, more: { key?: string; delayMs?: number } = {}): NewJob => ({
  name: 'create-cart',
  data: { purchaseOrderId: String(id) },
  ...more,
});

/** Settles when it was called `count` times, with the arguments. */
const collect = <T>(count: number): { add(value: T): void; all: Promise<T[]>; seen: T[] } => {
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

/** What holds for the job queue on every store. */
export const queueContract = (name: string, openStore: () => Promise<Store>): void => {
  describe(`the queue on ${name}`, () => {
    let store: Store;
    let opened: Queues[];
    let queues: Queues;

    const open = async (): Promise<Queues> => {
      const more = await createQueues({
        backend: store.backend,
        logger: silentLogger,
        prefix: store.address.prefix,
      });
      opened.push(more);
      return more;
    };
    const work = (on: Queues, handlers: Handlers) =>
      on.startWorkers({ handlers, lockMs: 1_000, stalledEveryMs: 500, backoff: { firstMs: 10, capMs: 20 } });

    beforeEach(async () => {
      store = await openStore();
      opened = [];
      queues = await open();
    });
    afterEach(async () => {
      await Promise.all(opened.map((one) => one.stop(0)));
      await store.close();
    });

    test('hands the data of every job to the handler of its name, once', async () => {
      const got = collect<string>(1_203);
      await work(queues, {
        'create-cart': async ({ purchaseOrderId }) => got.add(`cart ${purchaseOrderId}`),
        'poll-status': async ({ account }) => got.add(`poll ${account}`),
        'write-report': async (data) => got.add('account' in data ? data.account : data.importId),
      });
      const many = Array.from({ length: 1_200 }, (_, index) => cart(index, { key: `po ${index}` }));
      await queues.enqueue([
        ...many,
        { name: 'poll-status', data: { account: 'öko' } },
        { name: 'write-report', data: { importId: '9223372036854775807' } },
        { name: 'write-report', data: { account: 'main' } },
      ]);
      const all = await got.all;
      const carts = many.map((_, index) => `cart ${index}`);
      expect(all.toSorted()).toEqual([...carts, 'poll öko', '9223372036854775807', 'main'].toSorted());
    });

    test('a job with the key of a live one is that one, also within one call; an ended job frees its key', async () => {
      await queues.enqueue([cart(1, { key: '7/1' }), cart(1, { key: '7/1' })]);
      await queues.enqueue([cart(1, { key: '7/1' }), cart(2, { key: '7/2' })]);
      expect(await queues.liveCount(['create-cart', 'add-items'])).toBe(2);

      const first = collect<string>(2);
      const second = collect<string>(3);
      await work(queues, {
        'create-cart': async ({ purchaseOrderId }) => {
          first.add(purchaseOrderId);
          second.add(purchaseOrderId);
        },
      });
      expect((await first.all).toSorted()).toEqual(['1', '2']);
      await expect.poll(() => queues.liveCount(['create-cart'])).toBe(0);
      await queues.enqueue([cart(1, { key: '7/1' })]);
      expect(await second.all).toHaveLength(3);
    });

    test('a single job is one job while it waits, and runs once more for all that ask while it runs', async () => {
      const report = (importId: string): NewJob => ({
        name: 'write-report',
        data: { importId },
        single: `result ${importId}`,
      });
      await queues.enqueue([report('1'), report('1'), report('2')]);
      await queues.enqueue([report('1')]);
      expect(await queues.liveCount(['write-report'])).toBe(2);

      const gates = [1, 2].map(() => {
        let open = () => {};
        const opened = new Promise<void>((resolve) => {
          open = resolve;
        });
        return { open, opened };
      });
      const runs: string[] = [];
      const first = collect<string>(1);
      const all = collect<string>(4);
      await work(queues, {
        'write-report': async (data) => {
          const id = 'importId' in data ? data.importId : data.account;
          runs.push(id);
          if (id === '1') {
            first.add(id);
            // The first run fails while others ask: it is tried again, and their turn comes all the same.
            const nth = runs.filter((one) => one === '1').length;
            if (nth === 1) await gates[0]!.opened;
            if (nth === 1) throw new Error('no space');
            if (nth === 2) await gates[1]!.opened;
          }
          all.add(id);
        },
      });
      await first.all;
      await queues.enqueue([report('1'), report('1')]);
      gates[0]!.open();
      await expect.poll(() => runs.filter((one) => one === '1').length).toBe(2);
      await queues.enqueue([report('1')]);
      await queues.enqueue([report('1')]);
      gates[1]!.open();
      await expect.poll(() => runs.filter((one) => one === '1').length).toBe(3);
      await expect.poll(() => queues.liveCount(['write-report'])).toBe(0);
      expect(runs.filter((one) => one === '1')).toHaveLength(3);
      await queues.enqueue([report('1')]);
      await all.all;
      expect(runs.toSorted()).toEqual(['1', '1', '1', '1', '2']);
    });

    test('a single job that was lost, or whose worker was killed at it, is taken again', async () => {
      const report: NewJob = { name: 'write-report', data: { importId: '1' }, single: 'result 1' };
      await queues.enqueue([report]);
      await store.lose();
      await queues.enqueue([report]);
      expect(await queues.liveCount(['write-report'])).toBe(1);

      const started = collect<string>(1);
      await work(queues, {
        'write-report': () => {
          started.add('started');
          return new Promise(() => {});
        },
      });
      await started.all;
      await queues.stop(50);
      const others = await open();
      const got = collect<string>(1);
      await others.enqueue([report]);
      await work(others, { 'write-report': async () => got.add('done') });
      expect(await got.all).toEqual(['done']);
      await expect.poll(() => others.liveCount(['write-report'])).toBe(0);
      await others.enqueue([report]);
      await expect.poll(() => got.seen.length).toBeGreaterThan(1);
    });

    test('a delayed job comes after one that is not, a fraction of a millisecond does no harm', async () => {
      const got = collect<string>(2);
      await queues.enqueue([cart(1, { delayMs: 400.25 }), cart(2)]);
      expect(await queues.liveCount(['create-cart'])).toBe(2);
      await work(queues, { 'create-cart': async ({ purchaseOrderId }) => got.add(purchaseOrderId) });
      expect(await got.all).toEqual(['2', '1']);
      await expect.poll(() => queues.liveCount(['create-cart'])).toBe(0);
    });

    test('a job whose handler throws is tried again until it does not', async () => {
      const got = collect<string>(5);
      await work(queues, {
        'create-cart': async ({ purchaseOrderId }) => {
          got.add(purchaseOrderId);
          if (got.seen.length < 5) throw new Error('the database is away');
        },
      });
      await queues.enqueue([cart(1, { key: '1/1' })]);
      expect(await got.all).toEqual(['1', '1', '1', '1', '1']);
      await expect.poll(() => queues.liveCount(['create-cart'])).toBe(0);
    });

    test('two workers killed with -9 at the same job: a third one takes it up', async () => {
      await queues.enqueue([cart(7, { key: '7/1' })]);
      const program = fileURLToPath(new URL('./worker-process.ts', import.meta.url));
      for (let kill = 0; kill < 2; kill++) {
        const child = spawn(process.execPath, ['--import', 'tsx', program, JSON.stringify(store.address)], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        const [taken] = await once(createInterface(child.stdout), 'line');
        expect(taken).toBe('7');
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      const got = collect<string>(1);
      await work(queues, { 'create-cart': async ({ purchaseOrderId }) => got.add(purchaseOrderId) });
      expect(await got.all).toEqual(['7']);
    });

    test('everything in it lost under running workers: what is enqueued again is done', async () => {
      const got = collect<string>(1);
      await work(queues, { 'create-cart': async ({ purchaseOrderId }) => got.add(purchaseOrderId) });
      await queues.enqueue([cart(1, { key: '1/1', delayMs: 3_600_000 })]);
      await store.lose();
      await queues.enqueue([cart(1, { key: '1/1' })]);
      expect(await got.all).toEqual(['1']);
    });

    test('connections that break are found again, by enqueuing and by working', async () => {
      const got = collect<string>(2);
      await work(queues, { 'create-cart': async ({ purchaseOrderId }) => got.add(purchaseOrderId) });
      await queues.enqueue([cart(1)]);
      await expect.poll(() => got.seen).toEqual(['1']);
      await store.breakConnections();
      await expect
        .poll(() => queues.enqueue([cart(2, { key: '2/1' })]).then(() => 'taken', String), {
          timeout: 15_000,
        })
        .toBe('taken');
      expect(await got.all).toEqual(['1', '2']);
    });

    test('schedules survive a restart, are not put off by restoring, come back after a loss, and end', async () => {
      const hourly = {
        id: 'main-poll',
        job: { name: 'poll-status', data: { account: 'main' } } as NewJob,
        timing: { everyMs: 3_600_000 },
      };
      const daily = {
        id: 'main-report',
        job: { name: 'write-report', data: { account: 'main' } } as NewJob,
        timing: { cron: '30 6 * * 1-5', timeZone: 'America/Chicago' },
      };
      const standing = async (on: Queues) =>
        (await on.listSchedules()).map(({ id, name: job, timing }) => ({ id, job, timing }));
      const expected = [
        { id: 'main-poll', job: 'poll-status', timing: hourly.timing },
        { id: 'main-report', job: 'write-report', timing: daily.timing },
      ];
      await queues.upsertSchedule(hourly);
      await queues.upsertSchedule(daily);
      const before = await queues.listSchedules();
      await queues.stop(0);

      const again = await open();
      expect(await standing(again)).toEqual(expected);
      await again.upsertSchedule(hourly);
      await again.upsertSchedule(daily);
      expect(await again.listSchedules()).toEqual(before);

      await store.lose();
      await again.upsertSchedule(hourly);
      await again.upsertSchedule(daily);
      expect(await standing(again)).toEqual(expected);

      await again.removeSchedule('poll-status', 'main-poll');
      await again.removeSchedule('poll-status', 'main-poll');
      expect(await standing(again)).toEqual(expected.slice(1));
    });

    test('a schedule has its job done again and again, also when it is restored meanwhile', async () => {
      const often = {
        id: 'main-poll',
        job: { name: 'poll-status', data: { account: 'main' } } as NewJob,
        timing: { everyMs: 250 },
      };
      const got = collect<string>(3);
      await queues.upsertSchedule(often);
      await work(queues, {
        'poll-status': async ({ account }) => {
          got.add(account);
          await queues.upsertSchedule(often);
        },
      });
      expect(await got.all).toEqual(['main', 'main', 'main']);
    });

    test('a schedule that is none is refused by name', async () => {
      const job: NewJob = { name: 'poll-status', data: { account: 'main' } };
      const bad = (cron: string, timeZone: string) =>
        queues.upsertSchedule({ id: 'x', job, timing: { cron, timeZone } });
      await expect(bad('every day', 'UTC')).rejects.toMatchObject({ code: 'bad_schedule' });
      await expect(bad('0 6 * * *', 'Mars/Base')).rejects.toMatchObject({ code: 'bad_schedule' });
    });

    test('stop waits for the job that runs, and leaves those that wait', async () => {
      let finish = () => {};
      const held = new Promise<void>((resolve) => {
        finish = resolve;
      });
      const started = collect<string>(1);
      let ended = false;
      await work(queues, {
        'create-cart': async ({ purchaseOrderId }) => {
          started.add(purchaseOrderId);
          await held;
          ended = true;
        },
      });
      await queues.enqueue([cart(1, { key: '1/1' }), cart(2, { key: '2/1' })]);
      await started.all;
      const stopped = queues.stop(10_000);
      finish();
      await stopped;
      expect(ended).toBe(true);
      expect(await (await open()).liveCount(['create-cart'])).toBe(1);
    });

    test('a job that does not end holds stop up no longer than it may, and another worker does it', async () => {
      const started = collect<string>(1);
      await work(queues, {
        'create-cart': ({ purchaseOrderId }) => {
          started.add(purchaseOrderId);
          return new Promise(() => {});
        },
      });
      await queues.enqueue([cart(1, { key: '1/1' })]);
      await started.all;
      await queues.stop(50);

      const got = collect<string>(1);
      const others = await open();
      await work(others, { 'create-cart': async ({ purchaseOrderId }) => got.add(purchaseOrderId) });
      expect(await got.all).toEqual(['1']);
    });

    test('a queue that was paused or limited by somebody else is found, and put right when asked to', async () => {
      await queues.enqueue([cart(1)]);
      const byName = Object.fromEntries(queues.bullQueues.map((queue) => [queue.name, queue]));
      expect(await queues.checkHolds({ lift: true })).toEqual([]);
      await byName['create-cart']!.pause();
      await byName['add-items']!.setGlobalConcurrency(1);
      await byName['submit-order']!.setGlobalRateLimit(1, 3_600_000);
      const holds = [
        { queue: 'create-cart', what: 'paused' },
        { queue: 'add-items', what: 'limited to 1 job at once' },
        { queue: 'submit-order', what: 'limited to 1 jobs in 3600000 ms' },
      ];
      for (const lift of [false, true]) {
        const found = await queues.checkHolds({ lift });
        expect(found).toHaveLength(3);
        expect(found).toEqual(expect.arrayContaining(holds));
      }
      expect(await queues.checkHolds({ lift: false })).toEqual([]);
      const got = collect<string>(1);
      await work(queues, { 'create-cart': async ({ purchaseOrderId }) => got.add(purchaseOrderId) });
      expect(await got.all).toEqual(['1']);
    });

    test('jobs that lose their locks or their worker are one line of the log each time, and a stop is none', async () => {
      const lines: string[] = [];
      const write = (fields: LogFields, message: string) =>
        void lines.push(`${fields.count} ${message}${fields.err ? ' with a stack' : ''}`);
      const logger = { ...silentLogger, warn: write, error: write };
      const openLogged = async () => {
        const more = await createQueues({ backend: store.backend, logger, prefix: store.address.prefix });
        opened.push(more);
        return more;
      };
      const many = Array.from({ length: 20 }, (_, index) => cart(index, { key: `many ${index}` }));
      const settings = { lockMs: 1_000, stalledEveryMs: 500, concurrency: { 'create-cart': 20 } };

      const first = await openLogged();
      const started = collect<string>(20);
      const marker = collect<string>(1);
      let end = () => {};
      const letEnd = new Promise<void>((resolve) => {
        end = resolve;
      });
      await first.startWorkers({
        ...settings,
        handlers: {
          'create-cart': async ({ purchaseOrderId }) => {
            started.add(purchaseOrderId);
            await letEnd;
          },
          'poll-status': async ({ account }) => marker.add(account),
        },
      });
      await first.enqueue(many);
      await started.all;
      await store.lose();
      await expect.poll(() => lines.length, { timeout: 10_000 }).toBeGreaterThan(0);
      // They end, and the queue has them no more.
      end();
      await first.enqueue([{ name: 'poll-status', data: { account: 'main' } }]);
      await marker.all;
      // Where even tables and functions are gone, the queue says that, once each.
      expect([...new Set(lines)]).toEqual([
        expect.stringMatching(
          /^20 Jobs lost their locks in the queue; .*leases\)$|^undefined A worker has trouble with its queue$/,
        ),
      ]);
      await first.stop(0);
      lines.length = 0;

      // Another one is stopped in the middle of 20 jobs, which the next one repeats.
      const second = await openLogged();
      const again = collect<string>(20);
      await second.startWorkers({
        ...settings,
        handlers: {
          'create-cart': ({ purchaseOrderId }) => {
            again.add(purchaseOrderId);
            return new Promise(() => {});
          },
        },
      });
      await second.enqueue(many);
      await again.all;
      await second.stop(0);
      expect(lines).toEqual(['undefined Jobs that still run are left; another worker takes them up']);
      lines.length = 0;

      const third = await openLogged();
      const done = collect<string>(20);
      await third.startWorkers({
        ...settings,
        handlers: { 'create-cart': async ({ purchaseOrderId }) => done.add(purchaseOrderId) },
      });
      await done.all;
      await expect.poll(() => lines).toEqual(['20 Jobs lost their worker; they are taken up again']);
      await third.stop();
      expect(lines).toHaveLength(1);
    });

    test('data that is not what the job takes is refused where it is enqueued', async () => {
      const wrong = { name: 'create-cart', data: { purchaseOrderId: 7, secret: 'x' } } as unknown as NewJob;
      await expect(queues.enqueue([cart(1), wrong])).rejects.toThrow('purchaseOrderId');
      expect(await queues.liveCount(['create-cart'])).toBe(0);
    });

    test('it answers a ping, and stopping twice is stopping once', async () => {
      await queues.ping();
      await queues.stop(0);
      await queues.stop(0);
    });
  });
};
