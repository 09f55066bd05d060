import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PoObject } from '../../src/contract/orders.ts';
import { createTestDatabase } from '../support/database.ts';
import type { Quantities } from '../support/judge.ts';
import { realFiles } from '../support/real-files.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { createSystem, type System, startService, until } from '../support/run-system.ts';
import { isWhole } from '../support/whole-proof.ts';

const file = fileURLToPath(new URL('sap-shine/purchaseOrderItem.csv', realFiles));
const fields: Record<string, string> = {
  PURCHASEORDERID: 'po_number',
  'PRODUCT.PRODUCTID': 'item_sku',
  QUANTITY: 'quantity',
};

const present = existsSync(file);
if (!present && process.env.CI) throw new Error(`CI must have somebody else's file at ${file}`);

const add = (to: Record<string, Quantities>, poNumber: string, sku: string, quantity: number) => {
  to[poNumber] ??= {};
  const quantities = to[poNumber];
  quantities[sku] = (quantities[sku] ?? 0) + quantity;
};

/** The file's POs, read with csv-parse and not with Cartwright's reader. */
const askedOf = (content: string) => {
  const rows = parse(content, { columns: true, bom: true }) as Record<string, string>[];
  const asked: Record<string, Quantities> = {};
  for (const row of rows) {
    add(asked, row.PURCHASEORDERID!, row['PRODUCT.PRODUCTID']!, Number(row.QUANTITY));
  }
  return { rows: rows.length, asked };
};

/** The mapping by somebody who knows the file; the other columns do not affect orders. */
const columnsOf = (content: string) => {
  const [header] = parse(content, { bom: true, to: 1 }) as string[][];
  return Object.fromEntries(header!.map((name) => [name, fields[name] ?? 'ignore']));
};

/** The orders, according to the service. */
const orderedAt = async (url: string) => {
  const answer = await fetch(`${url}/orders?from_date=20000101&to_date=20991231`);
  expect(answer.status).toBe(200);
  const ordered: Record<string, Quantities> = {};
  let orders = 0;
  for (const po of (await answer.json()) as PoObject[]) {
    for (const detail of po.order_details) {
      orders += 1;
      for (const item of detail.items) {
        add(ordered, po.po_number, item.sku, item.order_quantity);
      }
    }
  }
  return { orders, ordered };
};

/** The number of rows in the result file, and of those that show their PO as ordered. */
const answeredRows = async (system: System) => {
  const written = `select result_path as path from imports where not result_due and result_written_at is not null`;
  await until(async () => (await system.ledger.query(written)).rows.length === 1);
  const { path } = (await system.ledger.query(written)).rows[0];
  const content = readFileSync(join(system.config.accounts[0]!.folder, path), 'utf8');
  const rows = parse(content, { columns: true, bom: true }) as Record<string, string>[];
  const answered = rows.filter(
    (row) => row['Cartwright: PO state'] === 'ordered' && row['Cartwright: order number'] !== '',
  );
  return { rows: rows.length, answered: answered.length };
};

const place = async (redisUrl: string | undefined) => {
  const [ledger, served] = [await createTestDatabase(), await createTestDatabase()];
  const service = await startService(served.url);
  const content = readFileSync(file, 'utf8');
  const columns = columnsOf(content);
  const system = await createSystem({
    ledgerUrl: ledger.url,
    redisUrl,
    accounts: { default: { baseUrl: service.url, inFlight: 32, intake: { columns } } },
    worker: { leaseMs: 60_000, placesAtOnce: 32 },
  });
  try {
    const { rows, asked } = askedOf(content);
    expect([rows, Object.keys(asked).length]).toEqual([5880, 1000]);
    await system.work();
    await system.drop('default', 'purchaseOrderItem.csv', content);
    await system.settled(1);
    const { orders, ordered } = await orderedAt(service.url);
    expect(ordered).toEqual(asked);
    expect(orders).toBe(1000);
    expect(await answeredRows(system)).toEqual({ rows: 5880, answered: 5880 });
  } finally {
    await system.stop();
    await service.stop();
    await Promise.all([ledger.drop(), served.drop()]);
  }
};

describe.skipIf(!present)('a real file of 1,000 purchase orders from another system', () => {
  let redis: TestRedis | undefined;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());

  it(
    'becomes 1,000 orders with exactly its quantities, with the queue on Postgres',
    () => place(undefined),
    300_000,
  );

  if (!isWhole) return;
  it('becomes 1,000 orders with exactly its quantities, with the queue on Redis', async (test) => {
    if (!redis) return test.skip('this machine has no redis-server');
    await place(redis.url);
  }, 300_000);
});
