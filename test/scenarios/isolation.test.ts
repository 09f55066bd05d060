import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { createTestDatabase } from '../support/database.ts';
import { createSystem, fileOf, type System, somePos, startService, until } from '../support/run-system.ts';

type Manner = 'works' | 'hangs' | 'resets' | 'answers 500' | 'limits';

/** A proxy in front of the service that can misbehave, and that counts the calls in flight. */
const startProxy = async (target: string) => {
  let manner: Manner = 'works';
  let running = 0;
  let most = 0;
  let calls = 0;
  let delayMs = 0;
  const sockets = new Set<Socket>();
  const hanging = new Set<http.ServerResponse>();
  const server = http.createServer((request, response) => {
    running += 1;
    calls += 1;
    most = Math.max(most, running);
    response.once('close', () => {
      running -= 1;
    });
    if (manner === 'hangs') return void hanging.add(response);
    if (manner === 'resets') return void request.socket.destroy();
    if (manner === 'answers 500') return void response.writeHead(500).end('{}');
    if (manner === 'limits') return void response.writeHead(429, { 'retry-after': '1' }).end('{}');
    const forward = () => {
      const { method, headers } = request;
      const onward = http.request(new URL(request.url!, target), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      request.pipe(onward);
    };
    setTimeout(forward, delayMs);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behave: (next: Manner) => {
      manner = next;
      for (const response of hanging) response.destroy();
      hanging.clear();
    },
    delay: (ms: number) => {
      delayMs = ms;
    },
    calls: () => calls,
    most: () => most,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

let ledger: Awaited<ReturnType<typeof createTestDatabase>>;
let served: Awaited<ReturnType<typeof createTestDatabase>>;
let service: ListeningService;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let system: System | undefined;
beforeEach(async () => {
  [ledger, served] = [await createTestDatabase(), await createTestDatabase()];
  service = await startService(served.url, {
    dealers: ['good', 'bad'].map((name) => ({ name, token: name })),
  });
  proxy = await startProxy(service.url);
});
afterEach(async () => {
  await system?.stop();
  await proxy.stop();
  await service.stop();
  await Promise.all([ledger.drop(), served.drop()]);
});

const start = async (bad: Record<string, unknown> = {}) => {
  system = await createSystem({
    ledgerUrl: ledger.url,
    accounts: {
      good: { baseUrl: service.url, token: 'good' },
      bad: { baseUrl: proxy.url, token: 'bad', requestTimeout: '1s', inFlight: 4, ...bad },
    },
  });
  return system;
};
const count = async (account: string, state: string) => {
  const { rows } = await system!.ledger.query(
    'select count(*)::int as n from purchase_orders where account = $1 and state = $2',
    [account, state],
  );
  return rows[0].n;
};
const jobsOf = async (account: string) => {
  const { rows } = await system!.ledger.query(
    `select count(*)::int as n from purchase_orders where account = $1 and dispatch <> 'backlog'
       and state in ('ready', 'cart_created', 'items_added', 'submitting', 'verifying')`,
    [account],
  );
  return rows[0].n;
};

describe('an account whose service', () => {
  test.each([
    { manner: 'hangs', code: 'not_answering' },
    { manner: 'resets', code: 'not_answering' },
    { manner: 'answers 500', code: 'not_answering' },
    { manner: 'limits', code: 'rate_limited' },
  ] as const)(
    '$manner stops no other one, pauses with one PO that tries, and goes on when it works again',
    async ({ manner, code }) => {
      const { drop, work, ledger: rows } = await start();
      proxy.behave(manner);
      await work();
      await drop('bad', 'bad.csv', fileOf(somePos('B-', 60)));
      await until(async () => {
        const found = await rows.query(`select pause_code from account_states where account = 'bad'`);
        return found.rows[0]?.pause_code === code && (await jobsOf('bad')) === 1;
      });
      await drop('good', 'good.csv', fileOf(somePos('G-', 10)));
      await until(async () => (await count('good', 'ordered')) === 10);
      expect(await count('bad', 'ordered')).toBe(0);
      // While it is paused, only single probing calls are sent.
      const before = proxy.calls();
      await until(async () => proxy.calls() > before);
      expect(proxy.calls() - before).toBeLessThanOrEqual(3);

      proxy.behave('works');
      await until(async () => (await count('bad', 'ordered')) === 60);
      const { rows: orders } = await rows.query(
        `select count(*)::int as n, count(distinct po_number)::int as pos from orders where account = 'bad'`,
      );
      expect(orders[0]).toEqual({ n: 60, pos: 60 });
    },
  );
});

describe('a limit of two calls in flight', () => {
  test('is never exceeded at the service by three processes, and all POs are ordered', async () => {
    const { drop, spawn } = await start({ inFlight: 2 });
    proxy.delay(20);
    const workers = await Promise.all([1, 2, 3].map(() => spawn()));
    await drop('bad', 'bad.csv', fileOf(somePos('B-', 40)));
    await until(async () => (await count('bad', 'ordered')) === 40);
    expect(proxy.most()).toBe(2);
    for (const worker of workers) await worker.kill();
  });
});
