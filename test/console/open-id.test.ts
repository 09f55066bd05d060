import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rightsOf } from '../../src/console/access/open-id.ts';
import type { ConsoleApp } from '../../src/console/console-app.ts';
import { createConsole } from '../../src/console/create-console.ts';
import { ownHeaders, useConsole } from './use-console.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const use = useConsole();
let provider: Server;
let issuer: string;
let app: ConsoleApp;
/** The provider's claims about the person who signs in, and the parameters of the request. */
let claims: Record<string, unknown>;
let asked: URLSearchParams;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const idToken = (): string => {
  const now = Math.floor(Date.now() / 1000);
  const body = `${part({ alg: 'RS256', kid: 'k' })}.${part({ iss: issuer, aud: 'console', iat: now, exp: now + 60, ...claims })}`;
  return `${body}.${sign('RSA-SHA256', Buffer.from(body), privateKey).toString('base64url')}`;
};

beforeAll(async () => {
  provider = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/keys') {
      return response.end(
        JSON.stringify({
          keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig', alg: 'RS256' }],
        }),
      );
    }
    if (request.url === '/token') {
      const body = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
      // As a provider must, check that the verifier matches the challenge of this sign-in.
      const challenge = createHash('sha256').update(body.get('code_verifier')!).digest('base64url');
      if (challenge !== asked.get('code_challenge')) response.statusCode = 400;
      return response.end(JSON.stringify({ access_token: 'a', token_type: 'bearer', id_token: idToken() }));
    }
    return response.end(
      JSON.stringify({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        scopes_supported: ['openid', 'groups'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      }),
    );
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => provider.once('listening', resolve));
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const openId = {
    issuer,
    clientId: 'console',
    clientSecretEnv: undefined,
    clientSecret: 'secret',
    name: 'the company',
    groupsClaim: 'groups',
    groups: { ops: { role: 'operator' as const, accounts: ['north'] }, bosses: { role: 'admin' as const } },
  };
  const settings = { ...use.deps.settings, openId, publicUrl: 'http://localhost:8490' };
  app = (await createConsole({ ...use.deps, settings })).app;
});
afterAll(async () => {
  await app.close();
  provider.close();
});

/** Signs in at the provider as a person with these claims; returns the answer to the last redirect. */
const signIn = async (person: Record<string, unknown>, change: { state?: string; nonce?: string } = {}) => {
  const started = await app.inject({ url: '/api/v1/sign-in/openid', headers: ownHeaders });
  asked = new URL(started.headers.location!).searchParams;
  claims = { nonce: change.nonce ?? asked.get('nonce'), ...person };
  const [cookie] = started.cookies;
  return app.inject({
    url: `/api/v1/sign-in/openid/callback?code=c&state=${change.state ?? asked.get('state')}`,
    headers: {
      host: ownHeaders.host,
      cookie: `${cookie!.name}=${cookie!.value}`,
      // A redirect from the provider's page.
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    },
  });
};
const me = async (answer: Awaited<ReturnType<typeof signIn>>) => {
  const session = answer.cookies.find(({ name }) => name === 'cartwright')!;
  const headers = { ...ownHeaders, cookie: `cartwright=${session.value}` };
  return (await app.inject({ url: '/api/v1/me', headers })).json();
};

test('a person of the provider signs in with the role of their groups, which may change', async () => {
  const person = { sub: '17', preferred_username: 'ada' };
  const first = await signIn({ ...person, groups: ['ops', 'others'] });
  expect(first.headers.location).toBe('/');
  expect(await me(first)).toMatchObject({
    name: 'ada',
    role: 'operator',
    accounts: ['north'],
    hasPassword: false,
  });
  const second = await signIn({ ...person, groups: ['ops', 'bosses'] });
  expect(await me(second)).toMatchObject({ name: 'ada', role: 'admin', accounts: 'all' });
});

test('who has no group with a role, or an answer of another sign-in, gets no session', async () => {
  const person = { sub: '18', preferred_username: 'eve', groups: ['ops'] };
  const refused = [
    await signIn({ ...person, groups: ['others'] }),
    await signIn({ sub: '18', preferred_username: 'eve' }),
    await signIn(person, { state: 'another' }),
    await signIn(person, { nonce: 'another' }),
    // Another person with the name of a known user.
    await signIn({ ...person, preferred_username: 'ADA' }),
  ];
  expect(refused.map(({ statusCode }) => statusCode)).toEqual([403, 403, 400, 400, 403]);
  for (const { cookies } of refused) expect(cookies.map(({ name }) => name)).not.toContain('cartwright');
});

test('several groups give the highest role, with the accounts of all groups that give it', () => {
  const groups = {
    north: { role: 'operator' as const, accounts: ['north'] },
    south: { role: 'operator' as const, accounts: ['south'] },
    see: { role: 'viewer' as const },
  };
  expect(rightsOf(['see', 'north', 'south'], groups)).toEqual({
    role: 'operator',
    accounts: ['north', 'south'],
  });
  expect(rightsOf('see', groups)).toEqual({ role: 'viewer', accounts: null });
  expect(rightsOf(['toString'], groups)).toBeUndefined();
});
