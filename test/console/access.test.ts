import type { HTTPMethods } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { insertImport, insertPurchaseOrder } from '../support/ledger-rows.ts';
import { ownHeaders, useConsole } from './use-console.ts';

interface Operation {
  method: string;
  url: string;
  needs: 'nothing' | 'view' | 'act' | 'admin';
}

const use = useConsole();
let operations: Operation[];
let as: Record<'viewer' | 'operator' | 'admin' | 'north' | 'expired' | 'wrongToken', Record<string, string>>;
let south: { importId: string; purchaseOrderId: string };

const filled = (url: string): string =>
  url.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (/account/i.test(name) || url.startsWith('/api/v1/accounts/')) return 'south';
    if (url.startsWith('/api/v1/imports/')) return south.importId;
    return url.startsWith('/api/v1/purchase-orders/') ? south.purchaseOrderId : '1';
  });

const ask = async ({ method, url }: Operation, headers: Record<string, string>) => {
  const answer = await use.app.inject({
    method: method.toUpperCase() as HTTPMethods,
    url: filled(url),
    headers,
  });
  return { status: answer.statusCode, code: answer.body.startsWith('{') ? answer.json().code : undefined };
};

/** The answers in a case, for each of its operations by method and path. */
const answers = async (
  chosen: (operation: Operation) => boolean,
  headers: Record<string, string>,
): Promise<Record<string, string>> => {
  const found: Record<string, string> = {};
  for (const operation of operations.filter(chosen)) {
    const { status, code } = await ask(operation, headers);
    found[`${operation.method} ${operation.url}`] = `${status} ${code}`;
  }
  return found;
};
const all = (found: Record<string, string>, expected: string) => {
  expect(Object.keys(found).length).toBeGreaterThan(0);
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((key) => [key, expected])));
};

beforeAll(async () => {
  const document = use.app.swagger() as unknown as {
    paths: Record<string, Record<string, { 'x-needs': Operation['needs'] }>>;
  };
  operations = Object.entries(document.paths).flatMap(([url, methods]) =>
    Object.entries(methods).map(([method, { 'x-needs': needs }]) => ({ method, url, needs })),
  );
  const importId = await insertImport(use.deps.pool, { account: 'south' });
  const purchaseOrderId = await insertPurchaseOrder(use.deps.pool, importId, 'S-1', {
    account: 'south',
    state: 'held',
  });
  south = { importId, purchaseOrderId };
  as = {
    viewer: await use.signedIn('viewer'),
    operator: await use.signedIn('operator'),
    admin: await use.signedIn('admin'),
    north: await use.signedIn('operator', ['north']),
    expired: await use.signedIn('admin'),
    wrongToken: { host: ownHeaders.host, authorization: 'Bearer cartwright_guessed' },
  };
  const { cookie } = as.expired;
  const { hashSecret } = await import('../../src/console/access/secrets.ts');
  await use.deps.pool.query(
    `update console_sessions set used_at = used_at - interval '2 hours' where token_hash = $1`,
    [hashSecret(cookie!.split('=')[1]!)],
  );
});

const guarded = ({ needs }: Operation) => needs !== 'nothing';
const changing = ({ method }: Operation) => method !== 'get';

describe('every route of the API', () => {
  test('is known, and those that need nobody are only the ones that sign in', () => {
    expect(operations.length).toBeGreaterThan(15);
    expect(
      operations.filter(({ needs }) => needs === 'nothing').map(({ method, url }) => `${method} ${url}`),
    ).toEqual(['get /api/v1/sign-in', 'post /api/v1/sign-in', 'post /api/v1/set-up']);
  });

  test('needs a session', async () => {
    all(await answers(guarded, ownHeaders), '401 unauthenticated');
  });
  test('does not accept a session that has ended', async () => {
    all(await answers(guarded, as.expired), '401 unauthenticated');
  });
  test('does not accept a wrong token, nor a session besides one', async () => {
    all(await answers(guarded, as.wrongToken), '401 unauthenticated');
    all(await answers(guarded, { ...as.admin, ...as.wrongToken }), '401 unauthenticated');
  });
  test('refuses another host and another origin, whoever asks', async () => {
    all(await answers(() => true, { ...as.admin, host: 'evil.example.com' }), '403 foreign_site');
    all(await answers(() => true, { ...as.admin, origin: 'https://evil.example.com' }), '403 foreign_site');
    all(await answers(() => true, { ...as.admin, 'sec-fetch-site': 'cross-site' }), '403 foreign_site');
  });
  test('changes nothing without the header', async () => {
    const { 'x-cartwright': _, ...headers } = as.admin;
    all(await answers(changing, headers), '403 header_missing');
  });
  test('does not let a viewer act, nor anybody but an admin manage', async () => {
    all(await answers(({ needs }) => needs === 'admin', as.viewer), '403 forbidden');
    all(await answers(({ needs }) => needs === 'admin', as.operator), '403 forbidden');
    if (operations.some(({ needs }) => needs === 'act')) {
      all(await answers(({ needs }) => needs === 'act', as.viewer), '403 forbidden');
    }
  });
  test('answers a viewer where viewing is enough', async () => {
    const found = await answers(
      ({ needs, method, url }) =>
        needs === 'view' && method === 'get' && !url.includes('{') && !url.endsWith('/events'),
      as.viewer,
    );
    for (const [operation, answer] of Object.entries(found)) expect(answer, operation).toMatch(/^(200|422) /);
  });
  test('does not know an object of another account', async () => {
    const ofObjects = ({ url }: Operation) =>
      /^\/api\/v1\/(?:purchase-orders|imports|accounts)\/\{/.test(url);
    const found = await answers(ofObjects, as.north);
    for (const [operation, answer] of Object.entries(found)) expect(answer, operation).toMatch(/^(404|422) /);
  });
  test('does not say without a session which addresses exist', async () => {
    const unknown = await use.app.inject({ url: '/api/v1/nothing', headers: ownHeaders });
    expect(unknown.statusCode).toBe(401);
    const known = await use.app.inject({ url: '/api/v1/nothing', headers: as.viewer });
    expect(known.statusCode).toBe(404);
  });
});

test('pages may run only their own scripts and styles, and no page may contain them', async () => {
  const { headers } = await use.app.inject({ url: '/', headers: ownHeaders });
  expect(headers['content-security-policy']).toContain("script-src 'self';");
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers['content-security-policy']).not.toContain('unsafe');
  expect(headers['x-content-type-options']).toBe('nosniff');
});

test('the queues page is for admins, and it changes nothing for another site', async () => {
  const page = async (headers: Record<string, string>, method: HTTPMethods = 'GET') =>
    (await use.app.inject({ method, url: '/queues', headers })).statusCode;
  const { 'x-cartwright': _, ...browser } = as.admin;
  expect(await page(ownHeaders)).toBe(401);
  expect(await page(as.viewer)).toBe(403);
  expect(await page(as.operator)).toBe(403);
  expect(await page(browser)).toBe(200);
});

test.each(['/queues', '/api/docs'])(
  'who may not open %s in a browser reads a page, and a program gets a problem',
  async (url) => {
    const strangers = { ...ownHeaders, cookie: 'cartwright=<script>' };
    for (const headers of url === '/queues' ? [as.viewer, strangers] : [strangers]) {
      const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
      const page = await use.app.inject({ url, headers: { ...headers, accept } });
      expect([401, 403]).toContain(page.statusCode);
      expect(page.headers['content-type']).toContain('text/html');
      expect(page.body).toMatch(/<h1>.*<\/h1><p>.*\.<\/p>.*Open the console/s);
      expect(page.body).not.toMatch(/^\{|<script|style/);
      const problem = await use.app.inject({ url, headers });
      expect(problem.headers['content-type']).toContain('application/problem+json');
    }
  },
);

test('settings are shown to admins as people write them, without secrets', async () => {
  const answer = await use.app.inject({ url: '/api/v1/settings', headers: as.admin });
  expect(answer.json().items).toEqual(
    expect.arrayContaining([
      { name: 'worker.lease', value: '60s' },
      { name: 'console.session.idle', value: '8h' },
      { name: 'accounts.default.inFlight', value: '16' },
    ]),
  );
});
