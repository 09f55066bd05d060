import { describe, expect, test } from 'vitest';
import { layoutKey } from '../../src/intake/layouts/layout-key.ts';
import { orWaits } from '../../src/intake/layouts/unknown-meaning.ts';
import { agreeLayout } from '../../src/ledger/layouts.ts';
import { rehearseImport, stageImport } from '../../src/ledger/staging.ts';
import { inTransaction } from '../../src/ledger/transaction.ts';
import { header, useStaging } from './stage-text.ts';

const staging = useStaging();
const { newAccount, newImport, read, stageText, ordersOf, count } = staging;

describe('a layout that is agreed while a file is read', () => {
  const columns = { Kenn: 'po_number', Sache: 'item_sku', Stk: 'quantity' } as const;
  const text = 'Kenn,Sache,Stk\nX-1,SKU-1,2\n';
  const agree = (account: string) =>
    inTransaction(staging.pool, {}, (client) =>
      agreeLayout(client, {
        ...{ account, name: 'shop', kind: 'order', who: 'anna', via: 'console' },
        headerKey: layoutKey(Object.keys(columns)),
        header: Object.keys(columns),
        settings: { columns },
      }),
    );
  const stage = (importId: string, meanwhile: () => Promise<unknown> = async () => {}) =>
    stageImport(staging.pool, importId, async (rows, layouts) => {
      const outcome = await read(rows, text, {}, { layouts, waitsForNews: true });
      await meanwhile();
      return orWaits(outcome, { unknownLayouts: 'wait' });
    });
  const stateOf = async (importId: string) =>
    (await staging.pool.query('select state from imports where id = $1', [importId])).rows[0].state;

  test('counts for that file: it is read again, once', async () => {
    const account = newAccount();
    const importId = await newImport(account, text);
    let readings = 0;
    const staged = await stage(importId, async () => {
      readings += 1;
      if (readings === 1) await agree(account);
    });
    expect(staged).toMatchObject({ kind: 'staged', counts: { ready: 1 } });
    expect(readings).toBe(2);
    expect(await count('lines', importId)).toBe(1);
  });

  test('whichever of both ends first, the file does not wait for what was agreed', async () => {
    for (let round = 0; round < 20; round++) {
      const account = newAccount();
      const importId = await newImport(account, text);
      let readings = 0;
      const slow = () => new Promise((resolve) => setTimeout(resolve, readings++ === 0 ? round % 5 : 0));
      const [, { imports }] = await Promise.all([stage(importId, slow), slow().then(() => agree(account))]);
      // The import is read, at once or after waiting a moment.
      const released = imports.some(({ id }) => id === importId);
      expect(await stateOf(importId)).toBe(released ? 'taken' : 'read');
    }
  });

  test('of a header that nobody agreed to, the file waits', async () => {
    const importId = await newImport(newAccount(), text);
    expect(await stage(importId, () => agree(newAccount()))).toMatchObject({ kind: 'waits' });
    expect(await stateOf(importId)).toBe('waiting');
  });
});

describe('a file that was read whole', () => {
  test('becomes one ready PO for each PO number, in the file order, rows far apart together', async () => {
    const { importId, counts, staged } = await stageText(
      newAccount(),
      `${header}B,Ann,S1,1\nA,Bob,S2,2\nB,Ann,S3,3\nB,,S4,4\n`,
    );
    expect(counts).toEqual({
      ready: 2,
      rejected: 0,
      repeated: 0,
      conflicting: 0,
      held: 0,
      guarded: 0,
      lines: 4,
      issues: 0,
    });
    expect(staged).toMatchObject({ outcome: { rowCount: 4, detection: { delimiter: ',' } } });
    expect(await ordersOf(importId)).toMatchObject([
      { po_number: 'B', state: 'ready', first_row: 2, line_count: 3, options: { ship_name: 'Ann' } },
      { po_number: 'A', state: 'ready', first_row: 3, line_count: 1, options: { ship_name: 'Bob' } },
    ]);
    const { rows } = await staging.pool.query(
      'select state, row_count, format, detection from imports where id = $1',
      [importId],
    );
    expect(rows[0]).toMatchObject({
      state: 'read',
      row_count: 4,
      format: 'csv',
      detection: { headerRow: 1 },
    });
  });

  test('options given on any of its rows are one set of options', async () => {
    const text = 'po_number,ship_name,ship_city,item_sku,quantity\nA,Ann,,S1,1\nA,,Boise,S2,2\nA,,,S3,2\n';
    const { importId } = await stageText(newAccount(), text);
    expect(await ordersOf(importId)).toMatchObject([
      { state: 'ready', options: { ship_name: 'Ann', ship_city: 'Boise' } },
    ]);
  });

  test('two values of one option reject the PO and name both rows; other POs are not affected', async () => {
    const { importId, counts } = await stageText(
      newAccount(),
      `${header}A,Ann,S1,1\nB,Bob,S2,2\nA,Eve,S3,3\n`,
    );
    expect(counts).toMatchObject({ ready: 1, rejected: 1, issues: 1 });
    expect(await ordersOf(importId)).toMatchObject([
      { po_number: 'A', state: 'rejected', reason_code: 'row_issues' },
      { po_number: 'B', state: 'ready' },
    ]);
    const { rows } = await staging.pool.query('select * from row_issues where import_id = $1', [importId]);
    expect(rows).toMatchObject([
      {
        row_number: 4,
        po_number: 'A',
        column_name: 'ship_name',
        code: 'option_conflict',
        found: 'Eve',
        expected: 'Ann',
      },
    ]);
    expect(rows[0].message).toContain('row 2 has "Ann", row 4 has "Eve"');
  });

  test('two values in a column of the item reject the PO only if the account maps the column', async () => {
    const text = 'po_number,item_sku,quantity,Warehouse\nA,S1,1,GA\nA,S2,2,TX\n';
    const ignored = { columns: { Warehouse: 'ignore' as const } };
    expect((await stageText(newAccount(), text, { options: ignored })).counts).toMatchObject({
      ready: 1,
      rejected: 0,
    });
    const options = { columns: { Warehouse: 'default_warehouse' as const } };
    const { importId, counts } = await stageText(newAccount(), text, { options });
    expect(counts).toMatchObject({ ready: 0, rejected: 1 });
    const [order] = await ordersOf(importId);
    expect(order.reason_text).toContain('row 2 has "GA", row 3 has "TX"');
    expect(order.reason_text).toContain('map the column to ignore');
  });

  test('one bad row rejects its PO with all its lines, with the reason', async () => {
    const { importId } = await stageText(newAccount(), `${header}A,Ann,S1,1\nA,Ann,S2,0\nB,Bob,S2,2\n`);
    const [first, second] = await ordersOf(importId);
    expect(first).toMatchObject({ state: 'rejected', line_count: 2 });
    expect(first.reason_text).toBe('Row 3, column quantity: Quantity must be a whole number of at least 1.');
    expect(second).toMatchObject({ state: 'ready' });
  });

  test('constants and flags whose blank means no are options of every PO, and any row may say otherwise', async () => {
    const text = 'po_number,allow_backorder,item_sku,quantity\nA,x,S1,1\nA,,S2,2\nB,,S1,1\n';
    const { importId } = await stageText(newAccount(), text, {
      options: {
        constants: { default_warehouse: 'tx', cc_last_four: 42 },
        blankMeansNo: ['allow_backorder'],
      },
    });
    expect(await ordersOf(importId)).toMatchObject([
      { state: 'ready', options: { allow_backorder: true, default_warehouse: 'TX', cc_last_four: '0042' } },
      { state: 'ready', options: { allow_backorder: false, default_warehouse: 'TX', cc_last_four: '0042' } },
    ]);
  });

  test('values with tabs, backslashes, quotes and line breaks reach the ledger unchanged', async () => {
    const note = 'a\\b "c"\nd \\N';
    const { importId } = await stageText(
      newAccount(),
      `po_number,item_sku,quantity,note,ship_name\nA\\,S\\t1,1,"${note.replaceAll('"', '""')}","tab\there"\n`,
    );
    const { rows } = await staging.pool.query(
      'select po_number, item_sku, note, options from lines where import_id = $1',
      [importId],
    );
    expect(rows).toEqual([
      { po_number: 'A\\', item_sku: 'S\\t1', note, options: '{"ship_name": "tab\\there"}' },
    ]);
  });

  test('options of any content are written exactly as Postgres writes them, because they are hashed as text', async () => {
    const { importId } = await stageText(
      newAccount(),
      'po_number,item_sku,quantity,ship_name,ship_address1,ship_zip,email,comment1,description\n' +
        'A,S1,1,"é ""quoted"" \\ 日本 😀",line\tbreak,00501,a@example.com,\u2028/\u00a0,Ünï\n',
    );
    const { rows } = await staging.pool.query(
      'select options, options::jsonb::text as "asPostgresWrites" from lines where import_id = $1',
      [importId],
    );
    expect(JSON.parse(rows[0].options)).toMatchObject({
      ship_name: 'é "quoted" \\ 日本 😀',
      ship_zip: '00501',
    });
    expect(rows[0].options).toBe(rows[0].asPostgresWrites);
  });

  test('a PO number with a control character, even the one that parts values on their way, is kept as it came', async () => {
    const { importId, counts } = await stageText(newAccount(), `${header}A\x1fB,Ann,S1,1\nC,Cid,S2,2\n`);
    expect(counts).toMatchObject({ ready: 1, rejected: 1, lines: 2 });
    expect(await ordersOf(importId)).toMatchObject([
      { po_number: 'A\x1fB', state: 'rejected' },
      { po_number: 'C', state: 'ready' },
    ]);
  });

  test('is not changed when it is staged again', async () => {
    const { importId } = await stageText(newAccount(), `${header}A,Ann,S1,1\n`);
    let worked = false;
    const again = await stageImport(staging.pool, importId, async (stage) => {
      worked = true;
      return read(stage, header);
    });
    expect(again).toEqual({ kind: 'already', state: 'read' });
    expect(worked).toBe(false);
    expect(await ordersOf(importId)).toHaveLength(1);
  });
});

describe('nothing is ready before its file was wholly read', () => {
  test('a file that fails on its last line leaves no row, no issue and no PO, and the import has the reason', async () => {
    const rows = Array.from({ length: 3000 }, (_, at) => `P${at},,S1,0\n`).join('');
    const { importId, staged } = await stageText(newAccount(), `${header}${rows}Q,"broken,S1,1\n`);
    expect(staged).toMatchObject({ kind: 'refused', code: 'broken_quote' });
    expect(await count('lines', importId)).toBe(0);
    expect(await count('row_issues', importId)).toBe(0);
    expect(await count('purchase_orders', importId)).toBe(0);
    const { rows: found } = await staging.pool.query(
      'select state, reason_code, reason_text from imports where id = $1',
      [importId],
    );
    expect(found[0]).toMatchObject({
      state: 'refused',
      reason_code: 'broken_quote',
      reason_text: expect.stringContaining('Row 3002'),
    });
  });

  test('a reader that throws in the middle leaves the import unchanged, to be read again', async () => {
    const importId = await newImport(newAccount(), '');
    const failing = stageImport(staging.pool, importId, async (stage) => {
      await read(stage, `${header}A,Ann,S1,1\n`);
      throw new Error('the disk is gone');
    });
    await expect(failing).rejects.toThrow('the disk is gone');
    expect(await count('lines', importId)).toBe(0);
    const again = await stageImport(staging.pool, importId, (stage) => read(stage, `${header}A,Ann,S1,1\n`));
    expect(again).toMatchObject({ kind: 'staged', counts: { ready: 1 } });
  });

  test('a connection that is cut off in the middle of copying rejects, and leaves nothing', async () => {
    const importId = await newImport(newAccount(), '');
    const failing = stageImport(staging.pool, importId, async (stage) => {
      const outcome = await read(stage, `${header}A,Ann,S1,1\n`);
      await staging.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'copy lines%'`,
      );
      return outcome;
    });
    await expect(failing).rejects.toThrow();
    expect(await count('lines', importId)).toBe(0);
    expect(await count('purchase_orders', importId)).toBe(0);
  });

  test('two workers that read one import at once stage it once', async () => {
    const importId = await newImport(newAccount(), '');
    const text = `${header}A,Ann,S1,1\nB,Bob,S2,2\n`;
    const both = await Promise.all(
      [1, 2].map(() => stageImport(staging.pool, importId, (stage) => read(stage, text))),
    );
    expect(both.map((staged) => staged.kind).sort()).toEqual(['already', 'staged']);
    expect(await ordersOf(importId)).toHaveLength(2);
    expect(await count('lines', importId)).toBe(2);
  });

  test('an import that another process reads for long is left to it, and can be read once that process is gone', async () => {
    const importId = await newImport(newAccount(), '');
    const text = `${header}A,Ann,S1,1\n`;
    const stopped = await staging.pool.connect();
    await stopped.query('begin');
    await stopped.query('select 1 from imports where id = $1 for no key update', [importId]);
    const waiting = stageImport(staging.pool, importId, (stage) => read(stage, text), { lockWaitMs: 50 });
    await expect(waiting).rejects.toMatchObject({ code: '55P03' });
    await stopped.query('rollback');
    stopped.release();
    expect((await stageImport(staging.pool, importId, (stage) => read(stage, text))).kind).toBe('staged');
  });

  test('an import that was deleted takes its lines and POs along', async () => {
    const { importId } = await stageText(newAccount(), `${header}A,Ann,S1,1\n`);
    await staging.pool.query('delete from imports where id = $1', [importId]);
    expect(await count('lines', importId)).toBe(0);
    expect(await count('purchase_orders', importId)).toBe(0);
  });
});

describe('unusable PO numbers', () => {
  test('., .., control characters and 1,000 characters are rejected POs of their own', async () => {
    const long = 'x'.repeat(5000);
    const { importId, counts } = await stageText(
      newAccount(),
      `${header}.,,S1,1\n..,,S1,1\na\u0001b,,S1,1\n${long},,S1,1\n${long}y,,S1,1\nA/B %20 ü,,S1,1\n`,
    );
    expect(counts).toMatchObject({ ready: 1, rejected: 4, lines: 6 });
    const orders = await ordersOf(importId);
    expect(orders.map((order) => order.state)).toEqual([
      'rejected',
      'rejected',
      'rejected',
      'rejected',
      'ready',
    ]);
    expect(orders.at(-1).po_number).toBe('A/B %20 ü');
  });
});

describe('the dry run', () => {
  test('answers what would be ordered and every issue, and keeps nothing', async () => {
    const account = newAccount();
    const before = await newImport(newAccount(), '');
    const staged = await rehearseImport(
      staging.pool,
      { account, fileName: 'orders.csv' },
      (stage) => read(stage, `${header}A,Ann,S1,1\nB,Bob,S2,0\n`),
      { preview: 10 },
    );
    // It also uses up no import number, which people see.
    expect(Number(await newImport(newAccount(), ''))).toBe(Number(before) + 1);
    expect(staged).toMatchObject({
      kind: 'staged',
      counts: { ready: 1, rejected: 1, issues: 1 },
      preview: {
        purchaseOrders: [
          { poNumber: 'A', firstRow: 2, lineCount: 1, outcome: 'ready', options: { ship_name: 'Ann' } },
          { poNumber: 'B', outcome: 'rejected', reason: expect.stringContaining('Row 3') },
        ],
        issues: [{ rowNumber: 3, poNumber: 'B', column: 'quantity', found: '0' }],
      },
    });
    const { rows } = await staging.pool.query('select count(*)::int as n from imports where account = $1', [
      account,
    ]);
    expect(rows[0].n).toBe(0);
  });

  test('shows pieces, goods and the largest lines of what would be ordered, not of what is rejected', async () => {
    const lines = [
      ...[3, 31201, 7, 1, 2, 5].map(
        (quantity, at) => `A,S${at},${quantity},${at === 1 ? '766.45' : '0.335'}`,
      ),
      'B,S1,12,',
      'C,S9,999999,9999',
      'C,,1,1',
    ];
    const staged = await rehearseImport(
      staging.pool,
      { account: newAccount(), fileName: 'orders.csv' },
      (stage) => read(stage, `po_number,item_sku,quantity,expected_price\n${lines.join('\n')}\n`),
      { preview: 10 },
    );
    if (staged.kind !== 'staged') throw new Error(staged.kind);
    const { purchaseOrders, sums, largestLines } = staged.preview;
    expect(purchaseOrders).toMatchObject([
      { poNumber: 'A', pieces: 31219, goods: '23914012.480', pricedLines: 6 },
      { poNumber: 'B', pieces: 12, pricedLines: 0 },
      { poNumber: 'C', outcome: 'rejected' },
    ]);
    expect(sums).toEqual({ lines: 7, pieces: 31231, goods: '23914012.480', pricedLines: 6 });
    expect(largestLines.map(({ poNumber, rowNumber, quantity }) => [poNumber, rowNumber, quantity])).toEqual([
      ['A', 3, 31201],
      ['B', 8, 12],
      ['A', 4, 7],
      ['A', 7, 5],
      ['A', 2, 3],
    ]);
  });

  test('of an import that is known leaves it to be read', async () => {
    const importId = await newImport(newAccount(), '');
    const staged = await stageImport(
      staging.pool,
      importId,
      (stage) => read(stage, `${header}A,Ann,S1,1\n`),
      {
        rollback: true,
      },
    );
    expect(staged).toMatchObject({ kind: 'staged', counts: { ready: 1 } });
    expect(await count('purchase_orders', importId)).toBe(0);
    const { rows } = await staging.pool.query('select state from imports where id = $1', [importId]);
    expect(rows[0].state).toBe('taken');
  });
});
