import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ListeningConsole, listenConsole } from '../../src/console/listen-console.ts';
import { noteChange, notePurchaseOrder, sendChanges } from '../../src/ledger/changes.ts';
import { useConsole } from './use-console.ts';

const use = useConsole();
let console: ListeningConsole;
beforeAll(async () => {
  console = await listenConsole(use.deps);
});
afterAll(() => console.stop());

const open: AbortController[] = [];
afterEach(() => {
  for (const stream of open.splice(0)) stream.abort();
});

/** Opens the stream and gives its events one by one, without `alive`; undefined at its end. */
const follow = async (headers: Record<string, string>) => {
  const { host: _, ...own } = headers;
  const controller = new AbortController();
  open.push(controller);
  const answer = await fetch(`${console.url}/api/v1/events`, { headers: own, signal: controller.signal });
  expect(answer.headers.get('content-type')).toContain('text/event-stream');
  const texts = answer.body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  let text = '';
  return async (): Promise<unknown> => {
    for (;;) {
      const found = /^id: \d+\nevent: (\w+)\ndata: (.*)\n\n/.exec(text);
      if (!found) {
        const { done, value } = await texts.next();
        if (done) return undefined;
        text += value;
        continue;
      }
      text = text.slice(found[0].length);
      if (found[1] === 'changed') return JSON.parse(found[2]!);
    }
  };
};

test('a stream says first that everything may have changed, then which POs and imports', async () => {
  const next = await follow(await use.withToken('viewer'));
  expect(await next()).toMatchObject({ topics: expect.arrayContaining(['purchase-orders', 'imports']) });
  notePurchaseOrder(use.deps.pool, { id: '7', account: 'north', importId: '3' });
  notePurchaseOrder(use.deps.pool, { id: '8', account: 'south', importId: '3' });
  await sendChanges(use.deps.pool);
  expect(await next()).toEqual({
    topics: ['purchase-orders', 'imports'],
    purchaseOrders: ['7', '8'],
    imports: ['3'],
  });
});

test('many ids, or one that is not known, are left out rather than incomplete', async () => {
  const next = await follow(await use.withToken('viewer'));
  await next();
  for (let id = 1; id <= 51; id += 1) {
    notePurchaseOrder(use.deps.pool, { id: String(id), account: 'north', importId: '3' });
  }
  await sendChanges(use.deps.pool);
  expect(await next()).toEqual({ topics: ['purchase-orders', 'imports'], imports: ['3'] });
  noteChange(use.deps.pool, { topics: ['imports'] });
  await sendChanges(use.deps.pool);
  expect(await next()).toEqual({ topics: ['imports'], purchaseOrders: [] });
});

test('who may see one account learns nothing of others, and no ids', async () => {
  const next = await follow(await use.withToken('viewer', ['north']));
  await next();
  notePurchaseOrder(use.deps.pool, { id: '8', account: 'south', importId: '3' });
  await sendChanges(use.deps.pool);
  noteChange(use.deps.pool, { topics: ['accounts'], account: 'north' });
  await sendChanges(use.deps.pool);
  // Both may come in one message, which then names both topics.
  expect(await next()).toMatchObject({ topics: expect.arrayContaining(['accounts']) });
});

test('who opens a stream just when the last one ends is not cut off with it', async () => {
  const headers = await use.withToken('viewer');
  for (let round = 0; round < 3; round += 1) {
    const next = await follow(headers);
    expect(await next(), `round ${round}`).toMatchObject({
      topics: expect.arrayContaining(['purchase-orders']),
    });
    noteChange(use.deps.pool, { topics: ['reports'] });
    const stream = open.pop()!;
    const after = follow(headers);
    stream.abort();
    const next2 = await after;
    expect(await next2(), `round ${round}`).toMatchObject({ topics: expect.any(Array) });
    await sendChanges(use.deps.pool);
    for (const one of open.splice(0)) one.abort();
  }
}, 60_000);

test('when the database breaks the connection, the streams end, and a new one works again', async () => {
  const headers = await use.withToken('viewer');
  const next = await follow(headers);
  await next();
  await use.deps.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and datname = current_database()`,
  );
  expect(await next()).toBeUndefined();
  const again = await follow(headers);
  expect(await again()).toMatchObject({ topics: expect.arrayContaining(['purchase-orders']) });
});
