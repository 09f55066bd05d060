import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ListeningConsole, listenConsole } from '../../src/console/listen-console.ts';
import { insertImport, insertPurchaseOrder } from '../support/ledger-rows.ts';
import { useConsole } from './use-console.ts';

const use = useConsole({ freezable: true });
let console: ListeningConsole;
let headers: Record<string, string>;
let held: string;

beforeAll(async () => {
  console = await listenConsole(use.deps);
  const { host: _, ...own } = await use.signedIn('operator');
  headers = own;
  const importId = await insertImport(use.deps.pool, { account: 'north' });
  held = await insertPurchaseOrder(use.deps.pool, importId, 'P-1', { account: 'north', state: 'held' });
});
afterAll(() => console.stop());

const ask = async (path: string, options: RequestInit = {}) => {
  const startedAt = performance.now();
  const answer = await fetch(`${console.url}/api/v1${path}`, {
    ...options,
    headers: { ...headers, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(20_000),
  });
  const tookMs = performance.now() - startedAt;
  const body = (await answer.json()) as { code?: string; detail?: string };
  return { status: answer.status, headers: answer.headers, body, tookMs };
};

// The connections opened by a person's first requests stay open and never answer.
beforeEach(async () => {
  await Promise.all(['/me', '/imports', '/purchase-orders'].map((path) => ask(path)));
});
afterEach(() => use.database.thaw());

const reads = ['/me', '/imports', '/purchase-orders', '/accounts', '/today', '/search?q=P-1', '/activity'];

test('a frozen database: every read is answered 503 within seconds, as when it is away, and works again after', async () => {
  use.database.freeze();
  const answers = await Promise.all(reads.map((path) => ask(path)));
  for (const { status, body, headers: answered, tookMs } of answers) {
    expect([status, body.code]).toEqual([503, 'unavailable']);
    expect(body.detail).toContain('recovers when it is back');
    expect(answered.get('retry-after')).toBe('2');
    expect(tookMs).toBeLessThan(7000);
  }
  // Once the console knows, nobody waits that long again.
  expect((await ask('/imports')).tookMs).toBeLessThan(4000);
  use.database.thaw();
  for (const path of reads) expect((await ask(path)).status, path).toBe(200);
}, 60_000);

test('a slow answer of a database that is there is waited for', async () => {
  const client = await use.deps.pool.connect();
  await client.query('begin; lock table imports');
  const slow = ask('/imports');
  const unlock = setTimeout(() => void client.query('rollback').then(() => client.release()), 8000);
  expect((await slow).status).toBe(200);
  clearTimeout(unlock);
}, 60_000);

const release = () =>
  ask('/purchase-orders/actions', {
    method: 'POST',
    body: JSON.stringify({ action: 'release', items: [{ id: held }] }),
  });

test('an action that the console could not begin says so, and is not done later', async () => {
  use.database.freeze();
  const { status, body } = await release();
  expect([status, body.detail]).toEqual([503, expect.not.stringContaining('not known')]);
  use.database.thaw();
  expect((await ask('/me')).status).toBe(200);
  const { rows } = await use.deps.pool.query(`select state from purchase_orders where id = $1`, [held]);
  expect(rows).toEqual([{ state: 'held' }]);
}, 60_000);

test('an action that the frozen database does not answer is not said to have failed', async () => {
  const client = await use.deps.pool.connect();
  await client.query('begin; lock table operator_actions in share mode');
  const acting = release();
  // Wait until only its record is missing.
  await expect
    .poll(
      async () =>
        (
          await client.query(
            `select from pg_locks where not granted and relation = 'operator_actions'::regclass`,
          )
        ).rowCount,
      {
        timeout: 5000,
      },
    )
    .toBe(1);
  use.database.freeze();
  const { status, body, headers: answered } = await acting;
  expect([status, body.code]).toEqual([503, 'unavailable']);
  expect(body.detail).toMatch(/not known whether this was done/);
  expect(answered.get('retry-after')).toBeNull();
  use.database.thaw();
  await client.query('rollback');
  client.release();
}, 60_000);

test('streams of a frozen database end within seconds, so that pages say that they are not live', async () => {
  const answer = await fetch(`${console.url}/api/v1/events`, { headers });
  const reader = answer.body!.getReader();
  const first = new TextDecoder().decode((await reader.read()).value);
  expect(first).toContain('alive');
  const startedAt = performance.now();
  use.database.freeze();
  while (!(await reader.read()).done);
  expect(performance.now() - startedAt).toBeLessThan(8000);
  expect((await ask('/events')).status).toBe(503);
}, 60_000);
