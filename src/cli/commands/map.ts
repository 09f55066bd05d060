import type { Command } from 'commander';
import type pg from 'pg';
import { UserError } from '../../errors.ts';
import { sayField } from '../../intake/columns/field-words.ts';
import type { FieldName } from '../../intake/columns/fields.ts';
import type { FileMapping } from '../../intake/file-mapping.ts';
import {
  layoutOfMapping,
  readSaid,
  type SaidByFile,
  withDescribing,
} from '../../intake/layout-of-mapping.ts';
import { addKnown } from '../../intake/layouts/known-values.ts';
import { type CheckedLayout, layoutNameSchema } from '../../intake/layouts/layout-entry.ts';
import { nameOfLayout } from '../../intake/layouts/layout-name.ts';
import { sayDifference } from '../../intake/layouts/nearest-layout.ts';
import { proposeNear } from '../../intake/layouts/propose/propose-near.ts';
import { type AppliedLayout, applyLayouts } from '../../ledger/apply-layouts.ts';
import { listLayouts } from '../../ledger/layouts.ts';
import { askColumns, undecidedColumns } from '../ask-columns.ts';
import { type Ask, askYes, canAsk, openQuestions } from '../ask-person.ts';
import { askValues, drawSaid, knownOfFile } from '../ask-values.ts';
import {
  askSettings,
  assertCertain,
  assertNothingUnsaid,
  certainMap,
  exitOf,
  isRead,
  unsaidSettings,
} from '../certain-proposal.ts';
import type { ExitCode } from '../exit-codes.ts';
import { findNearest } from '../find-nearest.ts';
import { findMapSource, type MapSource } from '../map-source.ts';
import { openPool, operator } from '../open-pool.ts';
import { noReload, sayRead } from '../output/layouts.ts';
import { drawColumns, drawFirstLines } from '../output/proposal.ts';
import { showText } from '../output/show-text.ts';
import { sayWrapped } from '../output/terminal.ts';
import { assertFits, readingSettings, refusalOf, settingNames } from '../reading-settings.ts';
import { type CommandContext, runCommand } from '../run-command.ts';

interface MapOptions {
  account?: string;
  import?: string;
  name?: string;
  write?: boolean;
  yes?: boolean;
  column: string[];
  set: string[];
}

const collect = (one: string, before: string[]): string[] => [...before, one];

/** @throws UserError with the code of the reason, if the ledger cannot be used */
const openToWrite = async (context: CommandContext): Promise<pg.Pool> => {
  try {
    return await openPool(context);
  } catch (thrown) {
    if (!(thrown instanceof UserError)) throw thrown;
    throw new UserError(
      thrown.code,
      `Nothing was written, because layouts are kept in the ledger, which cannot be used. ${thrown.message}`,
      { cause: thrown },
    );
  }
};

/** @throws UserError `bad_name` */
const readName = (given: string | undefined): string | undefined => {
  if (given === undefined) return undefined;
  const name = layoutNameSchema.safeParse(given);
  if (name.success) return name.data;
  throw new UserError(
    'bad_name',
    `--name must have 1 to 60 characters that can be seen (got "${showText(given)}").`,
  );
};

/** The layout for other files with this header. @throws UserError `mapping_uncertain` */
const toLayout = async (
  { account, path, fileName }: MapSource,
  mapping: FileMapping,
  { asks }: { asks: boolean },
): Promise<Omit<CheckedLayout, 'name'>> => {
  const made = await layoutOfMapping(account, { path, fileName }, mapping);
  if (made.kind === 'refused')
    throw new UserError(
      'mapping_uncertain',
      `Nothing was written, because the file cannot be read by these columns: ${made.message}${asks ? '' : ' Run the command on a terminal, without --yes, to be asked.'}`,
    );
  return { ...made.layout, account: account.name, kind: 'order' };
};

const sayApplied = (
  { account, name, version, change, waiting }: AppliedLayout,
  isImport: boolean,
  reload: string,
): string =>
  change === 'same'
    ? `The layout "${showText(name)}" of ${account} says this already.${isImport ? sayRead(waiting) : ''}`
    : `Recorded the layout "${showText(name)}" of ${account} (version ${version}): files with this header are read like this from now on.${sayRead(waiting)} ${reload}`.trimEnd();

/**
 * Proposes the meaning of a file's columns; with `write`, agrees on it with the person.
 *
 * @param asked the calling command's questions; without them it opens its own
 */
export const map = async (
  context: CommandContext,
  file: string | undefined,
  options: MapOptions,
  asked?: { ask: Ask },
): Promise<ExitCode> => {
  const { terminal } = context;
  const { write = false } = options;
  const source = await findMapSource(context, file, options);
  const { account, path, fileName, importId } = source;
  const givenName = readName(options.name);
  const given = readingSettings(options.column, options.set);
  const asks = write && options.yes !== true && canAsk(terminal);
  // Open the ledger first, so that a person does not answer questions in vain.
  let pool = source.pool ?? (asks ? await openToWrite(context) : undefined);
  // For a slightly changed header, propose the agreed layout; only a person can agree to it.
  const similar = pool && (asks || !write) ? await findNearest(source, given, pool) : undefined;
  const propose = async (answers: Record<string, FieldName | 'ignore'>) => {
    const person = { ...given, columns: { ...given.columns, ...answers } };
    const request = { path, fileName, codeLists: account.codeLists };
    const { proposed, ...said } = await proposeNear(request, account.intake, person, similar);
    if (proposed.kind === 'refused') throw refusalOf(proposed, given);
    assertFits(given, proposed);
    return { proposed, ...said };
  };
  let { proposed, mapping: agreed, nearest } = await propose({});
  if (nearest) terminal.say(`${terminal.wrap(showText(sayDifference(nearest)), 0)}\n`);
  const own = asks && !asked ? openQuestions() : undefined;
  context.atEnd(() => own?.close());
  const questions = asks ? (asked ?? own) : undefined;
  const undecided = undecidedColumns(proposed, { ...account.intake.columns, ...agreed.columns });
  const isAsked = questions && (proposed.missing.length > 0 || undecided.length > 0);
  // Without a person, uncertain columns are ignored and watched like other ignored columns.
  const takesCertain = write === true && !asks;
  const mapOf = () => (takesCertain ? certainMap(proposed) : proposed.map);
  const mappingOf = () => {
    const { columns, ...rest } = agreed;
    return { columns: { ...columns, ...mapOf() }, ...proposed.settings, ...rest };
  };
  const readAll = async () =>
    readSaid(account, { path, fileName }, mappingOf(), pool ? await listLayouts(pool, account.name) : []);
  // The single question and the table show a person the columns that describe the items.
  const read = isAsked && proposed.missing.length === 0 ? await readAll() : undefined;
  const describing = read?.unsaid.filter(({ mayDescribe }) => mayDescribe) ?? [];
  const headers = describing.map(({ header }) => header);
  terminal.say(drawColumns(terminal, proposed, isAsked ? undefined : account.name, headers));
  // If columns are missing, there are no lines to show yet.
  if (!isAsked || proposed.missing.length === 0)
    terminal.say(drawFirstLines(terminal, proposed, isAsked ? 3 : undefined));
  let areRight = false;
  let found: SaidByFile | undefined;
  if (isAsked) {
    const said = await askColumns(questions.ask, terminal, proposed, undecided, headers);
    ({ areRight } = said);
    ({ proposed, mapping: agreed, nearest } = await propose(said.answers));
    // Confirming everything includes the columns that describe the items.
    if (areRight && read) found = withDescribing(read, describing);
    else terminal.say(`\n${drawFirstLines(terminal, proposed)}`);
  }
  const unsaid = unsaidSettings(proposed, agreed);
  if (questions) agreed = { ...agreed, ...(await askSettings(questions.ask, unsaid)) };
  if (write) assertCertain(proposed, account.name, { asks, unsaid });
  const { columns: agreedColumns, ...agreedSettings } = agreed;
  const settings = { ...proposed.settings, ...agreedSettings };
  found ??= await readAll();
  if (write && !pool && found.unsaid.length + found.news.length > 0) {
    pool = await openToWrite(context);
    found = await readAll();
  }
  if (takesCertain)
    assertNothingUnsaid(proposed, found, { ...account.intake, columns: agreed.columns ?? {} });
  const shown = drawSaid(terminal, found);
  if (shown !== '') terminal.say(`\n${shown}`);
  const columns = { ...agreedColumns, ...mapOf() };
  const unread = takesCertain ? proposed.columns.filter(({ certain }) => !certain) : [];
  const saysNothing = Object.keys({ ...columns, ...settings }).length + unread.length === 0;
  const isClear =
    saysNothing && importId === undefined && shown === '' && (await isRead(account, { path, fileName }));
  let applied: AppliedLayout | undefined;
  if (write && !isClear) {
    const made = await toLayout(source, { columns, ...settings }, { asks });
    const { known, isProposed } = questions
      ? await askValues(questions.ask, terminal, found)
      : { known: knownOfFile(found), isProposed: true };
    // Agreeing to all columns and to the treatment of all rows is agreeing to the layout.
    const isAgreed = !questions || (areRight && isProposed && found.news.length === 0);
    pool ??= await openToWrite(context);
    const layouts = await listLayouts(pool, account.name);
    const name = givenName ?? nameOfLayout(layouts, { headerKey: made.headerKey, fileName });
    const question = `Record this as the layout "${showText(name)}" of ${account.name}?`;
    if (isAgreed || (await askYes(questions.ask, question))) {
      const before = layouts.find(({ headerKey }) => headerKey === made.headerKey);
      const layout = { ...made, name, known: addKnown(before?.known, known) };
      [applied] = (await applyLayouts(pool, [layout], operator(), { importId })).applied;
    }
  }
  terminal.answer({ ...proposed, map: columns, ...(applied ? { layout: applied } : {}) });
  if (applied && unread.length > 0)
    sayWrapped(
      terminal,
      `Not read, because nobody has confirmed it: ${unread.map(({ header, field }) => `"${showText(header)}" (${sayField(field!)}?)`).join(', ')}.`,
    );
  // A command with its own questions (init) has just written the configuration, so no worker is running yet.
  if (applied) sayWrapped(terminal, sayApplied(applied, importId !== undefined, asked ? '' : noReload), 0);
  else if (isClear && proposed.missing.length === 0)
    terminal.say('The headers are clear: no layout is needed.');
  else if (write) terminal.say('Nothing was written.');
  else
    sayWrapped(
      terminal,
      'Nothing was written. Run the command again with --write to have all files with this header read like this.',
    );
  return exitOf(proposed);
};

export const addMapCommand = (program: Command): void => {
  program
    .command('map')
    .description(
      'Proposes a field for each column, based on headers and values together, and shows the first five lines as they would be ordered beside your own cells. With --write it becomes a layout in the ledger: all files of the account with this header are read like this from now on, also those that wait. No setting of the account is changed. On a terminal you are asked about each column that is not certain; nothing is written while a PO number, an item or a quantity is missing or uncertain.',
    )
    .argument('[file]', 'a purchase file')
    .option('--account <name>', 'account that the file belongs to')
    .option('--import <id>', 'in place of a file: an import that waits for its meaning')
    .option('--column <header=field>', 'what a column holds, or ignore; can be repeated', collect, [])
    .option('--set <name=value>', `how the file is written: ${settingNames}; can be repeated`, collect, [])
    .option('--write', 'record the layout in the ledger')
    .option('--name <name>', 'what to call the layout (default: after the file)')
    .option('--yes', 'with --write: ask nothing, and take only what is certain')
    .addHelpText(
      'after',
      `
Examples:
  cartwright map export.csv
  cartwright map export.csv --account north --write --name "Weekly orders"
  cartwright map list.csv --set header=3 --column "Our No=po_number"
  cartwright map quick.csv --set "poNumberFrom=made:{account}-{day}-{n}"
  cartwright map book.xlsx --set "join=Orders/Lines/Order No"
  cartwright map --import 12 --write`,
    )
    .action(runCommand<MapOptions>('task', (context, [file], options) => map(context, file, options)));
};
