import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { specCodeLists } from '../../src/contract/carts.ts';
import { type ImportRequest, importPurchaseFile } from '../../src/intake/import-purchase-file.ts';
import { intakeOptionsSchema } from '../../src/intake/options.ts';
import type { Stage } from '../../src/intake/types.ts';
import { stageImport } from '../../src/ledger/staging.ts';
import { insertRow, useTestLedger } from '../support/ledger-rows.ts';

type OptionInput = Parameters<typeof intakeOptionsSchema.parse>[0];

export const header = 'po_number,ship_name,item_sku,quantity\n';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** A ledger for all tests of a file, into which they stage files from text. */
export const useStaging = () => {
  const ledger = useTestLedger();
  let folder: string;
  let accounts = 0;
  let files = 0;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'cartwright-staging-'));
  });
  // After every test, the stored numbers for counting closed POs must be correct.
  afterEach(async () => {
    const { rows } = await ledger.pool.query(
      `select id, po_count, (select count(*)::int from purchase_orders p where p.import_id = i.id) as found
       from imports i where state = 'read'`,
    );
    for (const { id, po_count, found } of rows) expect(po_count, `po_count of import ${id}`).toBe(found);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const query = (sql: string, values: unknown[]) => ledger.pool.query(sql, values);

  const newAccount = () => {
    accounts += 1;
    return `dealer ${accounts}`;
  };

  const newImport = (
    account: string,
    text: string,
    fileName = 'orders.csv',
    quoteOnly = false,
    restored = false,
  ) =>
    insertRow(ledger.pool, 'imports', {
      account,
      file_name: fileName,
      sha256: hashOf(text),
      size_bytes: 0,
      file_path: '',
      quote_only: quoteOnly,
      restored,
    });

  const read = async (
    stage: Stage,
    text: string,
    options: OptionInput = {},
    more: Pick<ImportRequest, 'layouts' | 'waitsForNews' | 'identity'> = {},
  ) => {
    files += 1;
    const file = path.join(folder, `${files}.csv`);
    await writeFile(file, text);
    return importPurchaseFile({
      path: file,
      fileName: 'orders.csv',
      options: intakeOptionsSchema.parse(options),
      codeLists: specCodeLists,
      stage,
      ...more,
    });
  };

  const stageText = async (
    account: string,
    text: string,
    more: {
      options?: OptionInput;
      fileName?: string;
      quoteOnly?: boolean;
      restored?: boolean;
    } = {},
  ) => {
    const importId = await newImport(account, text, more.fileName, more.quoteOnly, more.restored);
    const identity = { account, day: '2026-11-26', sha256: hashOf(text) };
    const staged = await stageImport(ledger.pool, importId, (stage) =>
      read(stage, text, more.options, { identity }),
    );
    return { importId, staged, counts: staged.kind === 'staged' ? staged.counts : undefined };
  };
  const ordersOf = async (importId: string) =>
    (
      await query(
        `select po_number, state, reason_code, reason_text, first_row, line_count, options
         from purchase_orders where import_id = $1 order by id`,
        [importId],
      )
    ).rows;
  const count = async (table: string, importId: string) =>
    Number((await query(`select count(*) from ${table} where import_id = $1`, [importId])).rows[0].count);
  const setState = (importId: string, state: string) =>
    query('update purchase_orders set state = $2 where import_id = $1', [importId, state]);
  return {
    get pool() {
      return ledger.pool;
    },
    newAccount,
    newImport,
    read,
    stageText,
    ordersOf,
    count,
    setState,
  };
};
