import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtProgram } from '../support/built-program.ts';
import { ordersByPo } from '../support/read-audit.ts';
import { expectSound } from './expect-sound.ts';
import { servicesOfTest, type TestServices } from './run-service.ts';

let services: TestServices;
const children = new Set<ReturnType<typeof spawn>>();
beforeAll(async () => {
  services = await servicesOfTest();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await services.end();
});

const startProcess = async () => {
  const child = spawn(process.execPath, [builtProgram('test/service/serve.ts'), services.databaseUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  const exited = once(child, 'exit').finally(() => children.delete(child));
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { url, kill: (signal: NodeJS.Signals) => child.kill(signal), exited };
};

const send = async (url: string, body: object): Promise<number> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.text();
  return response.status;
};
const count = (statuses: number[], status: number) => statuses.filter((one) => one === status).length;

test('from two processes at once: one cart, every item, exactly one order', async () => {
  const both = await Promise.all([startProcess(), startProcess()]);
  const everywhere = <T>(times: number, act: (url: string) => Promise<T>) =>
    Promise.all(Array.from({ length: times }, (_, at) => act(both[at % 2]!.url)));
  for (let at = 0; at < 10; at += 1) {
    const po = `both-${at}`;
    expect(count(await everywhere(4, (url) => send(`${url}/carts`, { po_number: po })), 200)).toBe(1);
    const added = await everywhere(10, (url) =>
      send(`${url}/carts/${po}/items`, { item_sku: 'A', quantity: 1 }),
    );
    expect(count(added, 200)).toBe(10);
    const submitted = await everywhere(6, (url) => send(`${url}/orders`, { po_number: po }));
    expect([count(submitted, 200), count(submitted, 404)]).toEqual([1, 5]);
    expect((await ordersByPo(services.pool)).get(po)?.map((order) => order.quantities)).toEqual([{ A: 10 }]);
  }
  await expectSound(services.pool);
  for (const one of both) one.kill('SIGTERM');
  await expect(Promise.all(both.map((one) => one.exited))).resolves.toEqual([
    [0, null],
    [0, null],
  ]);
});

test('items, deletes, creates and submissions of one PO at once: no half of anything, no order of a deleted cart', async () => {
  const { call } = await services.build({ poolSize: 8 });
  for (let at = 0; at < 15; at += 1) {
    const po = `race-${at}`;
    const again = (times: number, act: () => Promise<unknown>) => Array.from({ length: times }, act);
    await Promise.all([
      ...again(3, () => call('POST', '/carts', { po_number: po })),
      ...again(6, () => call('POST', `/carts/${po}/items`, { item_sku: 'A', quantity: 2 })),
      ...again(2, () => call('POST', '/orders', { po_number: po })),
      ...again(2, () => call('DELETE', `/carts/${po}`)),
      ...again(3, () => call('POST', '/carts', { po_number: po })),
      ...again(3, () => call('POST', '/orders', { po_number: po })),
    ]);
  }
  await expectSound(services.pool);
});

test('killed at any moment: what was answered is there, what was not is whole or absent', async () => {
  const answered: string[] = [];
  let asked = 0;
  for (let life = 0; life < 3; life += 1) {
    const one = await startProcess();
    let alive = true;
    const place = async () => {
      while (alive) {
        const po = `killed-${asked++}`;
        try {
          await send(`${one.url}/carts`, { po_number: po });
          await send(`${one.url}/carts/${po}/items`, { item_sku: po, quantity: 3 });
          if ((await send(`${one.url}/orders`, { po_number: po })) === 200) answered.push(po);
        } catch {
          return; // the process is dead
        }
      }
    };
    const enough = (life + 1) * 40;
    const placing = Array.from({ length: 8 }, place);
    await expect.poll(() => answered.length, { timeout: 30_000, interval: 1 }).toBeGreaterThan(enough);
    one.kill('SIGKILL');
    await one.exited;
    alive = false;
    await Promise.all(placing);
  }
  const { call } = await services.build();
  const judged = await ordersByPo(services.pool);
  for (const po of answered) {
    expect(judged.get(po)?.map((order) => order.quantities)).toEqual([{ [po]: 3 }]);
    expect((await call('GET', `/orders/${po}`)).status).toBe(200);
  }
  await expectSound(services.pool);
});
