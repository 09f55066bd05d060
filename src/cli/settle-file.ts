import type pg from 'pg';
import type { FileActionAnswer } from '../console/api/schemas/actions.ts';
import type { ImportDetail } from '../console/api/schemas/imports.ts';
import { userName } from '../file-access.ts';
import { countImports } from '../ledger/import-counts.ts';
import { findImport } from '../ledger/imports.ts';
import { findActionTargets } from '../ledger/po/operator-actions.ts';
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
  if (found?.state === 'read') {
    // Its POs first: once nothing is left to do with them, the same command is about its rows that belong to no PO.
    const [counts] = await countImports(pool, [importId]);
    const pos = counts?.rowsWithoutPo ? await findActionTargets(pool, command.action, { importId }) : [];
    if (!counts?.rowsWithoutPo || pos.length > 0) return undefined;
  } else if (found?.state !== 'refused') return undefined;
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
  const isOfRows = found.rowsWithoutPo > 0 && found.settled === (command.action === 'unsettle');
  const isOfPos = found.actions.some(({ action, possible }) => action === command.action && possible);
  if (!isRefused && (!isOfRows || isOfPos)) return undefined;
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
