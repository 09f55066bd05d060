import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type pg from 'pg';
import { specCodeLists } from '../../../src/contract/carts.ts';
import { importPurchaseFile } from '../../../src/intake/import-purchase-file.ts';
import { makeAccountFolders } from '../../../src/intake/inbox/account-folders.ts';
import { type IntakeOptions, intakeOptionsSchema } from '../../../src/intake/options.ts';
import { createResultRegister } from '../../../src/ledger/result-register.ts';
import { stageImport } from '../../../src/ledger/staging.ts';
import { type ResultRequest, writeResultFile } from '../../../src/reports/result-file.ts';
import type { ResultWritten } from '../../../src/reports/types.ts';
import { createTestLedger } from '../../support/ledger-rows.ts';

/** A ledger and an account's folder, in which files are imported and results written. */
export interface ReportDesk {
  pool: pg.Pool;
  folder: string;
  /**
   * Imports a file like the worker, without placing anything; returns the import's id. Each file belongs to a new account
   * unless one is given.
   */
  take(
    name: string,
    content: string | Buffer,
    options?: { intake?: object; account?: string },
  ): Promise<string>;
  /** Sets columns of a PO, like placing would. */
  set(importId: string, poNumber: string, columns: Record<string, unknown>): Promise<void>;
  write(importId: string, more?: Partial<ResultRequest>): Promise<ResultWritten>;
  /** Writes the result and returns its absolute path. */
  result(importId: string): Promise<string>;
  /** The rows of a CSV result, header first. */
  csv(importId: string, delimiter?: string): Promise<string[][]>;
  close(): Promise<void>;
}

export const openReportDesk = async (): Promise<ReportDesk> => {
  const { pool, drop } = await createTestLedger();
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-reports-'));
  await makeAccountFolders(folder);
  const register = createResultRegister(pool);
  let accounts = 0;
  const reportFormats = ['csv', 'xlsx', 'json'];
  let intake: IntakeOptions = intakeOptionsSchema.parse({});

  const write: ReportDesk['write'] = (importId, more = {}) =>
    writeResultFile({ importId, register, accountOf: () => ({ folder, intake, reportFormats }), ...more });
  const result: ReportDesk['result'] = async (importId) => {
    const written = await write(importId, { force: true });
    if (written.kind !== 'written') throw new Error(`the result was not written: ${written.kind}`);
    return join(folder, written.path);
  };
  return {
    pool,
    folder,
    take: async (name, content, options = {}) => {
      accounts += 1;
      const { account = `dealer-${accounts}` } = options;
      intake = intakeOptionsSchema.parse(options.intake ?? {});
      const filePath = `files/${randomUUID()}${extname(name)}`;
      await writeFile(join(folder, filePath), content);
      const { rows } = await pool.query<{ id: string }>(
        `insert into imports (account, file_name, sha256, size_bytes, file_path) values ($1, $2, '', 0, $3) returning id`,
        [account, name, filePath],
      );
      const importId = rows[0]!.id;
      await stageImport(pool, importId, (stage) =>
        importPurchaseFile({
          path: join(folder, filePath),
          fileName: name,
          options: intake,
          codeLists: specCodeLists,
          stage,
        }),
      );
      return importId;
    },
    set: async (importId, poNumber, columns) => {
      const names = Object.keys(columns);
      await pool.query(
        `update purchase_orders set ${names.map((name, at) => `${name} = $${at + 3}`).join(', ')}
         where import_id = $1 and po_number = $2`,
        [importId, poNumber, ...Object.values(columns)],
      );
    },
    write,
    result,
    csv: async (importId, delimiter = ',') =>
      parse(await readFile(await result(importId)), { delimiter, bom: true, relax_column_count: true }),
    close: async () => {
      await drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
