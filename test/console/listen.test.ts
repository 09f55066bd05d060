import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { ConsoleSettings } from '../../src/config/config.ts';
import { type ListeningConsole, listenConsole } from '../../src/console/listen-console.ts';
import { ownHeaders, useConsole } from './use-console.ts';

const use = useConsole();
const listen = (settings: Partial<ConsoleSettings>): Promise<ListeningConsole> =>
  listenConsole({ ...use.deps, settings: { ...use.deps.settings, ...settings } });

test('at an address that other machines reach, it needs TLS or a proxy, its name, and a user', async () => {
  const refusals: [Partial<ConsoleSettings>, string][] = [
    [{ host: '0.0.0.0' }, 'console.tls'],
    [{ host: 'orders.example.com' }, 'console.tls'],
    [{ host: '0.0.0.0', trustProxy: ['10.0.0.2'] }, 'console.publicUrl'],
    [
      { host: '0.0.0.0', trustProxy: ['10.0.0.2'], publicUrl: 'https://orders.example.com' },
      'cartwright users add',
    ],
  ];
  for (const [settings, words] of refusals) {
    await expect(listen(settings)).rejects.toMatchObject({
      code: 'console_exposed',
      message: expect.stringContaining(words),
    });
  }
});

test('on a port that another program uses, it takes a free one; the link for the first admin is of this address', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  const console = await listen({ port });
  expect(console.portTaken).toBe(true);
  expect(console.firstLink).toMatch(`${console.url}/set-up#`);
  expect((await fetch(`${console.url}/healthz`)).status).toBe(200);
  await console.stop();
  await console.stop();
  other.close();
});

test('without a built web app, its pages say so in one sentence', async () => {
  const answer = await use.app.inject({ url: '/imports/7', headers: ownHeaders });
  expect(answer.statusCode).toBe(503);
  expect(answer.body).toContain('Run <code>npm run build</code>');
});

const own = 'http://localhost:8490';
test.each([
  { headers: { host: 'rebound.example.com' }, status: 403 },
  { headers: { host: '127.0.0.1.example.com:8490' }, status: 403 },
  { headers: { host: 'localhost:8490', origin: 'https://example.com' }, status: 403 },
  { headers: { host: 'localhost:8490', origin: 'null' }, status: 403 },
  { headers: { host: 'localhost:8490', origin: own }, status: 200 },
  { headers: { host: '[::1]:8490' }, status: 200 },
  // A page of another program on this machine.
  { headers: { host: 'localhost:8490', origin: 'http://localhost:3000' }, status: 403 },
  { headers: { host: 'localhost:8490', origin: 'http://127.0.0.1:8490' }, status: 403 },
  { headers: { host: 'localhost:8490', 'sec-fetch-site': 'same-site' }, status: 403 },
  {
    headers: { host: 'localhost:8490', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    status: 403,
  },
  {
    headers: {
      host: 'localhost:8490',
      'sec-fetch-site': 'same-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'iframe',
    },
    status: 403,
  },
  {
    headers: {
      host: 'localhost:8490',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    },
    status: 200,
  },
  { headers: { host: 'localhost:8490', 'sec-fetch-site': 'none' }, status: 200 },
  { headers: { host: 'localhost:8490', 'sec-fetch-site': 'same-origin' }, status: 200 },
])('answers $headers with $status', async ({ headers, status }) => {
  expect((await use.app.inject({ url: '/api/v1/sign-in', headers })).statusCode).toBe(status);
});
