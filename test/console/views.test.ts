import { beforeAll, expect, test } from 'vitest';
import type { SavedView } from '../../src/api-contract/views.ts';
import { removeUser } from '../../src/ledger/console/users.ts';
import { useConsole } from './use-console.ts';

const use = useConsole();
type Headers = Record<string, string>;
let ada: Headers;
let bob: Headers;
let south: Headers;
let admin: Headers;

const list = async (headers: Headers, page = 'imports'): Promise<SavedView[]> =>
  (await use.app.inject({ url: `/api/v1/views?page=${page}`, headers })).json().items;
const names = async (headers: Headers, page?: string) => (await list(headers, page)).map(({ name }) => name);
const save = (headers: Headers, view: Partial<SavedView>) =>
  use.app.inject({
    method: 'POST',
    url: '/api/v1/views',
    headers,
    payload: { page: 'imports', name: 'A view', search: '', shared: false, ...view },
  });
const remove = (headers: Headers, id: string) =>
  use.app.inject({ method: 'DELETE', url: `/api/v1/views/${id}`, headers });

beforeAll(async () => {
  ada = await use.signedIn('viewer', null, 'Ada');
  bob = await use.signedIn('operator', null, 'Bob');
  south = await use.signedIn('viewer', ['south']);
  admin = await use.signedIn('admin');
});

test('a view of one’s own is seen by nobody else, one that is shared by everybody', async () => {
  const saved = await save(ada, { name: 'Refused', search: 'outcome=refused&cursor=17&sort=file.oldest' });
  expect(saved.json()).toMatchObject({
    search: 'outcome=refused&sort=file.oldest',
    own: true,
    removable: true,
  });
  await save(ada, { name: 'Everything', shared: true });
  expect(await names(ada)).toEqual(['Everything', 'Refused']);
  expect(await list(bob)).toMatchObject([
    { name: 'Everything', madeBy: 'Ada', own: false, removable: false },
  ]);
  expect(await names(admin)).toEqual(['Everything']);
  expect(await names(ada, 'orders')).toEqual([]);
});

test('a view that filters by an account is not shown to a person who may not see the account', async () => {
  await save(bob, { name: 'North', search: 'account=north', shared: true, page: 'orders' });
  await save(bob, { name: 'South', search: 'account=south', shared: true, page: 'orders' });
  expect(await names(south, 'orders')).toEqual(['South']);
  expect(await names(ada, 'orders')).toEqual(['North', 'South']);
  expect((await save(south, { search: 'account=north' })).statusCode).toBe(404);
});

test('the same name replaces a view, whatever its case', async () => {
  await save(bob, { name: 'Late', search: 'look=late', page: 'orders' });
  await save(bob, { name: 'LATE', search: 'look=alarm', page: 'orders' });
  const mine = (await list(bob, 'orders')).filter(({ name }) => name.toLowerCase() === 'late');
  expect(mine).toMatchObject([{ name: 'LATE', search: 'look=alarm' }]);
});

test('a shared view is removed by who made it, or by an admin; another’s own one by nobody', async () => {
  const id = (await save(ada, { name: 'To remove', shared: true })).json().id;
  expect((await remove(bob, id)).statusCode).toBe(404);
  expect((await remove(admin, id)).statusCode).toBe(200);
  const own = (await save(ada, { name: 'Mine' })).json().id;
  expect((await remove(admin, own)).statusCode).toBe(404);
  expect((await remove(ada, own)).statusCode).toBe(200);
  const { rows } = await use.deps.pool.query(
    `select who, action from operator_actions where detail ->> 'view' = 'To remove' order by id`,
  );
  expect(rows).toMatchObject([{ who: 'Ada', action: 'view_shared' }, { action: 'view_removed' }]);
});

test('what a removed user shared stays, and the user’s own views go', async () => {
  const cleo = await use.signedIn('viewer', null, 'Cleo');
  await save(cleo, { name: 'Cleo shares', shared: true, page: 'purchase-orders' });
  await save(cleo, { name: 'Cleo alone', page: 'purchase-orders' });
  const { pool } = use.deps;
  const { rows } = await pool.query(`select id::text from console_users where name = 'Cleo'`);
  await removeUser(pool, rows[0].id, { who: 'test', via: 'command line' });
  const left = await pool.query('select name from console_views where page = $1', ['purchase-orders']);
  expect(left.rows).toEqual([{ name: 'Cleo shares' }]);
  const [view] = await list(admin, 'purchase-orders');
  expect(view).toMatchObject({ madeBy: 'Cleo', removable: true });
  expect((await remove(bob, view!.id)).statusCode).toBe(404);
});

test('a program sees what is shared, and saves nothing', async () => {
  const token = await use.withToken('admin');
  expect(await names(token)).toEqual(['Everything']);
  expect((await save(token, {})).statusCode).toBe(422);
  expect((await remove(token, '1')).statusCode).toBe(422);
});

test('how a user sees times is kept with the user', async () => {
  const me = async (headers: Headers) => (await use.app.inject({ url: '/api/v1/me', headers })).json();
  const put = (headers: Headers, payload: object) =>
    use.app.inject({ method: 'PUT', url: '/api/v1/me/times', headers, payload });
  expect(await me(ada)).toMatchObject({ times: 'mixed', zone: 'account' });
  expect((await put(ada, { times: 'absolute', zone: 'own' })).statusCode).toBe(200);
  expect(await me(ada)).toMatchObject({ times: 'absolute', zone: 'own' });
  expect(await me(bob)).toMatchObject({ times: 'mixed', zone: 'account' });
  expect((await put(ada, { times: 'sometimes', zone: 'own' })).statusCode).toBe(422);
  expect((await put(await use.withToken('viewer'), { times: 'mixed', zone: 'own' })).statusCode).toBe(422);
});
