// A script written in an hour: places the POs of a purchase file with csv-parse and got, which retries every call up to three
// times, 16 POs at a time. It logs and skips a PO that fails, and records ordered POs for the next start.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { parse } from 'csv-parse/sync';
import { got } from 'got';

const [file, baseUrl, timeoutMs, doneFile] = process.argv.slice(2) as [string, string, string, string];
const atOnce = 16;

interface Row {
  po_number: string;
  item_sku: string;
  quantity: string;
}

const client = got.extend({
  prefixUrl: baseUrl,
  agent: { http: new http.Agent({ keepAlive: true }) },
  timeout: { request: Number(timeoutMs) },
  retry: { limit: 3, methods: ['GET', 'POST'] },
});

const placePurchaseOrder = async (po: string, rows: readonly Row[]): Promise<void> => {
  await client.post('carts', { json: { po_number: po } }).json();
  for (const { item_sku, quantity } of rows) {
    await client.post(`carts/${po}/items`, { json: { item_sku, quantity: Number(quantity) } }).json();
  }
  await client.post('orders', { json: { po_number: po } }).json();
};

/** Runs at most `limit` of the functions at the same time, as p-limit does. */
const runLimited = async (limit: number, work: readonly (() => Promise<void>)[]): Promise<void> => {
  const left = [...work];
  const runner = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) await next();
  };
  await Promise.all(Array.from({ length: limit }, runner));
};

const byPo = new Map<string, Row[]>();
for (const row of parse(readFileSync(file), { columns: true }) as Row[]) {
  byPo.set(row.po_number, [...(byPo.get(row.po_number) ?? []), row]);
}
const done = new Set(existsSync(doneFile) ? readFileSync(doneFile, 'utf8').split('\n') : []);
const todo = [...byPo].filter(([po]) => !done.has(po));
await runLimited(
  atOnce,
  todo.map(([po, rows]) => async () => {
    try {
      await placePurchaseOrder(po, rows);
      appendFileSync(doneFile, `${po}\n`);
    } catch (error) {
      process.stdout.write(`${po}: ${(error as Error).message}\n`);
    }
  }),
);
process.exit(0);
