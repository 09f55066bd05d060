import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileAccess } from '../file-access.ts';
import type { IntakeOptions } from '../intake/options.ts';
import { summaryNames } from '../intake/own-columns.ts';
import { purchaseFileEnding, textEndings } from '../intake/purchase-file-ending.ts';
import type { Detection } from '../intake/types.ts';
import { placeFile } from '../place-file.ts';
import { plainCsv, writeCsvFile } from './csv-file.ts';
import { hasNotOrdered, onlyNotOrdered } from './not-ordered.ts';
import { writeResultCsv } from './result-csv.ts';
import { writeResultJson } from './result-json.ts';
import { resultName } from './result-name.ts';
import { type OpenedResult, openResult } from './result-rows.ts';
import { summarySheet, writeResultXlsx } from './result-xlsx.ts';
import { summaryOf } from './summary.ts';
import type { ImportFacts, ImportTotals, ResultLedger, ResultRegister, ResultWritten } from './types.ts';
import { inOneBatch } from './workbook/sheet-xml.ts';
import { writeWorkbook } from './workbook/write-workbook.ts';

export interface ResultAccount {
  /** The account's folder, absolute. */
  folder: string;
  intake: IntakeOptions;
  /** If it contains `json`, results are also written as JSON. */
  reportFormats: readonly string[];
  /** Permissions of result files; by default only the owner can read them. */
  access?: FileAccess;
}

export interface ResultRequest {
  importId: string;
  register: ResultRegister;
  accountOf(name: string): ResultAccount;
  /** Write the file even if nothing has changed since the last time. */
  force?: boolean;
  /** Called once the file is at its final path. */
  onWritten?: (written: {
    path: string;
    /** It seems to be the first result file of the import. */
    isNew: boolean;
    facts: ImportFacts;
    states: ImportTotals['states'];
  }) => void;
  /** For tests: the point at which they stop the process. */
  checkpoint?: ((fileName: string) => Promise<void>) | undefined;
}

/** A file whose name says nothing of its format is answered as a text. */
const isTextName = (fileName: string): boolean => {
  const ending = purchaseFileEnding(fileName);
  return ending === undefined || textEndings.includes(ending);
};

/** The format of an import's result file. For a file that could not be read, only its name is known. */
const formatOf = ({ detection, fileName }: ImportFacts): 'csv' | 'xlsx' =>
  (detection ? detection.format === 'csv' : isTextName(fileName)) ? 'csv' : 'xlsx';

const copyOf = (facts: ImportFacts, account: ResultAccount) => ({
  path: join(account.folder, facts.filePath),
  options: account.intake,
});

const sendAgain = 'Correct the file and send it again. Nothing in it was ordered.';

/** Writes the reason why a whole file was refused; such a result has no rows. */
const writeRefusal = (path: string, facts: ImportFacts, asWorkbook: boolean): Promise<void> => {
  const heads = ['Cartwright: file', 'Cartwright: state', 'Cartwright: issue', 'Cartwright: what to do'];
  const answer = [facts.fileName, 'refused', facts.reasonText ?? '', sendAgain];
  if (!asWorkbook) return writeCsvFile(path, inOneBatch([heads, answer]), plainCsv, []);
  const rows = heads.map((head, at) => ({ cells: [head.replace('Cartwright: ', ''), '', '', answer[at]] }));
  return writeWorkbook(
    path,
    [summarySheet(summaryNames[0], [{ bold: true, cells: ['Refused'] }, ...rows])],
    0,
  );
};

/** @param part all rows, or only those to correct */
const writeRows = async (
  path: string,
  { ledger, account, detection }: { ledger: ResultLedger; account: ResultAccount; detection: Detection },
  part: (result: OpenedResult) => OpenedResult,
): Promise<void> => {
  const { facts } = ledger;
  // Read the totals first, because the summary sheet comes before the rows.
  const summary = detection.format === 'csv' ? undefined : summaryOf(facts, await ledger.totals());
  const opened = await openResult(ledger, copyOf(facts, account));
  const result = part(opened);
  try {
    if (!summary) return await writeResultCsv(path, result, detection);
    return await writeResultXlsx(path, result, summary, detection.sheet ?? 'Sheet1', facts.asOf);
  } finally {
    opened.close();
  }
};

const writeAnswer = (path: string, ledger: ResultLedger, account: ResultAccount): Promise<void> => {
  const { facts } = ledger;
  const { detection } = facts;
  if (!detection) return writeRefusal(path, facts, formatOf(facts) === 'xlsx');
  return writeRows(path, { ledger, account, detection }, (result) => result);
};

const writeNotOrdered = (path: string, ledger: ResultLedger, account: ResultAccount): Promise<void> =>
  writeRows(path, { ledger, account, detection: ledger.facts.detection! }, onlyNotOrdered);

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
 * Writes the result file of an import to the account's results/: the dealer's rows and columns in their order, with our
 * columns to the right, in the format of the purchase file (all but CSV as XLSX); also as JSON if the account's
 * reports include that format. Also writes a file of the rows to correct beside it, if there are any. Files are replaced
 * atomically. Idempotent; one writer at a time across all processes.
 *
 * @returns `written` with the path relative to the account's folder
 * @throws errors of the file system or the ledger; the result then stays due
 */
export const writeResultFile = (request: ResultRequest): Promise<ResultWritten> => {
  const { importId, register, accountOf, force = false, checkpoint, onWritten } = request;
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
    const path = join('results', resultName(facts, formatOf(facts)));
    const left = join('results', resultName(facts, formatOf(facts), 'not-ordered'));
    const totals = await ledger.totals();
    if (facts.detection && hasNotOrdered(totals)) await place(left, writeNotOrdered);
    else await rm(join(account.folder, left), { force: true });
    const isNew = !existsSync(join(account.folder, path));
    await place(path, writeAnswer);
    onWritten?.({ path, isNew, facts, states: totals.states });
    return { path };
  });
};
