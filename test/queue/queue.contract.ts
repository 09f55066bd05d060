import { describe, expect, test, vi } from 'vitest';
import type { NewJob } from '../../src/dispatch/job-schemas.ts';
import type { Queues } from '../../src/queue/create-queues.ts';
import { queueLossContract } from './queue-loss.contract.ts';
import { cart, collect, type Store, useQueues } from './use-queues.ts';

/** Contract of the job queue on every store. */
export const queueContract = (name: string, openStore: () => Promise<Store>): void => {
  describe(`the queue on ${name}`, () => {
    const on = useQueues(openStore);
    const { open, work } = on;

    test('hands the data of every job to the handler of its name, once', async () => {
      const got = collect<string>(1_203);
      await work(on.queues, {
        'create-cart': async ({ purchaseOrderId }) => got.add(`cart ${purchaseOrderId}`),
        'poll-status': async ({ account }) => got.add(`poll ${account}`),
        'write-report': async (data) => got.add('account' in data ? data.account : data.importId),
      });
      const many = Array.from({ length: 1_200 }, (_, index) => cart(index, { key: `po ${index}` }));
      await on.queues.enqueue([
        ...many,
        { name: 'poll-status', data: { account: 'öko' } },
        { name: 'write-report', data: { importId: '9223372036854775807' } },
        { name: 'write-report', data: { account: 'main' } },
      ]);
      const all = await got.all;
      const carts = many.map((_, index) => `cart ${index}`);
      expect(all.toSorted()).toEqual([...carts, 'poll öko', '9223372036854775807', 'main'].toSorted());
    });

    test('a job with the key of a live one is that one, also within one call', async () => {
      await on.queues.enqueue([cart(1, { key: '7/1' }), cart(1, { key: '7/1' })]);
      await on.queues.enqueue([cart(1, { key: '7/1' }), cart(2, { key: '7/2' })]);
      expect(await on.queues.liveCount(['create-cart', 'add-items'])).toBe(2);
    });

    test('it tells how many jobs wait in each queue, and since when the oldest one does', async () => {
      const before = Date.now();
      await on.queues.enqueue([cart(1, { key: '1/1' })]);
      const added = Date.now();
      await on.queues.enqueue([cart(2, { key: '2/1' }), cart(3, { key: '3/1', delayMs: 600_000 })]);
      const figures = await on.queues.readFigures();
      const carts = figures.find(({ queue }) => queue === 'create-cart');
      expect(carts).toMatchObject({ waiting: 2, active: 0, delayed: 1 });
      const since = carts!.waitingSince!.getTime();
      // The clocks of this process and of the store may differ slightly.
      expect(since).toBeGreaterThanOrEqual(before - 1000);
      expect(since).toBeLessThanOrEqual(added + 1000);
      expect(figures.filter(({ queue }) => queue !== 'create-cart')).toMatchObject(
        Array(figures.length - 1).fill({ waiting: 0, active: 0, delayed: 0, waitingSince: undefined }),
      );
    });

    test('the job of a file frees its key when it ends', async () => {
      const file: NewJob = { name: 'import-file', data: { importId: '1' }, key: '1/0' };
      let runs = 0;
      await work(on.queues, {
        'import-file': async () => {
          runs += 1;
        },
      });
      await on.queues.enqueue([file]);
      await expect.poll(() => runs).toBe(1);
      await expect.poll(() => on.queues.liveCount(['import-file'])).toBe(0);
      await on.queues.enqueue([file]);
      await expect.poll(() => runs).toBe(2);
    });

    test('the last jobs of POs are kept for people, with what they did', async () => {
      await work(on.queues, {
        'create-cart': async ({ purchaseOrderId }) => `did ${purchaseOrderId}`,
      });
      await on.queues.enqueue([cart(1, { key: '1/1' }), cart(2, { key: '2/1' })]);
      const queue = on.queues.bullQueues.find((one) => one.name === 'create-cart')!;
      await expect.poll(() => queue.getJobCountByTypes('completed')).toBe(2);
      const done = await queue.getJobs(['completed']);
      expect(done.map((job) => job.returnvalue).toSorted()).toEqual(['did 1', 'did 2']);
    });

    test('a single job is one job while it waits, and runs once more for all that ask while it runs', async () => {
      const report = (importId: string): NewJob => ({
        name: 'write-report',
        data: { importId },
        single: `result ${importId}`,
      });
      await on.queues.enqueue([report('1'), report('1'), report('2')]);
      await on.queues.enqueue([report('1')]);
      expect(await on.queues.liveCount(['write-report'])).toBe(2);

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
      await work(on.queues, {
        'write-report': async (data) => {
          const id = 'importId' in data ? data.importId : data.account;
          runs.push(id);
          if (id === '1') {
            first.add(id);
            // The first run fails while other requests arrive: it is retried, and the others still get their run.
            const nth = runs.filter((one) => one === '1').length;
            if (nth === 1) await gates[0]!.opened;
            if (nth === 1) throw new Error('no space');
            if (nth === 2) await gates[1]!.opened;
          }
          all.add(id);
        },
      });
      await first.all;
      await on.queues.enqueue([report('1'), report('1')]);
      gates[0]!.open();
      await expect.poll(() => runs.filter((one) => one === '1').length).toBe(2);
      await on.queues.enqueue([report('1')]);
      await on.queues.enqueue([report('1')]);
      gates[1]!.open();
      await expect.poll(() => runs.filter((one) => one === '1').length).toBe(3);
      await expect.poll(() => on.queues.liveCount(['write-report'])).toBe(0);
      expect(runs.filter((one) => one === '1')).toHaveLength(3);
      await on.queues.enqueue([report('1')]);
      await all.all;
      expect(runs.toSorted()).toEqual(['1', '1', '1', '1', '2']);
    });

    test('a delayed job comes after one that is not, a fraction of a millisecond does no harm', async () => {
      const got = collect<string>(2);
      await on.queues.enqueue([cart(1, { delayMs: 400.25 }), cart(2)]);
      expect(await on.queues.liveCount(['create-cart'])).toBe(2);
      await work(on.queues, { 'create-cart': async ({ purchaseOrderId }) => got.add(purchaseOrderId) });
      expect(await got.all).toEqual(['2', '1']);
      await expect.poll(() => on.queues.liveCount(['create-cart'])).toBe(0);
    });

    test('a job whose handler throws is tried again until it does not', async () => {
      const got = collect<string>(5);
      await work(on.queues, {
        'create-cart': async ({ purchaseOrderId }) => {
          got.add(purchaseOrderId);
          if (got.seen.length < 5) throw new Error('the database is unreachable');
        },
      });
      await on.queues.enqueue([cart(1, { key: '1/1' })]);
      expect(await got.all).toEqual(['1', '1', '1', '1', '1']);
      await expect.poll(() => on.queues.liveCount(['create-cart'])).toBe(0);
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
      const listed = async (on: Queues) =>
        (await on.listSchedules()).map(({ id, name: job, timing }) => ({ id, job, timing }));
      const expected = [
        { id: 'main-poll', job: 'poll-status', timing: hourly.timing },
        { id: 'main-report', job: 'write-report', timing: daily.timing },
      ];
      await on.queues.upsertSchedule(hourly);
      await on.queues.upsertSchedule(daily);
      const before = await on.queues.listSchedules();
      await on.queues.stop(0);

      const again = await open();
      expect(await listed(again)).toEqual(expected);
      await again.upsertSchedule(hourly);
      await again.upsertSchedule(daily);
      expect(await again.listSchedules()).toEqual(before);

      await on.store.lose();
      await again.upsertSchedule(hourly);
      await again.upsertSchedule(daily);
      expect(await listed(again)).toEqual(expected);

      await again.removeSchedule('poll-status', 'main-poll');
      await again.removeSchedule('poll-status', 'main-poll');
      expect(await listed(again)).toEqual(expected.slice(1));
    });

    test('a schedule has its job done again and again, also when it is restored meanwhile', async () => {
      const often = {
        id: 'main-poll',
        job: { name: 'poll-status', data: { account: 'main' } } as NewJob,
        timing: { everyMs: 250 },
      };
      const got = collect<string>(3);
      await on.queues.upsertSchedule(often);
      await work(on.queues, {
        'poll-status': async ({ account }) => {
          got.add(account);
          await on.queues.upsertSchedule(often);
        },
      });
      expect(await got.all).toEqual(['main', 'main', 'main']);
    });

    test('a schedule whose next run is too far away, because the clock was set back, is set again', async () => {
      const every = {
        id: 'main-poll',
        job: { name: 'poll-status', data: { account: 'main' } } as NewJob,
        timing: { everyMs: 250 },
      };
      const daily = {
        id: 'main-report',
        job: { name: 'write-report', data: { account: 'main' } } as NewJob,
        timing: { cron: '30 6 * * *', timeZone: 'America/Chicago' },
      };
      const dayMs = 86_400_000;
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * dayMs });
      try {
        await on.queues.upsertSchedule(every);
        await on.queues.upsertSchedule(daily);
      } finally {
        vi.useRealTimers();
      }
      const furthest = async () =>
        Math.max(...(await on.queues.listSchedules()).map(({ nextAtMs }) => nextAtMs! - Date.now()));
      expect(await furthest()).toBeGreaterThan(dayMs);
      await on.queues.upsertSchedule(every);
      await on.queues.upsertSchedule(daily);
      expect(await furthest()).toBeLessThanOrEqual(dayMs);
      const got = collect<string>(2);
      await work(on.queues, { 'poll-status': async ({ account }) => got.add(account) });
      expect(await got.all).toEqual(['main', 'main']);
    });

    test('an invalid schedule is refused by name', async () => {
      const job: NewJob = { name: 'poll-status', data: { account: 'main' } };
      const bad = (cron: string, timeZone: string) =>
        on.queues.upsertSchedule({ id: 'x', job, timing: { cron, timeZone } });
      await expect(bad('every day', 'UTC')).rejects.toMatchObject({ code: 'bad_schedule' });
      await expect(bad('0 6 * * *', 'Mars/Base')).rejects.toMatchObject({ code: 'bad_schedule' });
    });

    test('data that is not what the job takes is refused where it is enqueued', async () => {
      const wrong = { name: 'create-cart', data: { purchaseOrderId: 7, secret: 'x' } } as unknown as NewJob;
      await expect(on.queues.enqueue([cart(1), wrong])).rejects.toThrow('purchaseOrderId');
      expect(await on.queues.liveCount(['create-cart'])).toBe(0);
    });

    test('it answers a ping, and stopping twice is stopping once', async () => {
      await on.queues.ping();
      await on.queues.stop(0);
      await on.queues.stop(0);
    });

    queueLossContract(on);
  });
};
