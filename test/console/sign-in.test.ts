import { describe, expect, test } from 'vitest';
import { hashPassword } from '../../src/console/access/secrets.ts';
import { changeUser, findUser } from '../../src/ledger/console/users.ts';
import { ownHeaders, useConsole } from './use-console.ts';

const use = useConsole();
const password = 'correct horse battery';

const post = (url: string, payload: object, headers: Record<string, string> = ownHeaders) =>
  use.app.inject({ method: 'POST', url: `/api/v1${url}`, headers, payload });
const cookieOf = (answer: Awaited<ReturnType<typeof post>>): Record<string, string> => ({
  ...ownHeaders,
  cookie: `cartwright=${answer.cookies.find(({ name }) => name === 'cartwright')?.value}`,
});
const me = (headers: Record<string, string>) => use.app.inject({ url: '/api/v1/me', headers });

describe.sequential('access to the console', () => {
  test('the first admin is made with the one-time link, once, and from this machine only', async () => {
    const link = (await use.makeFirstLink())!.split('#')[1]!;
    const wanted = { link, name: 'Ada', password };
    const fromOutside = await use.app.inject({
      method: 'POST',
      url: '/api/v1/set-up',
      headers: ownHeaders,
      payload: wanted,
      remoteAddress: '10.0.0.9',
    });
    expect(fromOutside.statusCode).toBe(410);
    expect((await post('/set-up', { ...wanted, link: 'guessed' })).statusCode).toBe(410);
    expect((await post('/set-up', { ...wanted, password: 'short' })).json()).toMatchObject({
      status: 422,
      errors: [{ field: 'password', detail: 'must have at least 12 characters' }],
    });

    const made = await post('/set-up', wanted);
    expect(made.statusCode).toBe(200);
    expect(made.headers['set-cookie']).toMatch(/; HttpOnly; SameSite=Lax$/);
    expect((await me(cookieOf(made))).json()).toMatchObject({ name: 'Ada', role: 'admin', accounts: 'all' });

    expect((await post('/set-up', { ...wanted, name: 'Eve' })).statusCode).toBe(410);
    expect(await use.makeFirstLink()).toBeUndefined();
  });

  test('a password signs in, a new session replaces the browser’s earlier one, and sign-out ends it', async () => {
    const first = cookieOf(await post('/sign-in', { name: 'ada', password }));
    expect((await me(first)).statusCode).toBe(200);
    const second = cookieOf(await post('/sign-in', { name: 'ada', password }, first));
    expect((await me(first)).statusCode).toBe(401);
    expect((await post('/sign-out', {}, second)).statusCode).toBe(200);
    expect((await me(second)).statusCode).toBe(401);
  });

  test('after ten wrong passwords no password is tried for a while, not even the right one', async () => {
    const attempts = [];
    for (let i = 0; i < 10; i += 1) attempts.push(post('/sign-in', { name: 'ADA', password: `wrong ${i}` }));
    const codes = (await Promise.all(attempts)).map(({ statusCode }) => statusCode);
    expect(codes).toEqual(Array(10).fill(401));
    const refused = await post('/sign-in', { name: 'ada', password });
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60);

    const ada = (await findUser(use.deps.pool, 'ada'))!;
    const by = { who: 'test', via: 'command line' } as const;
    await changeUser(use.deps.pool, ada.id, { password: await hashPassword('a new password') }, by);
    expect((await post('/sign-in', { name: 'ada', password: 'a new password' })).statusCode).toBe(200);
  });

  test('failures elsewhere keep nobody out: the right person signs in from another address', async () => {
    const from = (remoteAddress: string, secret: string) =>
      use.app.inject({
        method: 'POST',
        url: '/api/v1/sign-in',
        headers: ownHeaders,
        payload: { name: 'Ada', password: secret },
        remoteAddress,
      });
    const codes = async (address: string, times: number) => {
      const answers = await Promise.all(
        Array.from({ length: times }, (_, at) => from(address, `wrong ${at}`)),
      );
      return answers.map(({ statusCode }) => statusCode);
    };
    expect(await codes('203.0.113.7', 10)).toEqual(Array(10).fill(401));
    expect((await from('203.0.113.7', 'a new password')).statusCode).toBe(429);
    expect((await from('198.51.100.4', 'a new password')).statusCode).toBe(200);
    // All addresses of an IPv6 network count as one.
    await codes('2001:db8:1:2::1', 5);
    await codes('2001:db8:1:2:ffff::9', 5);
    expect((await from('2001:db8:1:2:3:4:5:6', 'a new password')).statusCode).toBe(429);
    // Attempts from very many addresses are blocked, but not those from an address that the person has used.
    for (let address = 1; address <= 10; address += 1) await codes(`192.0.2.${address}`, 10);
    expect((await from('192.0.2.99', 'a new password')).statusCode).toBe(429);
    expect((await from('198.51.100.4', 'a new password')).statusCode).toBe(200);
  });

  test('the last admin stays, an admin has all accounts, and every change is listed with who made it', async () => {
    const headers = cookieOf(await post('/sign-in', { name: 'ada', password: 'a new password' }));
    const ask = (method: 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
      use.app.inject({ method, url: `/api/v1${url}`, headers, ...(payload ? { payload } : {}) });
    const { id } = (await me(headers)).json();
    expect((await ask('DELETE', `/users/${id}`)).json().detail).toContain('the last admin');
    expect((await ask('PATCH', `/users/${id}`, { role: 'viewer' })).json().detail).toContain(
      'the last admin',
    );
    const cy = { name: 'Cy', password, role: 'admin', accounts: ['default'] };
    expect((await ask('POST', '/users', cy)).json().errors).toMatchObject([{ field: 'accounts' }]);
    const added = await ask('POST', '/users', { ...cy, role: 'operator' });
    expect(added.statusCode).toBe(201);
    expect((await ask('POST', '/users', { ...cy, name: 'CY', role: 'viewer' })).statusCode).toBe(409);

    const limited = cookieOf(await post('/sign-in', { name: 'cy', password }));
    expect((await me(limited)).json()).toMatchObject({ role: 'operator', accounts: ['default'] });
    await ask('PATCH', `/users/${added.json().id}`, { role: 'viewer' });
    expect((await me(limited)).json()).toMatchObject({ role: 'viewer', accounts: ['default'] });
    expect((await ask('DELETE', `/users/${added.json().id}`)).statusCode).toBe(200);
    expect((await me(limited)).statusCode).toBe(401);

    const { items } = (await use.app.inject({ url: '/api/v1/activity?limit=4', headers })).json();
    expect(items.map(({ action, who, detail }: Record<string, unknown>) => [action, who, detail])).toEqual([
      ['user_removed', 'Ada', { user: 'Cy' }],
      ['user_changed', 'Ada', { user: 'Cy', role: 'viewer' }],
      ['sign_in', 'Cy', { address: '127.0.0.1' }],
      ['user_added', 'Ada', { user: 'Cy', role: 'operator', accounts: ['default'] }],
    ]);
  });
});
