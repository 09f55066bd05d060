import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import type { NewJob } from '../../src/dispatch/job-schemas.ts';
import { isFromOutside } from '../../src/errors.ts';
import { type LogFields, silentLogger } from '../../src/logger.ts';
import { builtProgram } from '../support/built-program.ts';
import { cart, collect, type UsedQueues } from './use-queues.ts';

/** Contract for a worker that stops or is killed, and for a store that loses, blocks or damages its content. */
export const queueLossContract = (on: UsedQueues): void => {
  const { open, work } = on;

  test('a single job that was lost, or whose worker was killed, runs again', async () => {
    const report: NewJob = { name: 'write-report', data: { importId: '1' }, single: 'result 1' };
    await on.queues.enqueue([report]);
    await on.store.lose();
    await on.queues.enqueue([report]);
    expect(await on.queues.liveCount(['write-report'])).toBe(1);

    const started = collect<string>(1);
    await work(on.queues, {
      'write-report': () => {
        started.add('started');
        return new Promise(() => {});
      },
    });
    await started.all;
    await on.queues.stop(50);
    const others = await open();
    const got = collect<string>(1);
    await others.enqueue([report]);
    await work(others, { 'write-report': async () => got.add('done') });
    expect(await got.all).toEqual(['done']);
    await expect.poll(() => others.liveCount(['write-report'])).toBe(0);
    await others.enqueue([report]);
    await expect.poll(() => got.seen.length).toBeGreaterThan(1);
  });

  test('two workers killed with -9 during the same job: a third one runs it', async () => {
    await on.queues.enqueue([cart(7, { key: '7/1' })]);
    const program = builtProgram('test/queue/worker-process.ts');
    for (let kill = 0; kill < 2; kill++) {
      const child = spawn(process.execPath, [program, JSON.stringify(on.store.address)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [taken] = await once(createInterface(child.stdout), 'line');
      expect(taken).toBe('7');
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    const got = collect<string>(1);
    await work(on.queues, { 'create-cart': async ({ purchaseOrderId }) => got.add(purchaseOrderId) });
    expect(await got.all).toEqual(['7']);
  });

  test('everything in it lost under running workers: what is enqueued again is done', async () => {
    const got = collect<string>(1);
    await work(on.queues, { 'create-cart': async ({ purchaseOrderId }) => got.add(purchaseOrderId) });
    await on.queues.enqueue([cart(1, { key: '1/1', delayMs: 3_600_000 })]);
    await on.store.lose();
    await on.queues.enqueue([cart(1, { key: '1/1' })]);
    expect(await got.all).toEqual(['1']);
  });

  test('connections that break are found again, by enqueuing and by working', async () => {
    const got = collect<string>(2);
    await work(on.queues, { 'create-cart': async ({ purchaseOrderId }) => got.add(purchaseOrderId) });
    await on.queues.enqueue([cart(1)]);
    await expect.poll(() => got.seen).toEqual(['1']);
    // Wait, because a job whose end is not recorded yet would correctly run again.
    await expect.poll(() => on.queues.liveCount(['create-cart'])).toBe(0);
    await on.store.breakConnections();
    await expect
      .poll(() => on.queues.enqueue([cart(2, { key: '2/1' })]).then(() => 'taken', String), {
        timeout: 15_000,
      })
      .toBe('taken');
    expect(await got.all).toEqual(['1', '2']);
  });

  test('stop waits for the job that runs, and leaves those that wait', async () => {
    let finish = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const started = collect<string>(1);
    let ended = false;
    await work(on.queues, {
      'create-cart': async ({ purchaseOrderId }) => {
        started.add(purchaseOrderId);
        await held;
        ended = true;
      },
    });
    await on.queues.enqueue([cart(1, { key: '1/1' }), cart(2, { key: '2/1' })]);
    await started.all;
    const stopped = on.queues.stop(10_000);
    finish();
    await stopped;
    expect(ended).toBe(true);
    expect(await (await open()).liveCount(['create-cart'])).toBe(1);
  });

  test('a job that does not end holds stop up no longer than it may, and another worker does it', async () => {
    const started = collect<string>(1);
    await work(on.queues, {
      'create-cart': ({ purchaseOrderId }) => {
        started.add(purchaseOrderId);
        return new Promise(() => {});
      },
    });
    await on.queues.enqueue([cart(1, { key: '1/1' })]);
    await started.all;
    await on.queues.stop(50);

    const got = collect<string>(1);
    const others = await open();
    await work(others, { 'create-cart': async ({ purchaseOrderId }) => got.add(purchaseOrderId) });
    expect(await got.all).toEqual(['1']);
  });

  test('a queue that was paused or limited by somebody else is found, and put right when asked to', async () => {
    await on.queues.enqueue([cart(1)]);
    const byName = Object.fromEntries(on.queues.bullQueues.map((queue) => [queue.name, queue]));
    expect(await on.queues.checkHolds({ lift: true })).toEqual([]);
    await byName['create-cart']!.pause();
    await byName['add-items']!.setGlobalConcurrency(1);
    await byName['submit-order']!.setGlobalRateLimit(1, 3_600_000);
    const holds = [
      { queue: 'create-cart', what: 'paused' },
      { queue: 'add-items', what: 'limited to 1 job at once' },
      { queue: 'submit-order', what: 'limited to 1 jobs in 3600000 ms' },
    ];
    for (const lift of [false, true]) {
      const found = await on.queues.checkHolds({ lift });
      expect(found).toHaveLength(3);
      expect(found).toEqual(expect.arrayContaining(holds));
    }
    expect(await on.queues.checkHolds({ lift: false })).toEqual([]);
    const got = collect<string>(1);
    await work(on.queues, { 'create-cart': async ({ purchaseOrderId }) => got.add(purchaseOrderId) });
    expect(await got.all).toEqual(['1']);
  });

  test('jobs that lose their locks or their worker cause one log line each time; a stop causes none', async () => {
    const lines: string[] = [];
    const write = (fields: LogFields, message: string) =>
      void lines.push(
        `${fields.count} ${message}${fields.err && !isFromOutside(fields.err) ? ' with a stack' : ''}`,
      );
    const logger = { ...silentLogger, warn: write, error: write };
    const many = Array.from({ length: 20 }, (_, index) => cart(index, { key: `many ${index}` }));
    const settings = { lockMs: 1_000, stalledEveryMs: 500, concurrency: { 'create-cart': 20 } };

    const first = await open(logger);
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
    await on.store.lose();
    await expect.poll(() => lines.length, { timeout: 10_000 }).toBeGreaterThan(0);
    // They end, and the queue no longer has them.
    end();
    await first.enqueue([{ name: 'poll-status', data: { account: 'main' } }]);
    await marker.all;
    // If even tables and functions are gone, the queue logs that once each.
    expect([...new Set(lines)]).toEqual([
      expect.stringMatching(
        /^20 Jobs lost their locks in the queue; .*leases\)$|^undefined A worker reports an error of its queue$/,
      ),
    ]);
    await first.stop(0);
    lines.length = 0;

    // Another worker is stopped in the middle of 20 jobs, which the next one repeats.
    const second = await open(logger);
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
    expect(lines).toEqual([
      'undefined Stopped while jobs were still running; another worker will repeat them',
    ]);
    lines.length = 0;

    const third = await open(logger);
    const done = collect<string>(20);
    await third.startWorkers({
      ...settings,
      handlers: { 'create-cart': async ({ purchaseOrderId }) => done.add(purchaseOrderId) },
    });
    await done.all;
    await expect.poll(() => lines).toEqual(['20 Jobs lost their worker; other workers will repeat them']);
    await third.stop();
    expect(lines).toHaveLength(1);
  });
};
