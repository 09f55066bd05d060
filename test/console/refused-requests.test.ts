import { expect, test } from 'vitest';
import { useConsole } from './use-console.ts';

const use = useConsole();

const ask = async (method: 'GET' | 'POST' | 'PATCH' | 'PUT', path: string, payload?: object) => {
  const headers = await use.withToken('admin');
  const url = `/api/v1${path}`;
  const answer = await use.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return { ...answer.json(), status: answer.statusCode } as {
    status: number;
    detail: string;
    errors: { field: string }[];
  };
};

interface Route {
  parameters?: { in: string; name: string; required?: boolean }[];
}

test('no list takes a misspelt filter for none', async () => {
  const document = (await ask('GET', '/openapi.json')) as unknown as {
    paths: Record<string, { get?: Route }>;
  };
  const filtered = Object.entries(document.paths).filter(([, { get }]) =>
    get?.parameters?.some((parameter) => parameter.in === 'query'),
  );
  expect(filtered.length).toBeGreaterThan(8);
  for (const [path] of filtered) {
    const at = path
      .replace('/api/v1', '')
      .replace('{id}', '1')
      .replace('{account}', 'default')
      .replace('{kind}', 'result');
    const answer = await ask('GET', `${at}?accuont=north`);
    expect({ path, ...answer }).toMatchObject({ path, status: 422 });
    expect(answer.detail).toMatch(/^accuont is not a parameter here; there are [\w, ]+\./);
  }
});

test.each([
  ['GET', '/search', undefined, 'q is missing; it must be text.'],
  ['GET', '/purchase-orders?limit=abc', undefined, 'limit must be a number.'],
  ['GET', '/purchase-orders?limit=999', undefined, 'limit must be at most 200.'],
  ['GET', '/purchase-orders?changedBefore=noon', undefined, 'changedBefore must be a time such as '],
  ['GET', '/imports?from=2026-02-30T00:00:00Z', undefined, 'from must be a time such as '],
  ['GET', '/imports?from=0000-01-01T00:00:00Z', undefined, 'from must be a time such as '],
  ['GET', '/purchase-orders?changedAfter=0000-01-01T00:00:00Z', undefined, 'changedAfter must be a time'],
  ['GET', '/activity?until=0000-01-01T00:00:00Z', undefined, 'until must be a time such as '],
  ['GET', '/reports?from=0001-01-01T00:00:00%2B14:00', undefined, 'from must be a time such as '],
  [
    'POST',
    '/bulk/count',
    { action: 'release', filter: { changedBefore: '0000-01-01T00:00:00Z' } },
    'filter.changedBefore must be a time such as ',
  ],
  [
    'POST',
    '/purchase-orders/actions',
    { action: 'release', items: [{ id: '1', changedAt: 'garbage' }] },
    'items.0.changedAt must be a time such as ',
  ],
  ['GET', '/reports?to=banana', undefined, 'to must be a time such as '],
  ['GET', '/orders?orderedTo=banana', undefined, 'orderedTo must be a day such as 2026-11-26'],
  ['GET', '/orders?orderedTo=2026-02-30', undefined, 'orderedTo must be a day such as 2026-11-26'],
  ['GET', '/orders?cursor=1', undefined, 'The cursor is not one that the console gave.'],
  [
    'GET',
    '/orders?sort=total&cursor=2026-11-26~1',
    undefined,
    'The cursor is not one that the console gave.',
  ],
  ['GET', '/orders?cursor=2026-13-26~1', undefined, 'The cursor is not one that the console gave.'],
  ['GET', '/orders?sort=size', undefined, 'sort '],
  ['GET', '/purchase-orders/abc', undefined, 'id must be an ID: up to 18 digits.'],
  ['GET', '/uploads/1', undefined, 'id must be a UUID.'],
  ['PUT', '/me/password', {}, 'current is missing; it must be text.'],
  ['POST', '/reports', {}, 'The request must be an object with account or importId'],
  ['POST', '/bulk/count', { action: 'release', filter: { imprt: '1' } }, 'filter.imprt is not a field.'],
  [
    'POST',
    '/tokens',
    { name: 'x', role: 'god', accounts: 'all' },
    'role must be one of viewer, operator, admin.',
  ],
  [
    'POST',
    '/tokens',
    { name: 'x', role: 'viewer', accounts: ['noth'] },
    'There is no account noth. There are default.',
  ],
  ['PATCH', '/users/1', { accounts: 'north' }, 'accounts must be all, or a list.'],
  ['PATCH', '/users/1', { accounts: ['noth'] }, 'There is no account noth.'],
] as const)('%s %s %j is refused in plain words', async (method, path, payload, says) => {
  const { status, detail } = await ask(method, path, payload);
  expect(detail).toContain(says);
  expect(status).toBe(422);
  expect(detail).not.toMatch(/undefined|NaN|Invalid|expected/);
});

test('a request without a body is one that says nothing: it works, or the answer names what is missing', async () => {
  const document = (await ask('GET', '/openapi.json')) as unknown as {
    paths: Record<string, { post?: { requestBody?: { content: object } } }>;
  };
  const withBody = Object.entries(document.paths).flatMap(([path, { post }]) =>
    post?.requestBody && 'application/json' in post.requestBody.content ? [path] : [],
  );
  expect(withBody.length).toBeGreaterThan(20);
  for (const path of withBody) {
    const at = path.replace('/api/v1', '').replaceAll(/\{\w+\}/g, 'none');
    const [nothing, empty] = [await ask('POST', at), await ask('POST', at, {})];
    expect({ path, ...nothing }, path).toMatchObject({ status: empty.status, detail: empty.detail });
  }
});
