import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConsoleSettings } from '../../src/config/config.ts';
import { hashPassword } from '../../src/console/access/secrets.ts';
import { createConsole } from '../../src/console/create-console.ts';
import { listenConsole } from '../../src/console/listen-console.ts';
import { addUser } from '../../src/ledger/console/users.ts';
import { makeCertificates } from '../support/certificates.ts';
import { useConsole } from './use-console.ts';

const use = useConsole();
const folder = mkdtempSync(join(tmpdir(), 'cartwright-tls-'));
const password = 'correct horse battery';
const signIn = { method: 'POST', url: '/api/v1/sign-in', payload: { name: 'ada', password } } as const;
const hasOpenssl = !spawnSync('openssl', ['version']).error;
if (!hasOpenssl && process.env.CI) throw new Error('openssl is not installed; CI must have it');

beforeAll(async () => {
  const user = {
    name: 'ada',
    role: 'admin',
    accounts: null,
    password: await hashPassword(password),
  } as const;
  await addUser(use.deps.pool, user, { who: 'test', via: 'command line' });
});
afterAll(() => rm(folder, { recursive: true }));

/** One request over TLS that trusts only this authority. */
const overTls = (url: string, ca: Buffer, method = 'GET', body = '') =>
  new Promise<{ status: number; cookies: string[]; text: string }>((resolve, reject) => {
    const headers = { 'x-cartwright': '1', 'content-type': 'application/json' };
    request(url, { ca, method, headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () =>
        resolve({ status: answer.statusCode!, cookies: answer.headers['set-cookie'] ?? [], text }),
      );
    })
      .on('error', reject)
      .end(body);
  });

test.skipIf(!hasOpenssl)(
  'with a certificate of its own it speaks TLS only, and its cookie needs it',
  async () => {
    const { ca, certificate, key } = await makeCertificates(folder);
    const settings = { ...use.deps.settings, tls: { cert: certificate, key } };
    const console = await listenConsole({ ...use.deps, settings });
    try {
      expect(console.url).toMatch(/^https:/);
      const authority = await readFile(ca);
      expect((await overTls(`${console.url}/healthz`, authority)).status).toBe(200);
      const body = JSON.stringify(signIn.payload);
      const { status, cookies } = await overTls(`${console.url}${signIn.url}`, authority, 'POST', body);
      expect([status, cookies[0]]).toEqual([200, expect.stringMatching(/^__Host-cartwright=.*; Secure/)]);
      await expect(fetch(`${console.url.replace('https:', 'http:')}/healthz`)).rejects.toThrow();
    } finally {
      await console.stop();
    }
  },
);

test('behind a proxy it believes the proxy, and nobody else, who is asking and under which name', async () => {
  const proxied: Partial<ConsoleSettings> = {
    trustProxy: ['10.0.0.2'],
    publicUrl: 'https://orders.example.com',
  };
  const { app } = await createConsole({ ...use.deps, settings: { ...use.deps.settings, ...proxied } });
  const headers = {
    host: '10.0.0.1:8490',
    'x-cartwright': '1',
    'x-forwarded-for': '203.0.113.9',
    'x-forwarded-host': 'orders.example.com',
    'x-forwarded-proto': 'https',
    origin: 'https://orders.example.com',
  };
  const throughProxy = await app.inject({ ...signIn, headers, remoteAddress: '10.0.0.2' });
  expect(throughProxy.statusCode, throughProxy.body).toBe(200);
  expect(throughProxy.headers['set-cookie']).toMatch(/^__Host-cartwright=.*; Secure/);
  // The same header from another machine is not trusted.
  const direct = await app.inject({ ...signIn, headers, remoteAddress: '10.0.0.9' });
  expect([direct.statusCode, direct.json().code]).toEqual([403, 'foreign_site']);
  const named = { ...headers, host: 'orders.example.com' };
  const wrong = { ...signIn, payload: { name: 'ada', password: 'wrong' } };
  expect((await app.inject({ ...wrong, headers: named, remoteAddress: '10.0.0.9' })).statusCode).toBe(401);
  const { rows } = await use.deps.pool.query(
    `select action, coalesce(detail->>'address', (select address from console_sessions order by used_at desc limit 1)) as address
     from operator_actions where action in ('sign_in', 'sign_in_failed') order by id desc limit 2`,
  );
  expect(rows).toEqual([
    { action: 'sign_in_failed', address: '10.0.0.9' },
    { action: 'sign_in', address: '203.0.113.9' },
  ]);
  await app.close();
});
