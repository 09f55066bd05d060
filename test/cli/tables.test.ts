import { expect, test } from 'vitest';
import { drawDryRun } from '../../src/cli/output/dry-run.ts';
import { drawImports } from '../../src/cli/output/imports.ts';
import { drawPurchaseOrders } from '../../src/cli/output/purchase-order.ts';
import { wrapWords } from '../../src/cli/output/show-text.ts';
import type { ImportCounts } from '../../src/ledger/import-counts.ts';

const wrapTo80 = (text: string, indent = 2) => wrapWords(text, 80, indent);
const terminal = { columns: 130, paint: (_: string, text: string) => text };

const imported = (fileName: string, reasonText?: string): ImportCounts => ({
  importId: '7',
  account: 'north',
  fileName,
  resultPath: undefined,
  state: reasonText === undefined ? 'read' : 'repeated',
  reasonCode: undefined,
  reasonText,
  rowCount: 12,
  takenAt: new Date(0),
  quoteOnly: false,
  counts: { ordered: 3 },
  quotedCount: 0,
  elsewhereCounts: {},
  cameAgain: 0,
  answeredBy: '7',
  answeredByState: 'read',
  active: 0,
  failing: 0,
  issueCount: 0,
  rowsWithoutPo: 0,
  warning: undefined,
  leftOut: {},
  resultWritten: true,
});

test('the parts of a note are parts of one sentence', () => {
  const drawn = drawImports(terminal as never, [
    { ...imported('a.csv', 'Imported before. Nothing was ordered again.'), elsewhereCounts: { ordered: 12 } },
  ]);
  expect(drawn.replace(/\s+/g, ' ')).toMatch(/Nothing was ordered again; 12 in other files \(12 ordered\)/);
});

test('rows that a person has left out are counted beside the POs that were ordered', () => {
  const drawn = drawImports(terminal as never, [{ ...imported('a.csv'), leftOut: { left_out: 2 } }]);
  expect(drawn.replace(/\s+/g, ' ')).toContain('2 rows skipped as a person decided');
});

test.each([
  ['letters', `${'n'.repeat(251)}.csv`],
  ['characters beyond the first plane', `${'🛒'.repeat(62)}.csv`],
  ['control characters, which are shown as code points', `${'\u0007'.repeat(251)}.csv`],
])('a long file name does not widen the table of imports: %s', (_, name) => {
  const drawn = drawImports(terminal as never, [
    imported(name),
    imported(
      'short.csv',
      `The same file, byte for byte, as import 7 (${name}, taken today). Nothing was ordered again.`,
    ),
  ]);
  for (const line of drawn.split('\n')) expect([...line].length).toBeLessThanOrEqual(terminal.columns);
  expect(drawn).toContain('…');
});

test('a dry run fits a terminal of 80 columns', () => {
  const narrow = { columns: 80, paint: (_: string, text: string) => text, wrap: wrapTo80 };
  const long = 'PO-2026-11-22-with-a-long-number-of-the-dealer';
  const item = 'A-SKU-OF-THIRTY-CHARACTERS-OR-MORE';
  const why = 'a long reason that has to be broken into several lines, because no terminal is as wide as it';
  const sums = { pieces: 1_031_201, goods: '790364011.9000', pricedLines: 2 };
  const drawn = drawDryRun(
    narrow as never,
    'orders.csv',
    {
      kind: 'staged',
      counts: {
        ready: 1,
        rejected: 1,
        repeated: 0,
        conflicting: 0,
        held: 0,
        guarded: 0,
        lines: 3,
        issues: 1,
      },
      outcome: {
        kind: 'read',
        rowCount: 3,
        optionDefaults: {},
        columnNames: {} as never,
        idlePriceGuard: why,
        asLayout: { headerKey: '', header: [], settings: {} },
        seen: [],
        news: [],
        unsaid: [],
        detection: {
          format: 'csv',
          headerRow: 1,
          columns: [],
          decisions: [
            { what: 'layout', decided: 'n'.repeat(60), why, override: 'intake.layouts' },
            { what: 'columns', decided: why, why, override: 'intake.columns' },
          ],
        },
      },
      preview: {
        purchaseOrders: [
          {
            poNumber: long,
            firstRow: 1000,
            lineCount: 200,
            options: {
              ship_to: '0012345',
              ship_name: 'A dealer whose name is as long as a sentence',
              ship_address1: '1234 Industrial Boulevard North',
              ship_city: 'Holtsville',
              ship_state: 'NY',
              ship_zip: '00501',
            },
            outcome: 'ready',
            reason: undefined,
            ...sums,
          },
          {
            poNumber: 'P',
            firstRow: 3,
            lineCount: 1,
            options: {},
            outcome: 'rejected',
            reason: why,
            ...sums,
          },
        ],
        issues: [
          {
            rowNumber: 1000,
            poNumber: long,
            severity: 'issue',
            column: 'Quantity ordered (in pieces)',
            code: 'x',
            message: why,
            found: why,
            expected: undefined,
          },
        ],
        sums: { ...sums, lines: 2 },
        unusual: [],
        largestLines: [
          { rowNumber: 100_000, poNumber: long, item, quantity: 1_000_000, expectedPrice: '766.4500' },
          { rowNumber: 3, poNumber: 'P', item, quantity: 31_201, expectedPrice: undefined },
        ],
      },
    },
    { backorder: true, unknownPrice: true },
    false,
  );
  expect(drawn).toContain('766,450,000.00');
  expect(drawn.replace(/\s+/g, ' ')).toContain('may still refuse or change it.');
  expect(drawn.replace(/\s+/g, ' ')).toContain('Ship to 1 0012345, A dealer whose name');
  for (const line of drawn.split('\n')) expect([...line].length, line).toBeLessThanOrEqual(80);
});

test('the prices and totals of a PO have two decimals, and more only where they need them', () => {
  const line = { rowNumber: 2, item: 'S1', quantity: 1, available: null, backorder: null, refusal: null };
  const order = {
    orderNumber: 'SO-1',
    status: 'Picking',
    warehouse: null,
    shipDate: null,
    trackingNumbers: [],
  };
  const drawn = drawPurchaseOrders(terminal as never, [
    {
      ...{
        poNumber: 'A',
        state: 'ordered',
        account: 'north',
        fileName: 'a.csv',
        timeline: [],
        issues: [],
        lineCount: 3,
        rowsPrunedAt: null,
      },
      lines: ['129', '148.9', '0.0125'].map((price) => ({ ...line, price })),
      orders: [{ ...order, total: '1085.3', freight: '7.5', miscCharges: null }],
    } as never,
  ]);
  for (const shown of ['129.00', '148.90', '0.0125', '1,085.30', '7.50'])
    expect(drawn.split(/\s+/)).toContain(shown);
});
