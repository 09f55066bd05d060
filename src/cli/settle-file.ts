import type pg from 'pg';
import type { FileActionAnswer } from '../console/api/schemas/actions.ts';
import type { ImportDetail } from '../console/api/schemas/imports.ts';
import { userName } from '../file-access.ts';
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

const act = async (
  { terminal }: Context,
  { action, verb, done }: ActionCommand,
  { fileName, yes }: { fileName: string; yes: boolean | undefined },
  run: () => Promise<boolean>,
): Promise<ExitCode> => {
  const file = `the refused file ${showFileName(fileName)}`;
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

/** Settles a file that was refused, or takes that back; undefined: the import is no refused file. */
export const settleFile = async (
  context: Context,
  pool: pg.Pool,
  command: ActionCommand,
  options: ActionOptions,
): Promise<ExitCode | undefined> => {
  const importId = options.import!;
  const found = await findImport(pool, { importId });
  if (found?.state !== 'refused') return undefined;
  const action = command.action as 'settle' | 'unsettle';
  const by = { who: userName(), note: options.note };
  return act(context, command, { fileName: found.fileName, yes: options.yes }, async () => {
    const done = await actOnFiles(pool, action, [importId], null, by);
    return done.length > 0;
  });
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
  if (!found.actions.some(({ action }) => action === 'unsettle' || action === 'assign')) return undefined;
  const { action } = command;
  return act(context, command, { fileName: found.fileName, yes: options.yes }, async () => {
    const { answer } = await remote.try<FileActionAnswer>('/imports/actions', {
      ...{ action, ids: [importId], note: options.note },
    });
    return answer !== undefined;
  });
};
