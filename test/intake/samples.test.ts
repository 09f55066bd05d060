import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { importFile, ordersOf } from './support/import-file.ts';

const folder = fileURLToPath(new URL('../../samples/layouts/', import.meta.url));
const { accounts } = loadConfig({ file: `${folder}cartwright.yaml` }, {});
const files = (await readdir(folder)).filter((name) => name !== 'cartwright.yaml').sort();

/** The orders of each sample as `PO: quantity × item …`; its account is the first word of its name. */
const expected: Record<string, string[]> = {
  'bare-lines.csv': ['P-501: 4 × BRK-2044, 12 × FLT-1180', 'P-502: 1 × FLT-1180'],
  'form-order.csv': ['B-4711: 4 × BRK-2044, 12 × FLT-1180'],
  'join-orders.xlsx': ['P-701: 4 × BRK-2044, 12 × FLT-1180', 'P-702: 1 × FLT-1180'],
  'lines-item-columns.csv': ['S-2201: 4 × BRK-2044, 1 × FLT-1180'],
  'named-PO-88213.csv': ['88213: 4 × BRK-2044, 12 × FLT-1180'],
  'odoo-lines.csv': ['O-31: 4 × BRK-2044, 12 × FLT-1180', 'O-32: 1 × FLT-1180'],
  'several-erp.csv': ['B-4711: 1000 × BRK-2044, 2 × BRK-2045'],
  'several-shop.csv': ['W-301: 4 × FLT-1180, 2 × FLT-1181', 'W-302: 1 × FLT-1180'],
  'several-standard.csv': ['N-77: 6 × BRK-2044'],
  'sheet-order.xlsx': ['4711: 4 × BRK-2044, 12 × FLT-1180'],
  'sheets-week-47.xlsx': ['4711: 4 × BRK-2044, 12 × FLT-1180', '4712: 1 × FLT-1180'],
  'states-addresses.csv': ['C-9: 4 × BRK-2044', 'C-10: 1 × FLT-1180'],
  'tworows-export.csv': ['T-12: 4 × BRK-2044, 12 × FLT-1180'],
  'whole-file.csv': ['SPRING-2026: 4 × BRK-2044, 12 × FLT-1180'],
};

test.each(files)('samples/layouts/%s is read with the settings of its account', async (name) => {
  const account = accounts.find((one) => name.startsWith(`${one.name}-`))!;
  const imported = await importFile(folder + name, account.intake, { fileName: name, waitsForNews: true });
  const orders = ordersOf(imported).map(
    ({ poNumber, lines }) =>
      `${poNumber}: ${lines.map(({ quantity, sku }) => `${quantity} × ${sku}`).join(', ')}`,
  );
  expect(imported.refusals).toEqual([]);
  expect(orders).toEqual(expected[name]);
});

const demo = fileURLToPath(new URL('../../samples/', import.meta.url));
const ofDemo = loadConfig(
  { file: `${demo}cartwright.yaml` },
  { NORTHSIDE_TOKEN: 'north-token', SOUTHGATE_TOKEN: 'south-token' },
).accounts;

test.each((await readdir(demo)).filter((name) => /^(?:north|south)/.test(name)))(
  'samples/%s, a file of the demo, is read without a question',
  async (name) => {
    const account = ofDemo.find((one) => name.startsWith(one.name))!;
    const { outcome } = await importFile(demo + name, account.intake, { fileName: name, waitsForNews: true });
    expect(outcome.kind).toBe('read');
  },
);
