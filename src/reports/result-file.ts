import { extname, join } from 'node:path';
import type { FileAccess } from '../file-access.ts';
import type { IntakeOptions } from '../intake/options.ts';
import { placeFile } from '../place-file.ts';
import { summaryNames } from './answer-columns.ts';
import { plainCsv, writeCsvFile } from './csv-file.ts';
import { writeResultCsv } from './result-csv.ts';
import { writeResultJson } from './result-json.ts';
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
  /** With `json` results are written as JSON too. */
  reportFormats: readonly string[];
  /** Who may read its results; the owner alone unless told. */
  access?: FileAccess;
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

/** In which format an import is answered; of a file that could not be read only its name tells. */
const answersAs = ({ detection, fileName }: ImportFacts): 'csv' | 'xlsx' =>
  (detection ? detection.format === 'csv' : !workbookEndings.has(extname(fileName).toLowerCase()))
    ? 'csv'
    : 'xlsx';

const copyOf = (facts: ImportFacts, account: ResultAccount) => ({
  path: join(account.folder, facts.filePath),
  options: account.intake,
});

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
  return writeWorkbook(
    path,
    [summarySheet(summaryNames[0], [{ bold: true, cells: ['Refused'] }, ...rows])],
    0,
  );
};

const writeAnswer = async (path: string, ledger: ResultLedger, account: ResultAccount): Promise<void> => {
  const { facts } = ledger;
  const { detection } = facts;
  if (!detection) return writeRefusal(path, facts, answersAs(facts) === 'xlsx');
  // Asked first: the summary stands in front of the rows.
  const summary = detection.format === 'csv' ? undefined : summaryOf(facts, await ledger.totals());
  const result = await openResult(ledger, copyOf(facts, account));
  try {
    if (!summary) return await writeResultCsv(path, result, detection);
    return await writeResultXlsx(path, result, summary, detection.sheet ?? 'Sheet1');
  } finally {
    result.close();
  }
};

const writeJson = async (path: string, ledger: ResultLedger, account: ResultAccount): Promise<void> => {
  const { facts } = ledger;
  const totals = await ledger.totals();
  const result = facts.detection && (await openResult(ledger, copyOf(facts, account)));
  try {
    await writeResultJson(path, facts, totals, result);
  } finally {
    result?.close();
  }
};

/**
 * Writes the result file of an import into its account's results/: the dealer's own columns and rows in their order,
 * with our columns at the right, in the format in which it came (XLS, XLSB and ODS as XLSX); beside it the same as
 * JSON where the account's reports have that format. Written beside and renamed, so that an older one is replaced
 * whole or not at all. Idempotent; one writer at a time over all processes.
 *
 * @returns `written` with the path relative to the account's folder
 * @throws what the file system or the ledger throws; the result then stays due
 */
export const writeResultFile = (request: ResultRequest): Promise<ResultWritten> => {
  const { importId, register, accountOf, force = false, checkpoint } = request;
  return register.write(importId, { force }, async (ledger) => {
    const { facts } = ledger;
    const account = accountOf(facts.account);
    const place = (path: string, write: typeof writeAnswer) =>
      placeFile(
        join(account.folder, path),
        async (temporaryPath) => {
          await write(temporaryPath, ledger, account);
          await checkpoint?.(facts.fileName);
        },
        account.access?.file,
      );
    if (account.reportFormats.includes('json')) {
      await place(join('results', resultName(facts, 'json')), writeJson);
    }
    const path = join('results', resultName(facts, answersAs(facts)));
    await place(path, writeAnswer);
    return { path };
  });
};
