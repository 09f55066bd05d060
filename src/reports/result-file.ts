import { extname, join } from 'node:path';
import type { IntakeOptions } from '../intake/options.ts';
import type { FileFormat } from '../intake/types.ts';
import { placeFile } from '../place-file.ts';
import { plainCsv, writeCsvFile } from './csv-file.ts';
import { writeResultCsv } from './result-csv.ts';
import { resultName } from './result-name.ts';
import { openResult } from './result-rows.ts';
import { summarySheet, writeResultXlsx } from './result-xlsx.ts';
import { summaryOf } from './summary.ts';
import type { ImportFacts, ResultLedger, ResultRegister, ResultWritten } from './types.ts';
import { writeWorkbook } from './workbook/write-workbook.ts';

export interface ResultAccount {
  /** The account's folder, absolute. */
  folder: string;
  /** How its files are read. */
  intake: IntakeOptions;
}

export interface ResultRequest {
  importId: string;
  register: ResultRegister;
  accountOf(name: string): ResultAccount;
  /** Writes it also when nothing has changed since it was written. */
  force?: boolean;
  /** For tests: a moment at which a process is stopped. */
  checkpoint?: ((fileName: string) => Promise<void>) | undefined;
}

const workbookEndings = new Set(['.xlsx', '.xlsm', '.xlsb', '.xls', '.ods']);

/** What it was read as; of a file that could not be read only its name tells. */
const formatOf = ({ detection, fileName }: ImportFacts): FileFormat | 'refused workbook' | 'refused csv' =>
  detection?.format ??
  (workbookEndings.has(extname(fileName).toLowerCase()) ? 'refused workbook' : 'refused csv');

const sendAgain = 'Mend the file as this says and send it again. Nothing of it was ordered.';

async function* once<T>(rows: T): AsyncGenerator<T> {
  yield rows;
}

/** A file that was refused as a whole has no rows to answer: the answer is why. */
const writeRefusal = (path: string, facts: ImportFacts, asWorkbook: boolean): Promise<void> => {
  const heads = ['Cartwright: file', 'Cartwright: state', 'Cartwright: issue', 'Cartwright: what to do'];
  const answer = [facts.fileName, 'refused', facts.reasonText ?? '', sendAgain];
  if (!asWorkbook) return writeCsvFile(path, once([heads, answer]), plainCsv, []);
  const rows = heads.map((head, at) => ({ cells: [head.replace('Cartwright: ', ''), '', '', answer[at]] }));
  return writeWorkbook(path, [summarySheet('Summary', [{ bold: true, cells: ['Refused'] }, ...rows])], 0);
};

const writeResult = async (path: string, ledger: ResultLedger, account: ResultAccount): Promise<void> => {
  const { facts } = ledger;
  const format = formatOf(facts);
  if (!facts.detection) return writeRefusal(path, facts, format === 'refused workbook');
  const totals = format === 'csv' ? undefined : await ledger.totals();
  const result = await openResult(ledger, {
    path: join(account.folder, facts.filePath),
    options: account.intake,
  });
  try {
    if (!totals) return await writeResultCsv(path, result, facts.detection);
    const asked = account.intake.sheet;
    return await writeResultXlsx(path, result, summaryOf(facts, totals), {
      sheet: facts.detection.sheet ?? 'Sheet1',
      sheetNumber: typeof asked === 'number' ? asked : undefined,
    });
  } finally {
    result.close();
  }
};

/**
 * Writes the result file of an import into its account's results/: the dealer's own columns and rows in their order,
 * with our columns at the right, in the format in which it came (XLS, XLSB and ODS as XLSX). It is written beside and
 * renamed, so that an older one is replaced whole or not at all. Idempotent; one writer at a time over all processes.
 *
 * @returns `written` with the path relative to the account's folder
 * @throws what the file system or the ledger throws; the result then stays due
 */
export const writeResultFile = (request: ResultRequest): Promise<ResultWritten> => {
  const { importId, register, accountOf, force = false, checkpoint } = request;
  return register.write(importId, { force }, async (ledger) => {
    const { facts } = ledger;
    const account = accountOf(facts.account);
    const format = formatOf(facts);
    const path = join(
      'results',
      resultName(facts, format === 'csv' || format === 'refused csv' ? 'csv' : 'xlsx'),
    );
    await placeFile(join(account.folder, path), async (temporaryPath) => {
      await writeResult(temporaryPath, ledger, account);
      await checkpoint?.(facts.fileName);
    });
    return { path };
  });
};
