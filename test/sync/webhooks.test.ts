import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ChangesAnswer } from '../../src/api-contract/changes.ts';
import { listReceivers, resumeReceiver } from '../../src/ledger/sync-receivers.ts';
import { silentLogger } from '../../src/logger.ts';
import type { CloudEvent } from '../../src/sync/change.ts';
import { postChanges, signatureOf } from '../../src/sync/post-changes.ts';
import { isPrivateAddress, lookupPublic } from '../../src/sync/private-address.ts';
import { nextTryMs, type SyncWebhook } from '../../src/sync/webhook.ts';
import { startSendingChanges } from '../../src/worker/send-changes.ts';
import { useConsole } from '../console/use-console.ts';
import { insertImport, insertPurchaseOrder } from '../support/ledger-rows.ts';

const use = useConsole();
const secret = 'a secret of the shop';

interface Got {
  events: CloudEvent[];
  headers: IncomingMessage['headers'];
  body: string;
}
type Answer = (got: Got, response: ServerResponse) => void;

interface Receiver {
  url: string;
  got: Got[];
  answer: Answer;
  server: Server;
}
const fine: Answer = (_, response) => void response.writeHead(204).end();
const servers: Server[] = [];
const startReceiver = async (answer: Answer = fine): Promise<Receiver> => {
  const receiver: Receiver = { url: '', got: [], answer, server: undefined as never };
  receiver.server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const got = { body, headers: request.headers, events: [JSON.parse(body)].flat() };
    receiver.got.push(got);
    receiver.answer(got, response);
  });
  receiver.server.listen(0, '127.0.0.1');
  await once(receiver.server, 'listening');
  servers.push(receiver.server);
  receiver.url = `http://127.0.0.1:${(receiver.server.address() as AddressInfo).port}/hook`;
  return receiver;
};
const hook = (name: string, url: string, more: Partial<SyncWebhook> = {}): SyncWebhook => ({
  ...{ account: 'north', name, url, secret, problem: undefined, batch: 1, allowPrivate: true },
  ...more,
});

let importId: string;
const stop: (() => Promise<void>)[] = [];
const start = async (...webhooks: SyncWebhook[]) => {
  const sending = startSendingChanges({ pool: use.deps.pool, logger: silentLogger, webhooks });
  stop.push(sending.stop);
  // They start with changes from now on.
  await expect
    .poll(async () => (await listReceivers(use.deps.pool, ['north', 'south'])).length)
    .toBeGreaterThanOrEqual(webhooks.length);
  return sending;
};
/** Makes POs that are read and then held, two changes each. */
const makePos = async (prefix: string, count: number, account = 'north') => {
  for (let n = 1; n <= count; n += 1) {
    const id = await insertPurchaseOrder(use.deps.pool, importId, `${prefix}-${n}`, { account });
    await use.deps.pool.query(
      `update purchase_orders set state = 'held', reason_code = 'on_hold' where id = $1`,
      [id],
    );
  }
};
const eventsOf = ({ got }: Receiver) => got.flatMap(({ events }) => events);
const rowOf = async (name: string) =>
  (await listReceivers(use.deps.pool, ['north', 'south'])).find((one) => one.name === name)!;
/** Skips the wait after a failed request. */
const hurry = (name: string) =>
  use.deps.pool.query('update sync_receivers set next_at = clock_timestamp() where name = $1', [name]);

beforeAll(async () => {
  importId = await insertImport(use.deps.pool, { account: 'north' });
});
afterEach(async () => {
  for (const one of stop.splice(0)) await one();
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

it('a webhook gets the same changes in the same order as the feed, signed, each in a request of its own', async () => {
  const shop = await startReceiver();
  await start(hook('shop', shop.url));
  const headers = await use.withToken('viewer');
  const read = async (query: string): Promise<ChangesAnswer> =>
    (await use.app.inject({ url: `/api/v1/changes?limit=1000${query}`, headers })).json();
  const { next } = await read('');
  await makePos('A', 5);
  await makePos('S', 1, 'south');
  await expect.poll(() => shop.got.length, { timeout: 20_000 }).toBe(10);
  const { changes } = await read(`&after=${next}&account=north`);
  expect(eventsOf(shop)).toEqual(changes);
  for (const { headers: sent, body, events } of shop.got) {
    expect(sent['content-type']).toBe('application/cloudevents+json; charset=utf-8');
    expect(sent['webhook-id']).toBe(events[0]!.id);
    const text = `${sent['webhook-id']}.${sent['webhook-timestamp']}.${body}`;
    expect(sent['webhook-signature']).toBe(
      `v1,${createHmac('sha256', secret).update(text).digest('base64')}`,
    );
  }
});

it('several changes come in one request, if the receiver wants that', async () => {
  const erp = await startReceiver();
  await start(hook('erp', erp.url, { batch: 50 }));
  await makePos('B', 20);
  await expect.poll(() => eventsOf(erp).length, { timeout: 20_000 }).toBe(40);
  expect(erp.got.length).toBeLessThan(40);
  expect(erp.got[0]!.headers['content-type']).toBe('application/cloudevents-batch+json; charset=utf-8');
});

it('a receiver that fails gets every change later, in order, and none of the others waits for it', async () => {
  let works = false;
  const flaky = await startReceiver((got, response) => {
    // It processed the request, but its answer is lost.
    if (works) fine(got, response);
    else if (got.events[0]!.subject === 'C-2') response.destroy();
    else fine(got, response);
  });
  const silent = await startReceiver(() => {});
  const other = await startReceiver();
  await start(hook('flaky', flaky.url), hook('silent', silent.url), hook('other', other.url));
  await makePos('C', 4);
  await expect.poll(() => eventsOf(other).length, { timeout: 20_000 }).toBe(8);
  await expect.poll(async () => (await rowOf('flaky')).tries, { timeout: 20_000 }).toBeGreaterThan(0);
  expect(await rowOf('flaky')).toMatchObject({
    lastError: expect.stringContaining('cannot be reached'),
    parkedAt: null,
  });
  works = true;
  await hurry('flaky');
  const seen = () => [...new Map(eventsOf(flaky).map((event) => [event.id, event])).values()];
  await expect.poll(() => seen().length, { timeout: 20_000 }).toBe(8);
  expect(seen()).toEqual(eventsOf(other));
  await expect.poll(async () => (await rowOf('flaky')).tries).toBe(0);
});

it('a receiver that fails for three days is parked, shown with what waits, and goes on from any moment', async () => {
  const { pool } = use.deps;
  let status = 500;
  const dead = await startReceiver((_, response) => void response.writeHead(status).end());
  await start(hook('dead', dead.url));
  await makePos('D', 2);
  await expect.poll(async () => (await rowOf('dead')).tries, { timeout: 20_000 }).toBe(1);
  await pool.query(
    `update sync_receivers set failing_since = failing_since - interval '73 hours', next_at = clock_timestamp() where name = 'dead'`,
  );
  await expect.poll(async () => (await rowOf('dead')).parkedAt, { timeout: 20_000 }).not.toBeNull();
  expect(await rowOf('dead')).toMatchObject({
    lastError: expect.stringContaining('answered with status 500'),
    waiting: 4,
  });
  const requests = dead.got.length;
  await hurry('dead');
  await makePos('E', 1);
  status = 200;
  expect(dead.got.length).toBe(requests);
  expect(await resumeReceiver(pool, { account: 'north', name: 'dead' }, undefined)).toBe(true);
  await expect.poll(() => new Set(eventsOf(dead).map(({ id }) => id)).size, { timeout: 20_000 }).toBe(6);
  // From the beginning of the retained changes.
  const before = dead.got.length;
  expect(await resumeReceiver(pool, { account: 'north', name: 'dead' }, '0')).toBe(true);
  await expect.poll(() => dead.got.length - before, { timeout: 20_000 }).toBeGreaterThan(20);
});

it('two processes send each change once between them', async () => {
  const shared = await startReceiver();
  await start(hook('shared', shared.url));
  await start(hook('shared', shared.url));
  await makePos('F', 15);
  await expect.poll(() => eventsOf(shared).length, { timeout: 20_000 }).toBe(30);
  expect(new Set(eventsOf(shared).map(({ id }) => id)).size).toBe(30);
});

describe('one request', () => {
  const event = { id: 'e:1', subject: 'X' } as CloudEvent;
  const post = (url: string, more: Partial<SyncWebhook> = {}, limit?: number) =>
    postChanges(hook('x', url, more), [event], limit);

  it.each<[string, Answer, string]>([
    [
      'redirects',
      (_, response) => void response.writeHead(302, { location: 'http://elsewhere/' }).end(),
      'redirects (302)',
    ],
    ['closes at once', (_, response) => void response.destroy(), 'cannot be reached'],
    ['never answers', () => {}, 'did not answer within 0.3 s'],
    ['refuses', (_, response) => void response.writeHead(401).end(), 'answered with status 401'],
  ])('to a receiver that %s fails with a sentence', async (_, answer, sentence) => {
    const receiver = await startReceiver(answer);
    expect(await post(receiver.url, {}, 300)).toEqual({
      kind: 'failed',
      message: expect.stringContaining(sentence),
    });
  });

  it('is confirmed by a status alone, however long the answer is', async () => {
    const endless = await startReceiver((_, response) => {
      response.writeHead(200);
      response.write('x'.repeat(1_000_000));
    });
    expect(await post(endless.url, {}, 5000)).toEqual({ kind: 'confirmed' });
  });

  it.each([
    'http://127.0.0.1:1/',
    'http://[::1]:1/',
    'http://10.1.2.3/',
    'http://[::ffff:192.168.1.1]/',
    'http://localhost:1/',
    'http://0x7f000001/',
  ])('is not sent to %s unless that is allowed', async (url) => {
    expect(await post(url, { allowPrivate: false })).toEqual({
      kind: 'failed',
      message: expect.stringContaining('Set allowPrivate'),
    });
  });
});

it('tells private addresses from public ones', () => {
  for (const address of [
    '127.0.0.1',
    '169.254.169.254',
    '::1',
    'fe80::1',
    'fd00::1',
    '::ffff:10.0.0.1',
    '100.64.1.1',
    '0.0.0.0',
    'x',
  ])
    expect(isPrivateAddress(address), address).toBe(true);
  for (const address of ['1.1.1.1', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8', '192.169.0.1'])
    expect(isPrivateAddress(address), address).toBe(false);
});

it('resolves a name to public addresses only', async () => {
  const answered = await new Promise((resolve) => lookupPublic('localhost', {}, (error) => resolve(error)));
  expect(answered).toMatchObject({ code: 'private_address' });
});

it('signs with the bytes of a secret that is written as the specification has it', () => {
  const encoded = `whsec_${Buffer.from('key').toString('base64')}`;
  expect(signatureOf(encoded, 'id', '1', 'body')).toBe(signatureOf('key', 'id', '1', 'body'));
});

it('waits longer after each failure, up to an hour', () => {
  expect([1, 2, 3, 10, 11, 500].map(nextTryMs)).toEqual([
    5000, 10_000, 20_000, 2_560_000, 3_600_000, 3_600_000,
  ]);
});
