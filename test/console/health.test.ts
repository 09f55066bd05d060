import { expect, test } from 'vitest';
import { createConsole } from '../../src/console/create-console.ts';
import { ownHeaders, useConsole } from './use-console.ts';

const use = useConsole();

test('on this machine health, readiness and metrics need no sign-in', async () => {
  for (const url of ['/healthz', '/readyz', '/metrics'])
    expect((await use.app.inject({ url, headers: ownHeaders })).statusCode, url).toBe(200);
  const foreign = await use.app.inject({ url: '/metrics', headers: { host: 'rebound.example.com' } });
  expect(foreign.statusCode).toBe(403);
  const probe = await use.app.inject({ url: '/readyz', headers: { host: '10.0.0.7' } });
  expect(probe.statusCode).toBe(200);
});

test('elsewhere and behind a proxy, the metrics need a token for all accounts', async () => {
  const publicUrl = 'https://orders.example.com';
  for (const settings of [
    { host: '0.0.0.0', publicUrl, trustProxy: ['10.0.0.2'] },
    // The proxy is on this machine, from which all of its requests come.
    { host: '127.0.0.1', publicUrl },
  ]) {
    const { app } = await createConsole({ ...use.deps, settings: { ...use.deps.settings, ...settings } });
    const statusWith = async (headers: Record<string, string>) =>
      (await app.inject({ url: '/metrics', headers: { host: 'orders.example.com', ...headers } })).statusCode;
    expect(await statusWith({})).toBe(401);
    const { authorization } = await use.withToken('viewer');
    expect(await statusWith({ authorization })).toBe(200);
    const ofOne = await use.withToken('viewer', ['north']);
    expect(await statusWith({ authorization: ofOne.authorization })).toBe(403);
    expect((await app.inject({ url: '/readyz', headers: { host: '10.0.0.7' } })).statusCode).toBe(200);
    await app.close();
  }
});

test('a process that is not ready answers 503', async () => {
  const { app } = await createConsole({
    ...use.deps,
    health: { ...use.deps.health, readiness: async () => ({ ready: false }) },
  });
  const answer = await app.inject({ url: '/readyz', headers: ownHeaders });
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toEqual({ ready: false });
  await app.close();
});
