import fastify from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import { addRun } from '../../src/ledger/console/bulk-runs.ts';
import { addQueueView } from '../../src/queue/queue-view.ts';
import { insertImport } from '../support/ledger-rows.ts';
import { useConsole } from './use-console.ts';

const console = useConsole({
  deps: {
    addQueueView: (app, path) => addQueueView(app, { bullQueues: [], path, readOnly: true }),
  },
});
let admin: Record<string, string>;
let viewer: Record<string, string>;

const get = (path: string, headers = admin) =>
  console.app.inject({ method: 'GET', url: `/api/v1${path}`, headers });

beforeAll(async () => {
  admin = await console.signedIn('admin');
  viewer = await console.signedIn('viewer');
});

test.each(['token added', 'token_added', 'Token ', 'added'])(
  'the filter of activity finds what the list shows: %s',
  async (action) => {
    await console.withToken('viewer');
    const { items } = (await get(`/activity?${new URLSearchParams({ action })}`)).json();
    expect(items.map((one: { action: string }) => one.action)).toContain('token_added');
    expect((await get('/activity?action=token%20removed')).json().items).toEqual([]);
  },
);

test('reports of both kinds are listed by when they were written, latest first, over all pages', async () => {
  const { pool } = console.deps;
  const at = (hour: number) => `2026-11-20T${String(hour).padStart(2, '0')}:00:00Z`;
  // The import that came first is answered last.
  for (const [n, hour] of [9, 3, 3, 6].entries())
    await insertImport(pool, {
      sha256: `report ${n}`,
      result_path: `done/${n}.result.csv`,
      result_written_at: at(hour),
    });
  await insertImport(pool, { sha256: 'unwritten', result_path: 'done/unwritten.result.csv' });
  await pool.query(
    `insert into account_states (account, report_path, report_written_at) values ('default', 'reports/s.csv', $1)`,
    [at(5)],
  );
  const names: string[] = [];
  let cursor = '';
  for (let page = 0; page < 4; page += 1) {
    const answer = (await get(`/reports?limit=2${cursor}`)).json();
    names.push(...answer.items.map((one: { fileName: string }) => one.fileName));
    if (answer.next === null) break;
    cursor = `&cursor=${encodeURIComponent(answer.next)}`;
  }
  expect(names).toEqual([
    '0.result.csv',
    '3.result.csv',
    's.csv',
    '2.result.csv',
    '1.result.csv',
    'unwritten.result.csv',
  ]);
  expect((await get('/reports?cursor=5')).statusCode).toBe(422);
});

test('the list of bulk runs is a CSV file where it is asked for', async () => {
  await addRun(console.deps.pool, {
    action: 'release',
    filter: { account: 'north' },
    expected: 1454,
    accounts: null,
    who: '=otto',
    via: 'console',
  });
  const answer = await get('/bulk?format=csv');
  expect(answer.headers['content-type']).toContain('text/csv');
  const [head, row] = answer.body.trimEnd().split('\r\n');
  expect(head).toContain('Run,What,Who,State');
  expect(row).toContain(`"Release 1,454 POs of north.",'=otto,waiting,1454`);
});

test('who may not see the queue board gets a page with a sentence, and a program gets a problem', async () => {
  const open = (headers: Record<string, string>, accept: string) =>
    console.app.inject({ method: 'GET', url: '/queues', headers: { ...headers, accept } });
  const page = await open(viewer, 'text/html,*/*');
  expect(page.statusCode).toBe(403);
  expect(page.headers['content-type']).toContain('text/html');
  expect(page.body).toContain('Your role is viewer, which does not allow this.');
  const problem = await open(viewer, 'application/json');
  expect(problem.json()).toMatchObject({ status: 403, code: 'forbidden' });
  expect((await open(admin, 'text/html')).body).toContain('Cartwright');
});

test('errors of the queue board itself stay its own', async () => {
  const app = fastify();
  await addQueueView(app, { bullQueues: [], path: '/queues', readOnly: true });
  const own = await app.inject('/queues/api/queues/none/pause');
  const served = await console.app.inject({
    method: 'GET',
    url: '/queues/api/queues/none/pause',
    headers: admin,
  });
  expect(served.statusCode).toBe(own.statusCode);
  await app.close();
});
