import { stringify } from 'csv-stringify/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { createTestDatabase } from '../support/database.ts';
import { allOrdered, judge, type Quantities, readLedgerPos } from '../support/judge.ts';
import { ordersByPo, readAudit } from '../support/read-audit.ts';
import { createSystem, type System, startService } from '../support/run-system.ts';

type Row = [poNumber: string, sku: string, quantity: number, note?: string];
const header = ['po_number', 'item_sku', 'quantity', 'note'];
const file = (rows: readonly Row[]): string => stringify([header.slice(0, rows[0]!.length), ...rows]);

const orderable = [
  'a/b/c',
  '../climb',
  'a/../b',
  '...a',
  '100%',
  '%2e%2e',
  'what?x=1#y',
  'semi;colon, "quoted"',
  'späte Bestellung №7 訂單',
  '-1001',
  `long-${'x'.repeat(195)}`,
];
const refused = ['.', '..', '...', '/', `too-long-${'x'.repeat(991)}`, 'bell\u0007here'];

const hasWords = (po: string) => po.includes(' ');

describe('purchase orders with awkward numbers', () => {
  const databases: Awaited<ReturnType<typeof createTestDatabase>>[] = [];
  let service: ListeningService;
  let system: System;

  beforeAll(async () => {
    for (let n = 0; n < 2; n += 1) databases.push(await createTestDatabase());
    const [ledger, served] = databases;
    const tokens = ['one', 'two'];
    service = await startService(served!.url, { dealers: tokens.map((name) => ({ name, token: name })) });
    system = await createSystem({
      ledgerUrl: ledger!.url,
      accounts: Object.fromEntries(tokens.map((token) => [token, { baseUrl: service.url, token }])),
    });
    await system.work();
    const files: [account: string, rows: Row[]][] = [
      ['one', [...orderable, ...refused].filter((po) => !hasWords(po)).map((po): Row => [po, 'SKU-1', 2])],
      // Separate, because a number with words among plain ones raises a question.
      ['one', orderable.filter(hasWords).map((po): Row => [po, 'SKU-1', 2, 'x'])],
      [
        'one',
        [
          ['both', 'SKU-1', 1],
          ['apart', 'SKU-1', 1],
          ['between', 'SKU-9', 4],
          ['apart', 'SKU-2', 2],
          ['apart', 'SKU-1', 3],
        ],
      ],
      ['two', [['both', 'SKU-1', 6]]],
      [
        'one',
        [
          ['Case-1', 'SKU-1', 1],
          ['CASE-1', 'SKU-1', 1],
          ['first-in-lower', 'SKU-1', 1],
        ],
      ],
      ['one', [['FIRST-in-lower', 'SKU-1', 1]]],
      [
        'one',
        [
          ['unchanged', 'SKU-1', 5],
          ['changed', 'SKU-1', 5],
        ],
      ],
      [
        'one',
        [
          ['unchanged', 'SKU-1', 5],
          ['changed', 'SKU-1', 6],
          ['new', 'SKU-1', 1],
        ],
      ],
    ];
    for (const [at, [account, rows]] of files.entries()) {
      await system.drop(account, `file-${at}.csv`, file(rows));
      // In order, because the later one of two conflicting POs is refused.
      await system.settled(at + 1);
    }
  }, 120_000);
  afterAll(async () => {
    await system.stop();
    await service.stop();
    for (const database of databases) await database.drop();
  });

  const ordered = async (dealer: string) =>
    new Map(
      [...(await ordersByPo(service.pool, { dealer }))].map(([po, orders]) => [
        po,
        orders.map((order) => order.quantities),
      ]),
    );
  const poStates = async () => {
    const { rows } = await system.ledger.query(
      `select p.po_number as po, p.state, p.reason_code as code, p.reason_text as text, i.file_name as file
       from purchase_orders p join imports i on i.id = p.import_id order by p.id`,
    );
    return rows as { po: string; state: string; code: string | null; text: string | null; file: string }[];
  };

  it.each(orderable)('orders the PO %s under exactly that number', async (po) => {
    expect((await ordered('one')).get(po)).toEqual([{ 'SKU-1': 2 }]);
  });

  it('sends nothing for a PO whose number cannot be used, and names the PO', async () => {
    const rejected = (await poStates()).filter(({ state }) => state === 'rejected');
    expect(rejected).toHaveLength(refused.length);
    for (const { code, text } of rejected)
      expect([code, text]).toEqual(['row_issues', expect.stringContaining('Row ')]);
    const touched = new Set((await readAudit(service.pool)).map((entry) => entry.poNumber));
    for (const po of refused) expect(touched).not.toContain(po);
    expect(touched).not.toContain(null);
  });

  it('treats the same number in two accounts as two purchase orders', async () => {
    expect((await ordered('one')).get('both')).toEqual([{ 'SKU-1': 1 }]);
    expect((await ordered('two')).get('both')).toEqual([{ 'SKU-1': 6 }]);
  });

  it('combines rows of one PO from different places in a file into one order', async () => {
    expect((await ordered('one')).get('apart')).toEqual([{ 'SKU-1': 4, 'SKU-2': 2 }]);
  });

  it('holds numbers that differ only in case, in one file both and across files the later one', async () => {
    const held = (await poStates()).filter(({ po, state }) => state === 'held' && /case|lower/i.test(po));
    expect(held.map(({ po, code }) => [po, code])).toEqual([
      ['Case-1', 'conflicting_po'],
      ['CASE-1', 'conflicting_po'],
      ['FIRST-in-lower', 'conflicting_po'],
    ]);
    expect((await ordered('one')).get('first-in-lower')).toHaveLength(1);
  });

  it('does not order an unchanged PO again, and holds one that was sent again with changes', async () => {
    const all = await poStates();
    expect(all.filter(({ po }) => po === 'unchanged').map(({ state }) => state)).toEqual(['ordered']);
    expect(all.filter(({ po }) => po === 'changed').map(({ state, code }) => [state, code])).toEqual([
      ['ordered', null],
      ['held', 'conflicting_po'],
    ]);
    expect(all.find(({ po, state }) => po === 'changed' && state === 'held')!.text).toMatch(
      /file-6\.csv.*row 3/,
    );
    expect((await ordered('one')).get('changed')).toEqual([{ 'SKU-1': 5 }]);
    expect((await ordered('one')).get('unchanged')).toHaveLength(1);
  });

  it('loses, doubles and changes no PO, according to the service', async () => {
    const asked = new Map<string, Quantities>([
      ...orderable.map((po): [string, Quantities] => [po, { 'SKU-1': 2 }]),
      ['both', { 'SKU-1': 1 }],
      ['apart', { 'SKU-1': 4, 'SKU-2': 2 }],
      ['between', { 'SKU-9': 4 }],
      ['first-in-lower', { 'SKU-1': 1 }],
      ['unchanged', { 'SKU-1': 5 }],
      ['changed', { 'SKU-1': 5 }],
      ['new', { 'SKU-1': 1 }],
    ]);
    const verdict = judge(
      asked,
      await ordersByPo(service.pool, { dealer: 'one' }),
      await readLedgerPos(system.ledger, 'one'),
    );
    expect(verdict).toEqual(allOrdered(asked));
  });
});
