import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ended, runCli } from './run-cli.ts';

const expectedFolder = fileURLToPath(new URL('../../samples/expected/', import.meta.url));

interface ExpectedFile {
  file: string;
  account: string;
  purchaseOrders: unknown[];
}

/** A PO in the form of `samples/expected`, from the demo's JSON output. */
// biome-ignore lint/suspicious/noExplicitAny: the test checks the shape of the answer.
const asExpected = (po: any) => {
  const amount = (text: string | null) => (text === null ? null : Number(text).toFixed(2));
  return {
    poNumber: po.poNumber,
    outcome: po.state === 'closed' ? 'ordered' : po.state,
    ...(po.reasonCode ? { reason: po.reasonCode } : {}),
    ...(po.issues.length > 0
      ? {
          issues: po.issues.map((issue: Record<string, unknown>) => ({
            row: issue.rowNumber,
            column: issue.column,
            found: issue.found,
          })),
        }
      : {}),
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    lines: po.lines.map((line: any) => ({
      row: line.rowNumber,
      sku: line.item,
      quantity: line.quantity,
      ...(line.available === null
        ? {}
        : { available: line.available, backorder: line.backorder, price: amount(line.price) }),
    })),
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    orders: po.orders.map((order: any) => ({
      warehouse: order.warehouse,
      total: amount(order.total),
      status: order.status,
      items: Object.fromEntries(
        order.items.map((item: { sku: string; ordered: string }) => [item.sku, Number(item.ordered)]),
      ),
    })),
  };
};

let folder: string;
let first: Ended;
let second: Ended;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright demo '));
  // As root, Postgres runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o711);
  first = await runCli(['demo', '--json'], { cwd: folder });
  second = await runCli(['demo'], { cwd: folder });
}, 180_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test('every sample file has exactly the outcome in samples/expected', async () => {
  expect(first.err).toBe('');
  expect(first.exitCode).toBe(0);
  const answer = JSON.parse(first.out);
  const files = (await readdir(expectedFolder)).sort();
  expect(answer.imports).toHaveLength(files.length);
  expect(files.length).toBeGreaterThanOrEqual(4);
  for (const name of files) {
    const expected = JSON.parse(await readFile(join(expectedFolder, name), 'utf8')) as ExpectedFile;
    const found = answer.purchaseOrders.filter(
      (po: { fileName: string; account: string }) =>
        po.fileName === expected.file && po.account === expected.account,
    );
    expect({ file: expected.file, purchaseOrders: found.map(asExpected) }).toEqual({
      file: expected.file,
      purchaseOrders: expected.purchaseOrders,
    });
  }
});

test('each file is archived and has a result file, and each dealer has a status report', async () => {
  for (const { account, results, reports } of JSON.parse(first.out).folders) {
    const files = (await readdir(expectedFolder)).filter((name) => name.startsWith(account));
    expect(await readdir(join(results, '../done')), account).toHaveLength(files.length);
    expect(await readdir(join(results, '../inbox')), account).toEqual([]);
    const written = await readdir(results);
    expect(
      written.filter((name) => name.includes('.result.')),
      account,
    ).toHaveLength(files.length);
    // Only one of them has something to correct.
    const left = written.filter((name) => !name.includes('.result.'));
    expect(left).toEqual(
      account === 'northside' ? [expect.stringMatching(/^northside-mistakes\.\d+\.not-ordered\.csv$/)] : [],
    );
    expect((await readdir(reports)).length, account).toBeGreaterThan(0);
  }
});

test('a second run gives the same outcome, and lists what was rejected or held with the reasons', () => {
  expect(second.err).toBe('');
  expect(second.exitCode).toBe(0);
  expect(second.out).toMatch(/northside-mistakes\.csv +3 +2 +1 +0/);
  expect(second.out).toMatch(/northside-week-47\.csv +4 +3 +0 +1/);
  expect(second.out).toMatch(/rejected +NS-1012/);
  expect(second.out).toContain('row 3, Qty "two": Quantity must be a whole number of at least 1.');
  expect(second.out).toMatch(/held +NS-1004 .*LMP-LED-7 .*costs 129/);
});
