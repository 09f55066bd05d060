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

  test('its functions refuse what HTTP refuses, naming the field and what it may be', async () => {
    const service = await start({
      dealers: [{ name: 'north', token: 't' }],
      admin: true,
      adminToken: 'let-me',
    });
    await service.seed({ po_number: 'kept' });
    // Untyped callers can pass anything.
    // biome-ignore lint/suspicious/noExplicitAny: the mistakes that the types would prevent.
    const given = (value: unknown) => value as any;
    type Case = [string, () => unknown, string, RegExp, [string, string, unknown]?];
    const cases: Case[] = [
      [
        'reset',
        () => service.reset(given({ po_number: 'X' })),
        'po_number',
        /dealer, poNumber/,
        ['POST', 'reset', { po_number: 'X' }],
      ],
      ['reset', () => service.reset({ poNumber: undefined }), 'poNumber', /undefined/],
      [
        'reset',
        () => service.reset({ dealer: 'nobody' }),
        'dealer',
        /north/,
        ['POST', 'reset', { dealer: 'nobody' }],
      ],
      ['reset', () => service.reset(given(null)), 'body', /an object/, ['POST', 'reset', null]],
      [
        'setStatus',
        () => service.setStatus('1', given('Foo')),
        'status',
        /Shipped/,
        ['PUT', 'orders/1/status', { status: 'Foo' }],
      ],
      ['setStatus', () => service.setStatus(given(1), 'Shipped'), 'orderNumber', /text/],
      ['release', () => service.release(given(undefined)), 'orderNumber', /text/],
      [
        'clock',
        () => service.clock({ speed: Number.NaN }),
        'speed',
        /a number/,
        ['POST', 'clock', { speed: Number.NaN }],
      ],
      [
        'clock',
        () => service.clock({ advanceMs: -5 }),
        'advanceMs',
        /at least 0/,
        ['POST', 'clock', { advanceMs: -5 }],
      ],
      [
        'clock',
        () => service.clock({ freeze: true, speed: 2 }),
        'body',
        /not both/,
        ['POST', 'clock', { freeze: true, speed: 2 }],
      ],
      ['clock', () => service.clock({ set: new Date('no date') }), 'set', /2026-01-31/],
      ['clock', () => service.clock({}), 'body', /advanceMs/, ['POST', 'clock', {}]],
      [
        'journal.list',
        () => service.journal.list({ endpoint: given('zzz') }),
        'endpoint',
        /showCart/,
        ['GET', 'journal?endpoint=zzz', undefined],
      ],
      ['journal.list', () => service.journal.list({ poNumber: undefined }), 'poNumber', /undefined/],
      [
        'journal.list',
        () => service.journal.list({ limit: 0 }),
        'limit',
        /1 to 5000/,
        ['GET', 'journal?limit=0', undefined],
      ],
      ['journal.clear', () => service.journal.clear(given({ po: 'x' })), 'po', /dealer, poNumber/],
      [
        'faults.set',
        () => service.faults.set(given({ kind: 'storm' })),
        '0.kind',
        /hang-before/,
        ['PUT', 'faults', [{ kind: 'storm' }]],
      ],
      [
        'faults.set',
        () => service.faults.set(given({ kind: 'html', foo: 1 })),
        '0.foo',
        /unknown field/,
        ['PUT', 'faults', [{ kind: 'html', foo: 1 }]],
      ],
      [
        'faults.set',
        () => service.faults.set({ kind: 'html', poNumber: undefined }),
        '0.poNumber',
        /undefined/,
      ],
      [
        'seed',
        () => service.seed({ po_number: 'x', ship_to: '1' }),
        '0.ship_to',
        /ship_to: exactly 7/,
        ['POST', 'seed', { po_number: 'x', ship_to: '1' }],
      ],
      ['seed', () => service.seed(given(null)), '0', /a seed/, ['POST', 'seed', [null]]],
      ['seed', () => service.seed(), 'body', /at least 1/, ['POST', 'seed', []]],
    ];
    for (const [name, act, field, allowed, http] of cases) {
      const refused = await (async () => act())().catch((thrown: unknown) => thrown);
      const text = [name, field, (refused as Error).message];
      expect(refused, String(text)).toMatchObject({
        name: 'RefusedRequest',
        message: expect.stringMatching(allowed),
      });
      const errors = (refused as { errors: { field: string }[] }).errors;
      expect(
        errors.map((entry) => entry.field),
        String(text),
      ).toEqual([field]);
      if (!http) continue;
      const [method, route, body] = http;
      const answer = await fetch(`${service.url}/admin/${route}`, {
        method,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      const problem = (await answer.json()) as { detail: string; errors: unknown };
      expect([answer.status, problem.detail, problem.errors]).toEqual([
        422,
        (refused as Error).message,
        errors,
      ]);
    }
    const authorization = 'Bearer t';
    expect((await fetch(`${service.url}/carts/kept`, { headers: { authorization } })).status).toBe(200);
    expect((await fetch(`${service.url}/admin/clock`)).status).toBe(200);
  });

  test('after stop, its functions say so', async () => {
    const service = await start();
    await service.stop();
    const acts = [
      () => service.reset(),
      () => service.seed({ po_number: 'x' }),
      () => service.clock(),
      () => service.setStatus('1', 'Shipped'),
      () => service.release('1'),
      async () => service.faults.set(),
    ];
    for (const act of acts) await expect(act()).rejects.toThrow('This service has been stopped.');
    expect([service.journal.list(), service.faults.list()]).toEqual([[], []]);
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

  test('tokens from environment variables are refused, as nothing reads them here', async () => {
    const dealers = [{ name: 'north', tokenEnv: 'NORTH' }];
    await expect(start({ dealers, ...{ adminTokenEnv: 'ADMIN' } })).rejects.toThrow(
      /adminTokenEnv: .* as adminToken\n {2}dealers\.0\.tokenEnv: .* as token/,
    );
    await expect(start({ adminToken: undefined })).rejects.toThrow(/adminToken: text that is not empty/);
  });

  test.each([
    ['postgres://someone:secret@127.0.0.1:1/orders', 'at 127.0.0.1:1/orders: the connection was refused.'],
    ['127.0.0.1', 'databaseUrl: an address such as postgres://'],
  ])('the unusable database %s is refused with a sentence', async (databaseUrl, sentence) => {
    const refused = (await start({ databaseUrl }).catch((thrown: unknown) => thrown)) as Error;
    expect(refused.message).toContain(sentence);
    expect(refused.message).not.toContain('secret');
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
