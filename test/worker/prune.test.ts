import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { createImportRegister } from '../../src/ledger/imports.ts';
import { applyOperatorAction, findActionTargets } from '../../src/ledger/po/operator-actions.ts';
import { createResultRegister } from '../../src/ledger/result-register.ts';
import { type PrunedKind, pruneAccount, pruneShared } from '../../src/worker/prune.ts';
import { insertImport, insertRow, useTestLedger } from '../support/ledger-rows.ts';

const day = 86_400_000;
const sha = 'a'.repeat(64);
const folderId = '00000000-0000-4000-8000-00000000000f';

describe('removing what is older than it is kept', () => {
  const ledger = useTestLedger();
  let root: string;
  let config: ReturnType<typeof loadConfig>;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'cartwright-prune-'));
    const file = join(root, 'cartwright.yaml');
    await writeFile(
      file,
      `dataFolder: data
retention: { files: 100d, rows: 100d }
accounts: { default: {} }
`,
    );
    config = loadConfig({ file }, {});
    const { folder } = config.accounts[0]!;
    for (const name of ['done', 'quotes', 'failed', 'results', 'reports', 'files']) {
      await mkdir(join(folder, name), { recursive: true });
      await writeFile(join(folder, name, 'old.csv'), 'x'.repeat(10));
    }
  });
  afterAll(() => rm(root, { recursive: true }));

  /** An import with one PO of two lines, a row issue and a status change. */
  const addImport = async (
    poNumber: string,
    state: string,
    more: { account?: string; sha256?: string } = {},
  ) => {
    const account = more.account ?? 'default';
    const { pool } = ledger;
    const importId = await insertImport(pool, {
      account,
      state: 'read',
      sha256: more.sha256 ?? poNumber.padEnd(64, '0'),
      file_path: state === 'closed' ? 'files/old.csv' : `files/${poNumber}.csv`,
      folder_id: folderId,
      read_at: new Date(),
      result_due: true,
    });
    const id = await insertRow(pool, 'purchase_orders', {
      account,
      po_number: poNumber,
      po_key: poNumber.toLowerCase(),
      import_id: importId,
      first_row: 2,
      line_count: 2,
      content_hash: `hash of ${poNumber}`,
      state,
    });
    for (const row of [2, 3])
      await insertRow(pool, 'lines', {
        import_id: importId,
        row_number: row,
        po_number: poNumber,
        item_sku: 'A',
        quantity: 1,
      });
    await insertRow(pool, 'row_issues', {
      import_id: importId,
      row_number: 9,
      column_name: 'sku',
      code: 'x',
      message: 'y',
    });
    await insertRow(pool, 'intents', {
      purchase_order_id: id,
      epoch: 0,
      step: 'submit_order',
      outcome: 'done',
    });
    const order = await insertRow(pool, 'orders', {
      purchase_order_id: id,
      account,
      po_number: poNumber,
      order_number: `O-${poNumber}`,
    });
    await insertRow(pool, 'status_changes', { order_id: order, field: 'order_status', became: 'Shipped' });
    return { importId, id };
  };
  const options = (days: number, dryRun: boolean) => ({
    pool: ledger.pool,
    now: new Date(Date.now() + days * day),
    dryRun,
    isStopping: () => false,
  });
  const prune = async (days: number, dryRun = false): Promise<PrunedKind[]> => {
    const pruned: PrunedKind[] = [];
    for (const account of config.accounts) {
      const folder = { kind: 'usable', id: folderId } as const;
      pruned.push(...(await pruneAccount({ account, folder }, config.retention, options(days, dryRun))));
    }
    return [...pruned, ...(await pruneShared(config.retention.rows, options(days, dryRun)))];
  };
  const counts = (pruned: PrunedKind[]) =>
    Object.fromEntries(
      pruned
        .filter(({ count }) => count > 0)
        .map(({ account, kind, count }) => [`${account} ${kind}`, count]),
    );
  const linesOf = async (importId: string): Promise<number> =>
    (await ledger.pool.query('select count(*)::int as n from lines where import_id = $1', [importId])).rows[0]
      .n;

  it('keeps what is young, open or of another account, and what proves who ordered what', async () => {
    const closed = await addImport('OLD-1', 'closed', { sha256: sha });
    const failed = await addImport('OLD-2', 'failed');
    const open = await addImport('OPEN-1', 'held');
    const ordered = await addImport('OPEN-2', 'ordered');
    const other = await addImport('OTHER-1', 'closed', { account: 'other' });
    await insertRow(ledger.pool, 'operator_actions', { who: 'Ann', action: 'sign_in' });
    await insertRow(ledger.pool, 'operator_actions', {
      who: 'Ann',
      action: 'release',
      purchase_order_id: open.id,
    });

    expect(counts(await prune(49))).toEqual({});
    const expected = {
      'default files': 3,
      'default results': 1,
      'default reports': 1,
      'default copies': 1,
      'default rows': 6,
      'default changes': 1,
      'null activity': 1,
    };
    expect(counts(await prune(101, true))).toEqual(expected);
    expect(await linesOf(closed.importId)).toBe(2);
    const retry = await findActionTargets(ledger.pool, 'retry', { poNumber: 'OLD-2' });

    const pruned = await prune(101);
    expect(counts(pruned)).toEqual(expected);
    expect(pruned.find(({ kind }) => kind === 'results')?.bytes).toBe(10);
    expect(counts(await prune(101))).toEqual({});
    expect(
      await Promise.all([closed, failed, open, ordered, other].map(({ importId }) => linesOf(importId))),
    ).toEqual([0, 0, 2, 2, 2]);
    expect(await readdir(join(config.accounts[0]!.folder, 'reports'))).toEqual([]);
    const { rows: proof } = await ledger.pool.query(
      `select p.content_hash as hash, o.order_number as order, i.sha256, n.step from purchase_orders p
       join orders o on o.purchase_order_id = p.id join imports i on i.id = p.import_id
       join intents n on n.purchase_order_id = p.id where p.po_number = 'OLD-1' and i.account = 'default'`,
    );
    expect(proof).toEqual([{ hash: 'hash of OLD-1', order: 'O-OLD-1', sha256: sha, step: 'submit_order' }]);

    // A PO without its lines is not retried, even if the action has read them before.
    const now = await findActionTargets(ledger.pool, 'retry', { poNumber: 'OLD-2' });
    for (const found of [retry, now]) {
      const [result] = await applyOperatorAction(ledger.pool, 'retry', found, { who: 'Ann' });
      expect(result?.outcome.kind).toBe('not_possible');
    }
    // No result file is written without the dealer's rows.
    const written = await createResultRegister(ledger.pool).write(closed.importId, { force: true }, () => {
      throw new Error('it was written');
    });
    expect(written).toEqual({ kind: 'current' });
  });

  it('keeps the files of an import of which a PO is open or held', async () => {
    const { folder } = config.accounts[0]!;
    const at = (path: string) => join(folder, path);
    const bytes = (poNumber: string) => `po,sku,qty\n${poNumber},A,1\n`;
    const names: Record<string, string[]> = {};
    for (const [poNumber, state] of [
      ['KEEP-1', 'held'],
      ['KEEP-2', 'ordered'],
      ['GONE-1', 'closed'],
    ] as const) {
      const sha256 = createHash('sha256').update(bytes(poNumber)).digest('hex');
      const { importId } = await addImport(poNumber, state, { sha256 });
      await ledger.pool.query(
        `update imports set file_name = 'orders.csv', size_bytes = $2, file_grew = $3 where id = $1`,
        [importId, bytes(poNumber).length, poNumber === 'KEEP-2' ? 'It grew.' : null],
      );
      const grown = state === 'ordered' ? bytes(poNumber) + bytes(poNumber) : bytes(poNumber);
      names[poNumber] = [
        `${state === 'ordered' ? 'failed' : 'done'}/orders.${importId}.csv`,
        `${state === 'ordered' ? 'failed' : 'done'}/orders.${importId}.csv.note.txt`,
        `results/orders.${importId}.result.csv`,
        `results/orders.csv.${importId}.result.json`,
      ];
      for (const [index, name] of names[poNumber].entries())
        await writeFile(at(name), index === 0 ? grown : 'x');
    }
    // A person has renamed one, and another file has the same size.
    await writeFile(at('done/renamed.csv'), bytes('KEEP-1'));
    await writeFile(at('done/others.csv'), bytes('KEEP-9'));

    expect(counts(await prune(101, true))).toMatchObject({ 'default files': 3, 'default results': 2 });
    await prune(101);
    const left = (await Promise.all(['done', 'failed', 'results'].map((name) => readdir(at(name))))).flat();
    const kept = [...names['KEEP-1']!, ...names['KEEP-2']!].map((name) => basename(name));
    expect(left.toSorted()).toEqual([...kept, 'renamed.csv'].toSorted());
  });

  it('recognises a file that comes again after its rows are gone', async () => {
    const again = await createImportRegister(ledger.pool).register(
      {
        account: 'default',
        fileName: 'again.csv',
        sha256: sha,
        sizeBytes: 10,
        filePath: 'files/again.csv',
        quoteOnly: false,
        restored: false,
      },
      async () => false,
    );
    expect(again.state).toBe('repeated');
  });

  it('continues a run that was interrupted between two batches', async () => {
    const { importId } = await addImport('CUT-1', 'closed');
    await ledger.pool.query('update imports set rows_pruned_at = now() where id = $1', [importId]);
    expect(await linesOf(importId)).toBe(2);
    await prune(101);
    expect(await linesOf(importId)).toBe(0);
  });

  it('removes in many steps exactly what is old, among rows of others', async () => {
    const { pool } = ledger;
    const { importId: old, id: ofOld } = await addImport('MANY-1', 'closed');
    const { importId: open, id: ofOpen } = await addImport('MANY-2', 'held');
    const many = 1_700;
    for (const [importId, poNumber] of [
      [old, 'MANY-1'],
      [open, 'MANY-2'],
    ]) {
      await pool.query(
        `insert into lines (import_id, row_number, po_number, quantity) select $1, n, $2, 1 from generate_series(4, 3 + $3::int) n`,
        [importId, poNumber, many],
      );
      // Several changes of one row, so that a step can end between them.
      await pool.query(
        `insert into row_issues (import_id, row_number, column_name, code, message)
         select $1, 10 + n / 700, 'sku', 'x', 'y' from generate_series(1, $2::int) n`,
        [importId, many],
      );
    }
    // Changes of both, alternating in age.
    await pool.query(
      `insert into status_changes (order_id, field, became, seen_at)
       select (select id from orders where purchase_order_id = case n % 2 when 0 then $1::bigint else $2::bigint end), 'order_status', n::text,
         now() + case n % 3 when 0 then interval '60 days' else interval '0' end
       from generate_series(1, $3::int) n`,
      [ofOld, ofOpen, many],
    );
    const dry = counts(await prune(101, true));
    expect(dry['default rows']).toBe(2 * many + 3);
    expect(counts(await prune(101))).toEqual(dry);
    expect(await linesOf(old)).toBe(0);
    expect(await linesOf(open)).toBe(many + 2);
    const { rows } = await pool.query(
      `select o.purchase_order_id as po, count(*)::int as n, count(*) filter (where c.seen_at < now() + interval '1 day')::int as old
       from status_changes c join orders o on o.id = c.order_id where o.purchase_order_id in ($1, $2) group by 1 order by 1`,
      [ofOld, ofOpen],
    );
    const young = many / 2 / 3;
    expect(rows).toEqual([
      { po: ofOld, n: Math.floor(young), old: 0 },
      { po: ofOpen, n: many / 2 + 1, old: expect.any(Number) },
    ]);
    expect(counts(await prune(101))).toEqual({});
  });
});
