import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restoreBackup } from '../../src/ledger/backup/restore-backup.ts';
import { writeBackup } from '../../src/ledger/backup/write-backup.ts';
import { createPool } from '../../src/ledger/pool.ts';
import { silentLogger } from '../../src/logger.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertImport, insertRow, useTestLedger } from '../support/ledger-rows.ts';

const about = { version: '1.2.3', configuration: 'accounts: {}\n' };
const times = { where: 'the test', settle: { byAccount: { default: 90_000 }, others: 60_000 } };

/** Every table as text, row by row, without data that a restore omits or changes. */
const contentOf = async (pool: pg.Pool): Promise<Record<string, string[]>> => {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'cartwright'::regnamespace
       and relname <> all('{call_shares,console_sessions,console_sign_ins,workers,account_states,migrations,notification_kinds}') order by 1`,
  );
  const content: Record<string, string[]> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${name} t order by 1`);
    content[name] = rows.map(({ row }) => row);
  }
  return content;
};

describe('a backup of a ledger', () => {
  const ledger = useTestLedger();
  let folder: string;
  let file: string;
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let empty: pg.Pool;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cartwright-backup-'));
    file = join(folder, 'one.backup');
    database = await createTestDatabase();
    empty = createPool(database.url, { max: 2, logger: silentLogger });
    const { pool } = ledger;
    const importId = await insertImport(pool, { file_name: 'a\tb\\.\n\\.\ncsv "ü" 🛒' });
    const repeats = await insertImport(pool, {
      file_name: '\\.',
      state: 'repeated',
      repeats_import_id: importId,
    });
    const po = { account: 'default', import_id: importId, first_row: 2, line_count: 1, content_hash: 'x' };
    const id = await insertRow(pool, 'purchase_orders', {
      ...po,
      po_number: 'PO-1',
      po_key: 'po-1',
      state: 'ready',
      baseline: ['1', '\\N', 'NULL'],
    });
    await insertRow(pool, 'intents', { purchase_order_id: id, epoch: 0, step: 'create_cart' });
    await pool.query(
      `insert into lines (import_id, row_number, po_number, item_sku, quantity, expected_price)
       select $1, n, 'PO-1', 'SKU\\.' || n, n, 1.50 from generate_series(2, 3000) n`,
      [importId],
    );
    await insertRow(pool, 'repeated_purchase_orders', {
      import_id: repeats,
      po_number: 'PO-1',
      first_row: 2,
      line_count: 1,
      purchase_order_id: id,
    });
    await insertRow(pool, 'workers', { id: '00000000-0000-4000-8000-000000000001', host: 'old', pid: 1 });
    await writeBackup(pool, file, about);
  });
  afterAll(async () => {
    await empty.end();
    await database.drop();
    await rm(folder, { recursive: true });
  });

  const isEmpty = async () =>
    (await empty.query(`select to_regclass('cartwright.imports') is null as empty`)).rows[0].empty;
  const refusal = (path: string): Promise<{ code: string; message: string }> =>
    restoreBackup(empty, path, times).then(
      () => {
        throw new Error('it was restored');
      },
      (thrown) => thrown,
    );
  const damaged = async (name: string, content: Buffer): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, content);
    return path;
  };

  it('that is cut off is refused in one sentence, and nothing is restored', async () => {
    const whole = await readFile(file);
    for (const share of [0.01, 0.3, 0.7, 0.99]) {
      const path = await damaged('cut.backup', whole.subarray(0, whole.length * share));
      const { code, message } = await refusal(path);
      expect(code).toBe('backup_damaged');
      expect(message).toBe(
        `${path} is cut off, so nothing was restored. Copy the whole backup again, or use another one.`,
      );
    }
    const text = gunzipSync(whole).toString();
    const lines = text.split('\n').slice(0, -2);
    const { message } = await refusal(await damaged('short.backup', gzipSync(`${lines.join('\n')}\n`)));
    expect(message).toContain('is cut off');
    expect(await isEmpty()).toBe(true);
  });

  it('that was altered is refused in one sentence, and nothing is restored', async () => {
    const text = gunzipSync(await readFile(file)).toString();
    const alterations: [string, string][] = [
      ['\t\\N\t7\t', '\t\\N\t8\t'],
      ['ready', 'ordered'],
      ['1.50', 'one and a half'],
      ['"table":"lines"', '"table":"rows"'],
      ['"kind":"table"', '"kind":"chair"'],
      ['{"kind":"sequences"', '{"kind":"sequences'],
    ];
    for (const [was, becomes] of alterations) {
      const content = text.replace(was, becomes);
      expect(content).not.toBe(text);
      const { code, message } = await refusal(await damaged('altered.backup', gzipSync(content)));
      expect({ was, code }).toEqual({ was, code: 'backup_damaged' });
      expect(message).toContain('is damaged or was altered, so nothing was restored. Use another backup.');
    }
    const bytes = Buffer.from(await readFile(file));
    // The end is the checksum of the text; a flipped bit elsewhere may decode to the same text.
    bytes[bytes.length - 8]! ^= 1;
    expect((await refusal(await damaged('bit.backup', bytes))).code).toBe('backup_damaged');
    expect(await isEmpty()).toBe(true);
  });

  it('of a later version, and what is no backup, are refused by name', async () => {
    const text = gunzipSync(await readFile(file)).toString();
    const later = text.replace('cartwright backup 1', 'cartwright backup 2');
    expect(await refusal(await damaged('later.backup', gzipSync(later)))).toMatchObject({
      code: 'backup_newer',
    });
    const migrated = text.replace('"migrations":[', '"migrations":[{"name":"999-later.sql","sha256":"x"},');
    const { code, message } = await refusal(await damaged('migrated.backup', gzipSync(migrated)));
    expect(code).toBe('backup_newer');
    expect(message).toContain('999-later.sql');
    for (const content of [Buffer.from('po_number,item\n'), gzipSync('po_number,item\n'), gzipSync('x')]) {
      expect((await refusal(await damaged('other.backup', content))).code).toMatch(
        /^backup_(unknown|damaged)$/,
      );
    }
    expect((await refusal(join(folder, 'none.backup'))).code).toBe('backup_missing');
    expect(await isEmpty()).toBe(true);
  });

  it('restores every row and every sequence, and pauses its accounts until no earlier call can take effect', async () => {
    const restored = await restoreBackup(empty, file, times);
    expect(restored).toMatchObject({ imports: 2, purchaseOrders: 1, open: 1, head: about });
    const { feed_head: head, ...content } = await contentOf(empty);
    const { feed_head: headBefore, ...before } = await contentOf(ledger.pool);
    expect(content).toEqual(before);
    // Cursors of the lost ledger are invalid in this one.
    expect(head).not.toEqual(headBefore);
    const { rows: next } = await empty.query(
      `select nextval('imports_id_seq')::int as import, nextval('purchase_orders_id_seq')::int as po`,
    );
    expect(next).toEqual([{ import: 3, po: 2 }]);
    const { rows: gone } = await empty.query('select from workers');
    expect(gone).toHaveLength(0);
    const { rows: pauses } = await empty.query(
      `select account, pause_code as code, paused_until > now() + interval '1 minute' as long from account_states`,
    );
    expect(pauses).toEqual([{ account: 'default', code: 'restored', long: true }]);
    const references = `select conname from pg_constraint where contype = 'f' and connamespace = 'cartwright'::regnamespace order by 1`;
    expect((await empty.query(references)).rows).toEqual((await ledger.pool.query(references)).rows);

    // A second restore must not overwrite the first.
    const { code, message } = await refusal(file);
    expect(code).toBe('ledger_not_empty');
    expect(message).toContain('The ledger in the test is not empty: it has imported files.');
  });
});
