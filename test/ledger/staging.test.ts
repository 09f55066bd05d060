import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { specCodeLists } from '../../src/contract/carts.ts';
import { importPurchaseFile } from '../../src/intake/import-purchase-file.ts';
import { intakeOptionsSchema } from '../../src/intake/options.ts';
import type { Stage } from '../../src/intake/types.ts';
import type { GroupingRules } from '../../src/ledger/group-staged-rows.ts';
import { migrateLedger } from '../../src/ledger/migrate.ts';
import { createPool } from '../../src/ledger/pool.ts';
import { readyPurchaseOrders, rehearseImport, stageImport } from '../../src/ledger/staging.ts';
import { silentLogger } from '../../src/logger.ts';
import { createTestDatabase } from '../support/database.ts';

let pool: pg.Pool;
let folder: string;
let drop: () => Promise<void>;
let accounts = 0;

beforeAll(async () => {
  const database = await createTestDatabase();
  drop = database.drop;
  pool = createPool(database.url, { max: 6, logger: silentLogger });
  await migrateLedger(pool);
  folder = await mkdtemp(path.join(tmpdir(), 'cartwright-staging-'));
});
afterAll(async () => {
  await pool.end();
  await drop();
  await rm(folder, { recursive: true, force: true });
});

const newAccount = () => {
  accounts += 1;
  return `dealer ${accounts}`;
};

const newImport = async (account: string, fileName = 'orders.csv', quoteOnly = false, restored = false) => {
  const { rows } = await pool.query<{ id: string }>(
    `insert into imports (account, file_name, sha256, size_bytes, file_path, quote_only, restored) values ($1, $2, '', 0, '', $3, $4) returning id`,
    [account, fileName, quoteOnly, restored],
  );
  return rows[0]!.id;
};

type OptionInput = Parameters<typeof intakeOptionsSchema.parse>[0];
let files = 0;
const read = async (stage: Stage, text: string, options: OptionInput = {}) => {
  files += 1;
  const file = path.join(folder, `${files}.csv`);
  await writeFile(file, text);
  return importPurchaseFile({
    path: file,
    fileName: 'orders.csv',
    options: intakeOptionsSchema.parse(options),
    codeLists: specCodeLists,
    stage,
  });
};

const header = 'po_number,ship_name,item_sku,quantity\n';
const stageText = async (
  account: string,
  text: string,
  more: {
    options?: OptionInput;
    fileName?: string;
    quoteOnly?: boolean;
    restored?: boolean;
    rules?: GroupingRules;
  } = {},
) => {
  const importId = await newImport(account, more.fileName, more.quoteOnly, more.restored);
  const staged = await stageImport(pool, importId, (stage) => read(stage, text, more.options), {
    ...(more.rules ? { rules: more.rules } : {}),
  });
  return { importId, staged, counts: staged.kind === 'staged' ? staged.counts : undefined };
};
const ordersOf = async (importId: string) =>
  (
    await pool.query(
      `select po_number, state, reason_code, reason_text, first_row, line_count, options
       from purchase_orders where import_id = $1 order by id`,
      [importId],
    )
  ).rows;
const count = async (table: string, importId: string) =>
  Number((await pool.query(`select count(*) from ${table} where import_id = $1`, [importId])).rows[0].count);
const setState = (importId: string, state: string) =>
  pool.query('update purchase_orders set state = $2 where import_id = $1', [importId, state]);

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
      lines: 4,
      issues: 0,
    });
    expect(staged).toMatchObject({ outcome: { rowCount: 4, detection: { delimiter: ',' } } });
    expect(await ordersOf(importId)).toMatchObject([
      { po_number: 'B', state: 'ready', first_row: 2, line_count: 3, options: { ship_name: 'Ann' } },
      { po_number: 'A', state: 'ready', first_row: 3, line_count: 1, options: { ship_name: 'Bob' } },
    ]);
    const { rows } = await pool.query(
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

  test('two values of one option reject the PO and name both rows; other POs go on', async () => {
    const { importId, counts } = await stageText(
      newAccount(),
      `${header}A,Ann,S1,1\nB,Bob,S2,2\nA,Eve,S3,3\n`,
    );
    expect(counts).toMatchObject({ ready: 1, rejected: 1, issues: 1 });
    expect(await ordersOf(importId)).toMatchObject([
      { po_number: 'A', state: 'rejected', reason_code: 'row_issues' },
      { po_number: 'B', state: 'ready' },
    ]);
    const { rows } = await pool.query('select * from row_issues where import_id = $1', [importId]);
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
    expect(rows[0].message).toContain('row 2 says "Ann", row 4 says "Eve"');
  });

  test('one bad row rejects its PO with all its lines, and says why', async () => {
    const { importId } = await stageText(newAccount(), `${header}A,Ann,S1,1\nA,Ann,S2,0\nB,Bob,S2,2\n`);
    const [first, second] = await ordersOf(importId);
    expect(first).toMatchObject({ state: 'rejected', line_count: 2 });
    expect(first.reason_text).toBe('Row 3, column quantity: It is not a whole number above zero.');
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
    const { rows } = await pool.query(
      'select po_number, item_sku, note, options from lines where import_id = $1',
      [importId],
    );
    expect(rows).toEqual([
      { po_number: 'A\\', item_sku: 'S\\t1', note, options: '{"ship_name": "tab\\there"}' },
    ]);
  });

  test('options are written just as Postgres writes them, whatever is in them: they are hashed as text', async () => {
    const { importId } = await stageText(
      newAccount(),
      'po_number,item_sku,quantity,ship_name,ship_address1,ship_zip,email,comment1,description\n' +
        'A,S1,1,"é ""quoted"" \\ 日本 😀",line\tbreak,00501,a@example.com,\u2028/\u00a0,Ünï\n',
    );
    const { rows } = await pool.query(
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

  test('ids of ready POs come page by page in the file order', async () => {
    const text = header + Array.from({ length: 25 }, (_, at) => `P${at},,S1,${at === 7 ? 0 : 1}\n`).join('');
    const { importId } = await stageText(newAccount(), text);
    const pages: string[][] = [];
    for await (const page of readyPurchaseOrders(pool, importId, 10)) pages.push(page);
    expect(pages.map((page) => page.length)).toEqual([10, 10, 4]);
    const { rows } = await pool.query(
      'select id from purchase_orders where import_id = $1 and state = $2 order by first_row',
      [importId, 'ready'],
    );
    expect(pages.flat()).toEqual(rows.map((row) => row.id));
  });

  test('is left as it is when it is staged again', async () => {
    const { importId } = await stageText(newAccount(), `${header}A,Ann,S1,1\n`);
    let worked = false;
    const again = await stageImport(pool, importId, async (stage) => {
      worked = true;
      return read(stage, header);
    });
    expect(again).toEqual({ kind: 'already', state: 'read' });
    expect(worked).toBe(false);
    expect(await ordersOf(importId)).toHaveLength(1);
  });
});

describe('nothing is ready before its file was wholly read', () => {
  test('a file that breaks on its last line leaves no row, no issue and no PO, and the import says why', async () => {
    const rows = Array.from({ length: 3000 }, (_, at) => `P${at},,S1,0\n`).join('');
    const { importId, staged } = await stageText(newAccount(), `${header}${rows}Q,"broken,S1,1\n`);
    expect(staged).toMatchObject({ kind: 'refused', code: 'broken_quote' });
    expect(await count('lines', importId)).toBe(0);
    expect(await count('row_issues', importId)).toBe(0);
    expect(await count('purchase_orders', importId)).toBe(0);
    const { rows: found } = await pool.query(
      'select state, reason_code, reason_text from imports where id = $1',
      [importId],
    );
    expect(found[0]).toMatchObject({
      state: 'refused',
      reason_code: 'broken_quote',
      reason_text: expect.stringContaining('Row 3002'),
    });
  });

  test('a reader that throws in the middle leaves the import as it was, to be read again', async () => {
    const importId = await newImport(newAccount());
    const failing = stageImport(pool, importId, async (stage) => {
      await read(stage, `${header}A,Ann,S1,1\n`);
      throw new Error('the disk is gone');
    });
    await expect(failing).rejects.toThrow('the disk is gone');
    expect(await count('lines', importId)).toBe(0);
    const again = await stageImport(pool, importId, (stage) => read(stage, `${header}A,Ann,S1,1\n`));
    expect(again).toMatchObject({ kind: 'staged', counts: { ready: 1 } });
  });

  test('a connection that is cut off in the middle of copying rejects, and leaves nothing', async () => {
    const importId = await newImport(newAccount());
    const failing = stageImport(pool, importId, async (stage) => {
      const outcome = await read(stage, `${header}A,Ann,S1,1\n`);
      await pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'copy lines%'`,
      );
      return outcome;
    });
    await expect(failing).rejects.toThrow();
    expect(await count('lines', importId)).toBe(0);
    expect(await count('purchase_orders', importId)).toBe(0);
  });

  test('two workers that read one import at once stage it once', async () => {
    const importId = await newImport(newAccount());
    const text = `${header}A,Ann,S1,1\nB,Bob,S2,2\n`;
    const both = await Promise.all(
      [1, 2].map(() => stageImport(pool, importId, (stage) => read(stage, text))),
    );
    expect(both.map((staged) => staged.kind).sort()).toEqual(['already', 'staged']);
    expect(await ordersOf(importId)).toHaveLength(2);
    expect(await count('lines', importId)).toBe(2);
  });

  test('an import that another reads for long is left, and can be read once that one is gone', async () => {
    const importId = await newImport(newAccount());
    const text = `${header}A,Ann,S1,1\n`;
    const stopped = await pool.connect();
    await stopped.query('begin');
    await stopped.query('select 1 from imports where id = $1 for no key update', [importId]);
    const staging = stageImport(pool, importId, (stage) => read(stage, text), { lockWaitMs: 50 });
    await expect(staging).rejects.toMatchObject({ code: '55P03' });
    await stopped.query('rollback');
    stopped.release();
    expect((await stageImport(pool, importId, (stage) => read(stage, text))).kind).toBe('staged');
  });

  test('an import that was deleted takes its lines and POs along', async () => {
    const { importId } = await stageText(newAccount(), `${header}A,Ann,S1,1\n`);
    await pool.query('delete from imports where id = $1', [importId]);
    expect(await count('lines', importId)).toBe(0);
    expect(await count('purchase_orders', importId)).toBe(0);
  });
});

describe('the same PO in several files (rule 9)', () => {
  const first = `${header}A,Ann,S1,1\nA,Ann,S2,2\n`;

  test('same content again, its lines in another order and unknown columns aside, is recorded and nothing else', async () => {
    const account = newAccount();
    const before = await stageText(account, first);
    const again = await stageText(
      account,
      'quantity,item_sku,remark,po_number,ship_name\n2,S2,x,A,Ann\n1,S1,y,A,\n',
    );
    expect(again.counts).toMatchObject({ ready: 0, repeated: 1, conflicting: 0 });
    expect(await ordersOf(again.importId)).toEqual([]);
    const { rows } = await pool.query(
      `select r.po_number, r.line_count, p.import_id from repeated_purchase_orders r
       join purchase_orders p on p.id = r.purchase_order_id where r.import_id = $1`,
      [again.importId],
    );
    expect(rows).toEqual([{ po_number: 'A', line_count: 2, import_id: before.importId }]);
  });

  test('other content while the first is live is held and names the first file and row', async () => {
    const account = newAccount();
    await stageText(account, first, { fileName: 'monday.csv' });
    const { importId, counts } = await stageText(account, `${header}A,Ann,S1,5\n`);
    expect(counts).toMatchObject({ ready: 0, conflicting: 1 });
    const [held] = await ordersOf(importId);
    expect(held).toMatchObject({ state: 'held', reason_code: 'conflicting_po' });
    expect(held.reason_text).toMatch(/monday\.csv, row 2/);
    const third = await stageText(account, `${header}A,Ann,S1,5\n`);
    expect(third.counts).toMatchObject({ repeated: 1, conflicting: 0 });
  });

  test.each(['ready', 'submitting', 'ordered', 'closed', 'verifying'])(
    'a PO that is %s is not ordered again',
    async (state) => {
      const account = newAccount();
      const before = await stageText(account, first);
      await setState(before.importId, state);
      expect((await stageText(account, first)).counts).toMatchObject({ ready: 0, repeated: 1 });
    },
  );

  test('after rejected any new file takes over, with the same content too', async () => {
    const account = newAccount();
    const bad = await stageText(account, `${header}A,Ann,S1,0\n`);
    expect(bad.counts).toMatchObject({ rejected: 1 });
    expect((await stageText(account, `${header}A,Ann,S1,0\n`)).counts).toMatchObject({ rejected: 1 });
    expect((await stageText(account, first)).counts).toMatchObject({ ready: 1 });
  });

  test('after failed only changed content takes over', async () => {
    const account = newAccount();
    const before = await stageText(account, first);
    await setState(before.importId, 'failed');
    expect((await stageText(account, first)).counts).toMatchObject({ ready: 0, repeated: 1 });
    const changed = await stageText(account, `${header}A,Ann,S1,2\n`);
    expect(changed.counts).toMatchObject({ ready: 1 });
  });

  test('PO numbers that differ only in case wait for a person, across files and within one', async () => {
    const account = newAccount();
    await stageText(account, `${header}Äb-1,,S1,1\n`, { fileName: 'monday.csv' });
    const across = await stageText(account, `${header}äB-1,,S1,1\n`);
    expect(await ordersOf(across.importId)).toMatchObject([
      {
        po_number: 'äB-1',
        state: 'held',
        reason_code: 'conflicting_po',
        reason_text: expect.stringContaining('monday.csv, row 2'),
      },
    ]);
    const within = await stageText(account, `${header}x1,,S1,1\nX1,,S2,2\ny,,S1,1\n`);
    expect(await ordersOf(within.importId)).toMatchObject([
      { po_number: 'x1', state: 'held', reason_text: expect.stringContaining('x1 (row 2), X1 (row 3)') },
      { po_number: 'X1', state: 'held', reason_code: 'conflicting_po' },
      { po_number: 'y', state: 'ready' },
    ]);
  });

  test('other accounts do not see each other', async () => {
    await stageText(newAccount(), first);
    expect((await stageText(newAccount(), first)).counts).toMatchObject({ ready: 1 });
  });

  test('a PO that was cancelled and comes again unchanged is held for a person; changed, it is ordered', async () => {
    const account = newAccount();
    const before = await stageText(account, first, { fileName: 'monday.csv' });
    await setState(before.importId, 'cancelled');
    const again = await stageText(account, first);
    expect(again.counts).toMatchObject({ ready: 0, repeated: 0, held: 1 });
    expect(await ordersOf(again.importId)).toMatchObject([
      {
        state: 'held',
        reason_code: 'was_cancelled',
        reason_text: expect.stringMatching(/monday\.csv, row 2/),
      },
    ]);
    expect((await stageText(account, first)).counts, 'it is held once').toMatchObject({
      repeated: 1,
      held: 0,
    });
    await setState(again.importId, 'cancelled');
    expect((await stageText(account, `${header}A,Ann,S1,2\n`)).counts).toMatchObject({ ready: 1 });
  });

  test('a PO that was cancelled, then changed and cancelled, is still asked about', async () => {
    const account = newAccount();
    for (const text of [first, `${header}A,Ann,S1,2\n`]) {
      const { importId } = await stageText(account, text);
      await setState(importId, 'cancelled');
    }
    expect((await stageText(account, first)).counts).toMatchObject({ ready: 0, held: 1 });
  });

  test('a PO that was cancelled and comes again unchanged is ordered where the account says so', async () => {
    const account = newAccount();
    const before = await stageText(account, first);
    await setState(before.importId, 'cancelled');
    const rules = { cancelledAgain: 'order', restoredFiles: 'hold' } as const;
    expect((await stageText(account, first, { rules })).counts).toMatchObject({ ready: 1, held: 0 });
  });

  test('a file that is imported again from done: what the ledger knows is repeated, the rest is held', async () => {
    const account = newAccount();
    await stageText(account, first);
    const text = `${header}A,Ann,S1,1\nA,Ann,S2,2\nB,Bob,S1,1\nC,Cid,S1,0\n`;
    const restored = await stageText(account, text, { restored: true });
    expect(restored.counts).toMatchObject({ ready: 0, repeated: 1, held: 1, rejected: 1 });
    expect(await ordersOf(restored.importId)).toMatchObject([
      { po_number: 'B', state: 'held', reason_code: 'restored_file' },
      { po_number: 'C', state: 'rejected' },
    ]);
    const rules = { cancelledAgain: 'hold', restoredFiles: 'order' } as const;
    const other = await stageText(newAccount(), text, { restored: true, rules });
    expect(other.counts).toMatchObject({ ready: 2, held: 0, rejected: 1 });
  });

  describe('of a quote and an order of one PO', () => {
    const states = ['ready', 'cart_created', 'items_added', 'held', 'failed', 'cancelled'];
    const cases = states.flatMap((state) =>
      [first, `${header}A,Ann,S1,7\n`, `${header}a,Ann,S1,1\n`].map((text, at) => [
        state,
        ['the same content', 'other content', 'another case'][at]!,
        text,
      ]),
    );

    test.each(cases)('a quote that is %s never counts for the order: %s', async (state, _which, text) => {
      const account = newAccount();
      const quote = await stageText(account, first, { quoteOnly: true });
      await setState(quote.importId, state);
      const order = await stageText(account, text);
      expect(order.counts).toMatchObject({ ready: 1, repeated: 0, conflicting: 0, held: 0 });
      expect((await stageText(account, text)).counts, 'the order counts').toMatchObject({ repeated: 1 });
    });

    test.each([...states, 'submitting', 'verifying', 'ordered', 'closed', 'rejected'])(
      'an order that is %s never counts for the quote',
      async (state) => {
        const account = newAccount();
        const order = await stageText(account, first);
        await setState(order.importId, state);
        expect((await stageText(account, first, { quoteOnly: true })).counts).toMatchObject({
          ready: 1,
          repeated: 0,
        });
        expect(await ordersOf(order.importId)).toMatchObject([{ state }]);
      },
    );

    test('two live quotes of one PO are one, and one that has ended can be asked for again', async () => {
      const account = newAccount();
      const quote = () => stageText(account, first, { quoteOnly: true });
      const one = await quote();
      expect((await quote()).counts).toMatchObject({ ready: 0, repeated: 1 });
      await setState(one.importId, 'cancelled');
      expect((await quote()).counts).toMatchObject({ ready: 1, repeated: 0 });
    });
  });

  test('two files with the same PO at the same moment make one ready PO', async () => {
    const account = newAccount();
    const both = await Promise.all([stageText(account, first), stageText(account, first)]);
    expect(both.map(({ counts }) => counts!.ready).sort()).toEqual([0, 1]);
    expect(both.map(({ counts }) => counts!.repeated).sort()).toEqual([0, 1]);
  });
});

describe('a rejected PO that is sent again', () => {
  const wrong = `${header}A,Ann,S1,0\n`;
  const reasons = async (importId: string) =>
    (await ordersOf(importId)).map(({ state, reason_code }) => `${state} ${reason_code}`);

  test('is corrected once a later file brings it without a mistake, and its result file is written again', async () => {
    const account = newAccount();
    const rejected = [await stageText(account, wrong), await stageText(account, wrong)];
    const quote = await stageText(account, `${header}A,Ann,S1,1\n`, { quoteOnly: true });
    await pool.query(
      `update imports set result_due = false, result_written_at = now() where id = any($1::bigint[])`,
      [rejected.map(({ importId }) => importId)],
    );
    for (const { importId } of rejected) expect(await reasons(importId)).toEqual(['rejected row_issues']);
    const order = await stageText(account, `${header}A,Ann,S1,1\n`);
    for (const { importId } of rejected) {
      const [po] = await ordersOf(importId);
      expect(po).toMatchObject({ state: 'rejected', reason_code: 'corrected' });
      expect(po.reason_text).toMatch(
        new RegExp(`^Row 2, column quantity.*Corrected in import ${order.importId} \\(row 2\\)\\.$`),
      );
      const { rows } = await pool.query('select result_due from imports where id = $1', [importId]);
      expect(rows[0].result_due).toBe(true);
    }
    expect(await reasons(quote.importId)).toEqual(['ready null']);
  });

  test('is corrected too where the later file brings what an earlier one has ordered', async () => {
    const account = newAccount();
    await stageText(account, `${header}A,Ann,S1,1\n`);
    const rejected = await stageText(account, wrong);
    expect((await stageText(account, `${header}A,Ann,S1,1\n`)).counts).toMatchObject({ repeated: 1 });
    expect(await reasons(rejected.importId)).toEqual(['rejected corrected']);
  });

  test('is not corrected by a quote, by another account, or by a file in which it is rejected again', async () => {
    const account = newAccount();
    const rejected = await stageText(account, wrong);
    await stageText(account, `${header}A,Ann,S1,1\n`, { quoteOnly: true });
    await stageText(newAccount(), `${header}A,Ann,S1,1\n`);
    await stageText(account, `${header}A,Ann,S2,0\n`);
    expect(await reasons(rejected.importId)).toEqual(['rejected row_issues']);
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
    const staged = await rehearseImport(
      pool,
      { account, fileName: 'orders.csv' },
      (stage) => read(stage, `${header}A,Ann,S1,1\nB,Bob,S2,0\n`),
      { preview: 10 },
    );
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
    const { rows } = await pool.query('select count(*)::int as n from imports where account = $1', [account]);
    expect(rows[0].n).toBe(0);
  });

  test('of an import that is known leaves it to be read', async () => {
    const importId = await newImport(newAccount());
    const staged = await stageImport(pool, importId, (stage) => read(stage, `${header}A,Ann,S1,1\n`), {
      rollback: true,
    });
    expect(staged).toMatchObject({ kind: 'staged', counts: { ready: 1 } });
    expect(await count('purchase_orders', importId)).toBe(0);
    const { rows } = await pool.query('select state from imports where id = $1', [importId]);
    expect(rows[0].state).toBe('taken');
  });
});
