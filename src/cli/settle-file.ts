import type pg from 'pg';
import { actOn, doneTo } from '../api-contract/action-words.ts';
import type { FileActionAnswer } from '../api-contract/actions.ts';
import { userName } from '../file-access.ts';
import { countImports } from '../ledger/import-counts.ts';
import { findImport } from '../ledger/imports.ts';
import { findActionTargets } from '../ledger/po/operator-actions.ts';
import { actOnFiles } from '../ledger/settle-imports.ts';
import type { ActionCommand, ActionOptions } from './action-commands.ts';
import { confirm } from './confirm.ts';
import type { ExitCode } from './exit-codes.ts';
import { showFileName } from './output/show-text.ts';
import { readRemoteImport } from './remote/assert-known.ts';
import type { RemoteConsole } from './remote/call-console.ts';
import type { CommandContext } from './run-command.ts';

type Context = Pick<CommandContext, 'terminal'>;

/** `settle` and `unsettle` with only an import may mean the file itself. */
export const mayMeanFile = (
  { action }: ActionCommand,
  poNumbers: readonly string[],
  { import: importId, reason }: ActionOptions,
): boolean =>
  (action === 'settle' || action === 'unsettle') &&
  importId !== undefined &&
  reason === undefined &&
  poNumbers.length === 0;

const act = async (
  { terminal }: Context,
  { action }: ActionCommand,
  {
    fileName,
    yes,
    isRead,
    withPos,
  }: { fileName: string; yes: boolean | undefined; isRead: boolean; withPos: boolean },
  run: () => Promise<boolean>,
): Promise<ExitCode> => {
  const what = isRead ? 'the rows that belong to no PO, of' : 'the refused file';
  const file = `${what} ${showFileName(fileName)}`;
  if (!(await confirm(terminal, actOn(action, file), yes))) return 'notAllDone';
  const isDone = await run();
  // Its POs follow with their own answer, so do not report that its rows were settled before.
  if (withPos && !isDone) return 'fine';
  if (!withPos) terminal.answer({ file: fileName, done: isDone });
  terminal.say(
    isDone
      ? `${doneTo(action, file)}.`
      : `Nothing was changed: ${file} ${isRead ? 'are' : 'is'} ${action === 'settle' ? 'settled already' : 'not settled'}.`,
  );
  return isDone ? 'fine' : 'notAllDone';
};

/** Settles or unsettles a refused file, or a file's rows that belong to no PO; undefined: the command also concerns the POs of the import. */
export const settleFile = async (
  context: Context,
  pool: pg.Pool,
  command: ActionCommand,
  options: ActionOptions,
): Promise<ExitCode | undefined> => {
  const importId = options.import!;
  const found = await findImport(pool, { importId });
  const [counts] = await countImports(pool, [importId]);
  if (!found || !counts || (options.account ?? counts.account) !== counts.account) return undefined;
  const isRead = found.state === 'read';
  let withPos = false;
  if (isRead) {
    if (counts.rowsWithoutPo === 0) return undefined;
    withPos = (await findActionTargets(pool, command.action, { importId })).length > 0;
  } else if (found.state !== 'refused') return undefined;
  const action = command.action as 'settle' | 'unsettle';
  const by = { who: userName(), note: options.note };
  const about = { fileName: found.fileName, yes: options.yes, isRead, withPos };
  const code = await act(context, command, about, async () => {
    const done = await actOnFiles(pool, action, [importId], null, by);
    return done.length > 0;
  });
  return withPos ? undefined : code;
};

/** The same through a running console. */
export const settleRemoteFile = async (
  context: Context,
  remote: RemoteConsole,
  command: ActionCommand,
  options: ActionOptions,
): Promise<ExitCode | undefined> => {
  const importId = options.import!;
  const found = await readRemoteImport(remote, importId);
  const isRefused = found.actions.some(({ action }) => action === 'unsettle' || action === 'assign');
  const isOfRows = found.rowsWithoutPo > 0 && found.settled === (command.action === 'unsettle');
  if (options.account !== undefined && options.account !== found.account) return undefined;
  if (!isRefused && !isOfRows) return undefined;
  const withPos = found.actions.some(({ action, possible }) => action === command.action && possible);
  const { action } = command;
  const about = { fileName: found.fileName, yes: options.yes, isRead: !isRefused, withPos };
  const code = await act(context, command, about, async () => {
    const { answer } = await remote.try<FileActionAnswer>('/imports/actions', {
      ...{ action, ids: [importId], note: options.note },
    });
    return answer !== undefined;
  });
  return withPos && !isRefused ? undefined : code;
};
