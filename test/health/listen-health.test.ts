import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createHostCheck } from '../../src/console/access/own-site.ts';
import { createHealth, type HealthParts } from '../../src/health/create-health.ts';
import { type ListenHealthOptions, listenHealth } from '../../src/health/listen-health.ts';
import { silentLogger } from '../../src/logger.ts';
import { healthParts } from './health-parts.ts';

const listen = async (options: Partial<ListenHealthOptions> = {}, parts: Partial<HealthParts> = {}) => {
  const listening = await listenHealth(createHealth(healthParts(parts)), {
    host: '127.0.0.1',
    port: 0,
    isLocal: true,
    isOwnHost: createHostCheck(undefined),
    isTokenValid: async (token) => token === 'good',
    logger: silentLogger,
    ...options,
  });
  onTestFinished(() => listening.stop());
  return listening;
};

test('on this machine health, readiness and metrics are open', async () => {
  const { url } = await listen();
  expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' });
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  const metrics = await fetch(`${url}/metrics`);
  expect(metrics.headers.get('content-type')).toContain('version=0.0.4');
  expect(await metrics.text()).toContain('cartwright_build_info');
  expect((await fetch(`${url}/other`)).status).toBe(404);
  expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(405);
});

test('a process that does not reach the ledger is alive and not ready', async () => {
  const { url } = await listen({}, { pingLedger: () => Promise.reject(new Error('down')) });
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const ready = await fetch(`${url}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ ready: false, ledger: 'down', queue: 'ok' });
});

test('where other machines reach it, the metrics need a token; the probes do not', async () => {
  const { url } = await listen({ isLocal: false });
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect((await fetch(`${url}/metrics`)).status).toBe(401);
  for (const [token, status] of [
    ['good', 200],
    ['bad', 401],
  ] as const) {
    const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(status);
  }
});

test('a web page cannot read the metrics under a name of its own', async () => {
  const asked: (string | undefined)[] = [];
  const { url } = await listen({
    isOwnHost: (host) => {
      asked.push(host);
      return false;
    },
  });
  expect((await fetch(`${url}/metrics`)).status).toBe(403);
  expect(asked).toEqual([new URL(url).host]);
});

test('a port that is taken is refused: on another one nobody would ask', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  for (const isLocal of [true, false])
    await expect(listen({ port, isLocal })).rejects.toMatchObject({
      code: 'port_taken',
      message: expect.stringContaining('Set health.port'),
    });
});
