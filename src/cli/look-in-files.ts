import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FilesAnswer } from '../api-contract/search.ts';
import type { Account } from '../config/config.ts';
import { type KeptFile, listKeptFiles, listSimilarPos } from '../ledger/console/unread-files.ts';
import type { Runtime } from '../worker/open-runtime.ts';
import { listInbox } from './inbox-files.ts';

type Looked = Pick<Runtime, 'config'> & { pool: Runtime['ledger']['pool'] };

/** Larger files are not searched, so that the answer comes at once. */
const mostBytes = 20 * 1_048_576;
const mostFiles = 200;
/** For all files together. */
const patienceMs = 5_000;

interface Candidate {
  account: Account;
  fileName: string;
  path: string;
  importId: string | null;
  /** Why its rows are not POs, as a clause. */
  why: string;
  /** When it arrived. */
  at: string;
}

const whyOfState = ({ state, reasonText }: KeptFile): string => {
  switch (state) {
    case 'waiting':
      return `the file waits for somebody to say what it means: ${reasonText ?? ''}`;
    case 'refused':
      return `the file was refused: ${reasonText ?? ''}`;
    case 'taken':
      return 'the file was picked up and is about to be read';
    default:
      return 'the file was read, and this number became no PO of it: see its issues and the rows that were left out';
  }
};

const search = async (
  { config, pool }: Looked,
  poNumber: string,
  accounts: readonly string[],
): Promise<FilesAnswer> => {
  // Rarely needed, and the modules for reading files are a third of what a command loads.
  const { rowsWithText } = await import('../intake/rows-with-text.ts');
  const signal = AbortSignal.timeout(patienceMs);
  const mine = config.accounts.filter(({ name }) => accounts.includes(name));
  const kept = await listKeptFiles(
    pool,
    mine.map(({ name }) => name),
    mostFiles,
  );
  const inInboxes = await Promise.all(mine.map((account) => listInbox(pool, account)));
  const similar = await listSimilarPos(pool, accounts, poNumber);
  const isPo = similar.some((one) => one.poNumber.toLowerCase() === poNumber.toLowerCase());
  const candidates: Candidate[] = [
    ...inInboxes.flat().map((file) => ({
      ...file,
      importId: null,
      why: `the file is ${file.why}`,
      at: file.at.toISOString(),
    })),
    ...kept.flatMap((file): Candidate[] => {
      // The number is a PO there, in another case.
      if (file.state === 'read' && isPo) return [];
      const account = mine.find(({ name }) => name === file.account)!;
      return [
        {
          account,
          fileName: file.fileName,
          path: join(account.folder, file.filePath),
          importId: file.importId,
          why: whyOfState(file),
          at: file.takenAt,
        },
      ];
    }),
  ];
  const answer: FilesAnswer = {
    found: [],
    similar,
    looked: 0,
    notLooked: 0,
    since: null,
  };
  for (const { account, fileName, path, importId, why, at } of candidates) {
    const size = (await stat(path).catch(() => undefined))?.size;
    const rows =
      size === undefined || size > mostBytes || signal.aborted
        ? undefined
        : await rowsWithText({ path, fileName, options: account.intake, signal }, poNumber).catch(
            () => undefined,
          );
    if (rows === undefined) answer.notLooked += 1;
    else {
      answer.looked += 1;
      if (answer.since === null || at < answer.since) answer.since = at;
    }
    const isInName = fileName.toLowerCase().includes(poNumber.toLowerCase());
    if (rows?.length || isInName)
      answer.found.push({ account: account.name, fileName, importId, rows: rows ?? [], why });
  }
  return answer;
};

let last: Promise<unknown> = Promise.resolve();

/**
 * Searches for a PO number that the ledger does not have in files of this machine: in inboxes, waiting, refused, and the latest that were
 * read; and for similar numbers in the ledger. Compares cells without interpreting columns, because a guess could be wrong. Changes
 * nothing. Stops after five seconds, and counts the files that it did not search. One search at a time, because files are read in this
 * process, which many concurrent searches would slow down.
 */
export const lookInFiles = (...asked: Parameters<typeof search>): Promise<FilesAnswer> => {
  const mine = last.then(() => search(...asked));
  last = mine.catch(() => {});
  return mine;
};
