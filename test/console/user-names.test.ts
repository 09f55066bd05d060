import { beforeAll, expect, test } from 'vitest';
import { isNameOf } from '../../src/api-contract/names.ts';
import { useConsole } from './use-console.ts';

const use = useConsole();
let headers: Record<string, string>;
beforeAll(async () => {
  headers = await use.signedIn('admin', null, 'Maria of Procurement');
});

const send = async (method: 'POST' | 'PATCH' | 'PUT', url: string, payload: object) => {
  const answer = await use.app.inject({ method, url: `/api/v1${url}`, headers, payload });
  return { status: answer.statusCode, body: answer.json() };
};
const add = (name: string, password = 'correct horse battery') =>
  send('POST', '/users', { name, password, role: 'viewer', accounts: 'all' });

test.each([
  ['a zero-width space', 'ad\u200ba'],
  ['a zero-width joiner', 'ada\u200d'],
  ['a byte order mark', '\ufeffada\ufeffb'],
  ['a soft hyphen', 'a\u00adda'],
  ['a control character', 'a\u0007da'],
  ['a control character of Latin 1', 'a\u0085da'],
  ['a change of direction', 'a\u202eda'],
  ['a line separator', 'a\u2028da'],
  ['a blank letter', 'a\u3164da'],
])('a name with %s is refused', async (_what, name) => {
  expect(await add(name)).toMatchObject({ status: 422, body: { errors: [{ field: 'name' }] } });
});

test.each(['Zoë', 'Łukasz O’Neill-Müller', '山田 太郎', 'ada@example.com'])('%s is a name', async (name) => {
  expect((await add(name)).status).toBe(201);
});

test.each([
  ['weakuser', 'weakuserweakuser', true],
  ['weakuser', 'WeakUser1234', true],
  ['olga', 'olga-olga-olga', true],
  ['olga', 'volga river boat', false],
  ['olga', 'short', false],
  ['al', 'al is a user and al', false],
  ['olga', 'correct horse battery', false],
])('of %s, the password %s is little more than the name: %s', (name, password, says) => {
  expect(isNameOf(password, name)).toBe(says);
});

test('the name is no password, in whatever way it is written', async () => {
  expect(await add('The Night Shift', 'the night shift ')).toMatchObject({
    status: 422,
    body: { detail: 'password must not be little more than the user name.' },
  });
  const { body: user } = await add('The Night Shift');
  const change = await send('PATCH', `/users/${user.id}`, { password: 'THE NIGHT SHIFT' });
  expect(change).toMatchObject({
    status: 422,
    body: { detail: 'password must not be little more than the user name.' },
  });
  expect((await send('PATCH', `/users/${user.id}`, { password: 'something else' })).status).toBe(200);
});
