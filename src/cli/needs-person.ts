import type pg from 'pg';
import {
  listNotOrdered,
  listOpenFiles,
  type NotOrdered,
  type OpenFile,
  rowsOfNoPo,
} from '../ledger/console/needs-person.ts';
import { shellWord } from '../shell-word.ts';
import type { HealthProblem } from './health-check.ts';
import { count, showFileName, showText } from './output/show-text.ts';

/** Something for a person to do: a problem, or a correction by the dealer that does not hold up anything else. */
export interface Need extends Omit<HealthProblem, 'code'> {
  code: HealthProblem['code'] | 'failed' | 'rejected' | 'refused' | typeof rowsOfNoPo;
}

const aboutPos = (group: NotOrdered): Need => {
  const { account, state, message, n, isCut, poNumber, poNumbers, files, reasonCode } = group;
  const [file] = files;
  // If there are many, filter by reason: others of the file may have failed for the same reason with another text.
  const areNamed = poNumbers.length === n;
  const of = file && (files.length === 1 || !areNamed) ? ` --import ${file.importId}` : '';
  const settle = `cartwright settle${areNamed ? ` ${poNumbers.map(shellWord).join(' ')}` : ''}${of}${!areNamed && reasonCode ? ` --reason ${reasonCode}` : ''}`;
  const where = file ? ` in ${showFileName(file.fileName)}${files.length > 1 ? ' and other files' : ''}` : '';
  const named =
    n === 1
      ? `PO ${showText(poNumber)} ${state}`
      : `${isCut ? `more than ${count(n - 1, 'PO')}` : count(n, 'PO')} ${state}, such as ${showText(poNumber)},`;
  const why = message === null ? '' : `: ${showText(message.replace(/\.$/, ''))}`;
  return {
    code: state,
    account,
    message: `${account}: ${named}${where}${why}. The result file names the rows: correct them and drop the file again, or say that nothing is left to do with \`${settle}\`.`,
  };
};

const aboutFile = ({ id, account, fileName, reasonCode, reasonText }: OpenFile): Need => {
  const isRead = reasonCode === rowsOfNoPo;
  const why = showText((reasonText ?? '').replace(/\.$/, ''));
  return {
    code: isRead ? rowsOfNoPo : 'refused',
    account,
    message: `${account}: ${showFileName(fileName)} ${isRead ? 'is not complete' : 'was refused'}: ${why}. Drop ${isRead ? 'the whole file' : 'it'} again when it is corrected, or run \`cartwright settle --import ${id}\`.`,
  };
};

/** Unsettled failed and rejected POs by cause, and files of the last week that were refused or have rows without a PO. */
export const listNotOrderedNeeds = async (pool: pg.Pool, accounts: readonly string[]): Promise<Need[]> => [
  ...(await listNotOrdered(pool, accounts)).map(aboutPos),
  ...(await listOpenFiles(pool, accounts)).map(aboutFile),
];
