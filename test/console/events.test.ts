import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { hashSecret } from '../../src/console/access/secrets.ts';
import { type ListeningConsole, listenConsole } from '../../src/console/listen-console.ts';
import { noteChange, notePurchaseOrder, sendChanges } from '../../src/ledger/changes.ts';
import { revokeToken } from '../../src/ledger/console/tokens.ts';
import { changeUser, removeUser } from '../../src/ledger/console/users.ts';
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

test('a person follows in twenty pages at most, and in one more once one is closed', async () => {
  const { host: _, ...headers } = await use.withToken('viewer');
  const others = await use.withToken('viewer');
  for (let page = 0; page < 20; page += 1) await follow(headers);
  const refused = await fetch(`${console.url}/api/v1/events`, { headers });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
  await follow(others);
  open[0]!.abort();
  await expect
    .poll(async () => {
      const controller = new AbortController();
      open.push(controller);
      return (await fetch(`${console.url}/api/v1/events`, { headers, signal: controller.signal })).status;
    })
    .toBe(200);
});

test('everybody who follows hears first that everything may have changed', async () => {
  const headers = await use.withToken('viewer');
  for (let follower = 0; follower < 3; follower += 1) {
    const next = await follow(headers);
    expect(await next(), `follower ${follower}`).toMatchObject({
      topics: expect.arrayContaining([
        'purchase-orders',
        'imports',
        'accounts',
        'reports',
        'activity',
        'bulk',
      ]),
    });
  }
});

const by = { who: 'test', via: 'command line' } as const;
const userOf = async ({ cookie }: Record<string, string>): Promise<string> => {
  const { rows } = await use.deps.pool.query(
    'select user_id::text as id from console_sessions where token_hash = $1',
    [hashSecret(cookie!.split('=')[1]!)],
  );
  return rows[0].id;
};
const ask = (method: string, path: string, headers: Record<string, string>) =>
  fetch(`${console.url}/api/v1${path}`, { method, headers: { ...headers, host: '' } });

test.each<[string, (headers: Record<string, string>) => Promise<unknown>]>([
  ['signs out', (headers) => ask('POST', '/sign-out', headers)],
  ['is removed', async (headers) => removeUser(use.deps.pool, await userOf(headers), by)],
  [
    'gets another password',
    async (headers) => changeUser(use.deps.pool, await userOf(headers), { password: 'x' }, by),
  ],
  [
    'may see fewer accounts',
    async (headers) => changeUser(use.deps.pool, await userOf(headers), { accounts: ['north'] }, by),
  ],
  ['is demoted', async (headers) => changeUser(use.deps.pool, await userOf(headers), { role: 'viewer' }, by)],
])('the stream of who %s ends within about a second, and no other', async (_what, change) => {
  const headers = await use.signedIn('operator');
  const [next, other] = [await follow(headers), await follow(await use.signedIn('operator'))];
  await Promise.all([next(), other()]);
  const startedAt = performance.now();
  await change(headers);
  for (let event = await next(); event !== undefined; event = await next());
  expect(performance.now() - startedAt).toBeLessThan(2000);
  noteChange(use.deps.pool, { topics: ['reports'] });
  await sendChanges(use.deps.pool);
  const seen: string[] = [];
  while (!seen.includes('reports')) seen.push(...((await other()) as { topics: string[] }).topics);
  expect(seen).not.toContain('access');
});

test('the stream of a token that is revoked ends', async () => {
  const headers = await use.withToken('viewer');
  const next = await follow(headers);
  await next();
  const { rows } = await use.deps.pool.query('select max(id)::text as id from console_tokens');
  await revokeToken(use.deps.pool, rows[0].id, by);
  for (let event = await next(); event !== undefined; event = await next());
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
