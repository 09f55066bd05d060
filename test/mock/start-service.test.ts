import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type StartedService, startService } from '../../src/mock/start-service.ts';

let dataFolder: string;
const running: StartedService[] = [];
beforeAll(async () => {
  dataFolder = await mkdtemp(path.join(tmpdir(), 'cartwright-mock-'));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.stop()));
});
afterAll(() => rm(dataFolder, { recursive: true, force: true }));

const start = async (options: Parameters<typeof startService>[0] = {}): Promise<StartedService> => {
  const service = await startService({ dataFolder, logLevel: 'silent', ...options });
  running.push(service);
  return service;
};
const statusOf = async (service: StartedService, route: string): Promise<number> =>
  (await fetch(`${service.url}${route}`)).status;

describe('startService', () => {
  test('runs with the built-in Postgres, and controls what a client sees', async () => {
    const service = await start({ seed: [{ po_number: 'always' }] });
    expect(await statusOf(service, '/carts/always')).toBe(200);
    const items = [{ item_sku: 'A', quantity: 1 }];
    const [seeded] = await service.seed({ po_number: 'P1', items, status: 'Shipped' });
    const shown = await (await fetch(`${service.url}/orders/P1`)).json();
    expect(shown).toMatchObject({ order_details: [{ order_status: 'Shipped' }] });
    expect(await service.setStatus(seeded!.order_numbers[0]!, 'Invoiced')).toBe(true);
    service.faults.set({ kind: '503-before', count: 1 });
    expect(await statusOf(service, '/orders/P1')).toBe(503);
    expect(service.faults.list()[0]?.given).toBe(1);
    const clock = await service.clock({ freeze: true, set: new Date('2030-01-01T00:00:00Z') });
    expect(clock.now).toBe('2030-01-01T00:00:00.000Z');
    await expect(service.seed({ po_number: 'P1' })).rejects.toThrow(
      /Seed 1 \(PO P1\): .*already been ordered/,
    );
    expect(await service.reset()).toEqual({ carts: 2, orders: 1 });
    expect([await statusOf(service, '/carts/always'), await statusOf(service, '/orders/P1')]).toEqual([
      200, 404,
    ]);
  });

  test('records requests', async () => {
    const service = await start({ admin: true });
    await fetch(`${service.url}/carts/x`);
    expect(service.journal.list()).toEqual([
      expect.objectContaining({ endpoint: 'showCart', poNumber: 'x' }),
    ]);
  });

  test('two at the same time share the server and no data', async () => {
    const [one, two] = await Promise.all([start(), start()]);
    await one.seed({ po_number: 'mine' });
    expect([await statusOf(one, '/carts/mine'), await statusOf(two, '/carts/mine')]).toEqual([200, 404]);
    await one.stop();
    expect(await statusOf(two, '/carts/mine')).toBe(404);
  });

  test('wrong settings are refused with their names', async () => {
    await expect(start({ poReuse: 'maybe' as 'allowed', port: -1 })).rejects.toThrow(
      /port: .*\n {2}poReuse: /s,
    );
    await expect(start({ seed: [{ po_number: '' }] })).rejects.toThrow(/0\.po_number/);
    // An untyped caller.
    const wrong = { dataFolder: 5, logLevel: 'loud' } as unknown as Parameters<typeof startService>[0];
    await expect(start(wrong)).rejects.toThrow(/settings:\n {2}dataFolder: .*\n {2}logLevel: /s);
  });

  test('an unusable data folder is refused with a sentence', async () => {
    await expect(start({ dataFolder: '/proc/none' })).rejects.toThrow(
      'startService cannot use its data folder. Cannot create /proc/none: no folder can be made there.',
    );
    await expect(start({ dataFolder: import.meta.filename })).rejects.toThrow(
      /startService cannot use its data folder\. .*a file with this name already exists\./,
    );
  });
});
