import type pg from 'pg';
import type { FileActionAnswer } from '../console/api/schemas/actions.ts';
import type { ImportDetail } from '../console/api/schemas/imports.ts';
import { userName } from '../file-access.ts';
import { countImports, type ImportCounts } from '../ledger/import-counts.ts';
import { findImport } from '../ledger/imports.ts';
import { actOnFiles } from '../ledger/settle-imports.ts';
import type { ActionCommand, ActionOptions } from './action-commands.ts';
import { confirm } from './confirm.ts';
import type { ExitCode } from './exit-codes.ts';
import { showFileName } from './output/show-text.ts';
import type { RemoteConsole } from './remote/call-console.ts';
import type { CommandContext } from './run-command.ts';

type Context = Pick<CommandContext, 'terminal'>;

/** `settle` and `unsettle` with nothing but an import may mean the file itself. */
export const mayMeanFile = (
  { action }: ActionCommand,
  poNumbers: readonly string[],
  { account, import: importId, reason }: ActionOptions,
): boolean =>
  (action === 'settle' || action === 'unsettle') &&
  importId !== undefined &&
  account === undefined &&
  reason === undefined &&
  poNumbers.length === 0;

/** POs that failed or were rejected are settled first: then the same command says it of the rows. */
const isOfRows = ({ rowsWithoutPo, counts }: Pick<ImportCounts, 'rowsWithoutPo' | 'counts'>): boolean =>
  rowsWithoutPo > 0 && !counts.failed && !counts.rejected;

const act = async (
  { terminal }: Context,
  { action, verb, done }: ActionCommand,
  { fileName, yes, isRead }: { fileName: string; yes: boolean | undefined; isRead: boolean },
  run: () => Promise<boolean>,
): Promise<ExitCode> => {
  const what = isRead ? 'the rows that belong to no PO, of' : 'the refused file';
  const file = `${what} ${showFileName(fileName)}`;
  if (!(await confirm(terminal, `${verb} ${file}`, yes))) return 'notAllDone';
  const isDone = await run();
  terminal.answer({ file: fileName, done: isDone });
  terminal.say(
    isDone
      ? `${done} ${file}.`
      : `Nothing was changed: ${file} is ${action === 'settle' ? 'settled already' : 'not settled'}.`,
  );
  return isDone ? 'fine' : 'notAllDone';
};

/**
 * Settles a file that was refused, or the rows of one that belong to no PO, or takes that back; undefined: it is about the POs of the import.
 */
export const settleFile = async (
  context: Context,
  pool: pg.Pool,
  command: ActionCommand,
  options: ActionOptions,
): Promise<ExitCode | undefined> => {
  const importId = options.import!;
  const found = await findImport(pool, { importId });
  const counts = (await countImports(pool, [importId]))[0];
  if (!found || !counts || !(found.state === 'refused' || isOfRows(counts))) return undefined;
  const action = command.action as 'settle' | 'unsettle';
  const by = { who: userName(), note: options.note };
  return act(
    context,
    command,
    { fileName: found.fileName, yes: options.yes, isRead: found.state === 'read' },
    async () => {
      const done = await actOnFiles(pool, action, [importId], null, by);
      return done.length > 0;
    },
  );
};

/** The same through a running console. */
export const settleRemoteFile = async (
  context: Context,
  remote: RemoteConsole,
  command: ActionCommand,
  options: ActionOptions,
): Promise<ExitCode | undefined> => {
  const importId = options.import!;
  const found = await remote.get<ImportDetail>(`/imports/${importId}`);
  const isRefused = found.actions.some(({ action }) => action === 'unsettle' || action === 'assign');
  if (!isRefused && !isOfRows({ ...found, counts: found.states })) return undefined;
  const { action } = command;
  return act(
    context,
    command,
    { fileName: found.fileName, yes: options.yes, isRead: !isRefused },
    async () => {
      const { answer } = await remote.try<FileActionAnswer>('/imports/actions', {
        ...{ action, ids: [importId], note: options.note },
      });
      return answer !== undefined;
    },
  );
};
