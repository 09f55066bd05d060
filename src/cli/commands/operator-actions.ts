import type { Command } from 'commander';
import type pg from 'pg';
import { actOn } from '../../api-contract/action-words.ts';
import { resultSentence } from '../../console/action-words.ts';
import { UserError } from '../../errors.ts';
import { userName } from '../../file-access.ts';
import { findImport } from '../../ledger/imports.ts';
import { findMeant, listReasonCodes } from '../../ledger/po/explain-targets.ts';
import {
  type ActionResult,
  applyOperatorAction,
  findActionTargets,
  type PurchaseOrderFilter,
} from '../../ledger/po/operator-actions.ts';
import { describePending } from '../../ledger/po/pending-actions.ts';
import type { ActionTarget } from '../../placing/action-target.ts';
import { type ActionCommand, type ActionOptions, actionCommands } from '../action-commands.ts';
import { chooseAccount } from '../choose-account.ts';
import { confirm } from '../confirm.ts';
import { createConsoleWork } from '../console-work.ts';
import { urlOption } from '../option-text.ts';
import { divideTargets, listNotPossible, listNumbers, whyNoMatch } from '../output/operator-actions.ts';
import { count, showText } from '../output/show-text.ts';
import { drawTable, right, wrapping } from '../output/table.ts';
import { sayWrapped, type Terminal } from '../output/terminal.ts';
import { readPoNumber } from '../po-argument.ts';
import { type CommandContext, runCommand } from '../run-command.ts';
import { mayMeanFile, settleFile } from '../settle-file.ts';

const shown = 20;

const drawFound = (terminal: Terminal, found: readonly ActionTarget[]): string =>
  drawTable(
    terminal,
    ['Account', 'PO', right('Import'), 'State', wrapping('Reason')],
    found
      .slice(0, shown)
      .map((po) => [
        po.account,
        showText(po.poNumber),
        po.importId,
        po.state,
        po.reasonText ?? po.reasonCode ?? '',
      ]),
  );

/** @throws UserError `bad_import`, `nothing_named` */
const assertChoice = (poNumbers: readonly string[], options: ActionOptions): void => {
  if (options.import !== undefined && !/^\d{1,18}$/.test(options.import)) {
    throw new UserError(
      'bad_import',
      `--import must be the number of an import (got ${options.import}). \`cartwright status\` shows the numbers.`,
    );
  }
  if (poNumbers.length === 0 && options.import === undefined && options.reason === undefined) {
    throw new UserError('nothing_named', 'Give PO numbers, or choose POs with --import or --reason.');
  }
};

/** Filters for the ledger: one per PO number, or a single one without PO numbers. */
const filtersOf = (
  context: CommandContext,
  poNumbers: readonly string[],
  options: ActionOptions,
): PurchaseOrderFilter[] => {
  const base: PurchaseOrderFilter = {
    account: options.account === undefined ? undefined : chooseAccount(context.config, options.account).name,
    importId: options.import,
    reasonCode: options.reason,
  };
  return poNumbers.length === 0 ? [base] : poNumbers.map((poNumber) => ({ ...base, poNumber }));
};

/** A named PO that is not changed; null id: it does not exist. */
type Unmatched = Omit<ActionResult, 'id'> & { id: string | null };

/** Explains why the action does not apply to each of these POs. */
const explainUnmatched = async (
  { terminal }: CommandContext,
  pool: pg.Pool,
  { action }: ActionCommand,
  poNumbers: readonly string[],
  { account }: ActionOptions,
): Promise<Unmatched[]> => {
  const results: Unmatched[] = [];
  for (const poNumber of poNumbers) {
    const meant = await findMeant(pool, { account, poNumber });
    const unchanged = meant.map(({ id, ...po }): ActionResult => {
      const why = whyNoMatch(action, { id, ...po });
      return { poNumber, id, outcome: { kind: 'not_possible', why } };
    });
    for (const line of listNotPossible(unchanged)) terminal.say(line);
    results.push(...unchanged);
    if (meant.length > 0) continue;
    terminal.say(`PO ${showText(poNumber)} was not found.`);
    results.push({ poNumber, id: null, outcome: { kind: 'not_possible', why: 'it was not found' } });
  }
  return results;
};

/** Explains why nothing was found, for each given PO, import and reason code. */
const explainNone = async (
  context: CommandContext,
  pool: pg.Pool,
  command: ActionCommand,
  poNumbers: readonly string[],
  options: ActionOptions,
): Promise<Unmatched[]> => {
  const { terminal } = context;
  const { account, import: importId, reason } = options;
  terminal.say(command.none);
  if (importId !== undefined && !(await findImport(pool, { importId }))) {
    terminal.say(`Import ${importId} was not found. \`cartwright status\` shows the latest imports.`);
    return [];
  }
  if (reason !== undefined) {
    const codes = await listReasonCodes(pool, command.action, account);
    if (!codes.includes(reason)) {
      const inUse =
        codes.length > 0 ? `Reason codes in use: ${codes.join(', ')}.` : 'No reason code is in use.';
      terminal.say(`No such PO has the reason code ${showText(reason)}. ${inUse}`);
    }
  }
  return explainUnmatched(context, pool, command, poNumbers, options);
};

/** `cartwright release`, `cancel`, `retry` and so on: one command with several names. */
export const addOperatorCommand = (program: Command, name: string): void => {
  const command = actionCommands.find((one) => one.name === name)!;
  const { action, description, example } = command;
  program
    .command(name)
    .description(`${description} The ledger records who did it and when.`)
    .argument('[po...]', 'PO numbers')
    .option('--import <id>', 'all POs of this import')
    .option('--reason <code>', 'all POs with this reason code')
    .option('--account <name>', 'only POs of this account')
    .option('--note <text>', 'note to record in the ledger')
    .option('-y, --yes', 'do not ask for confirmation')
    .option(...urlOption)
    .addHelpText('after', `\n${example.includes('\n') ? 'Examples' : 'Example'}:\n  ${example}`)
    .action(
      runCommand<ActionOptions>('task', async (context, named, options) => {
        const { terminal } = context;
        const poNumbers = named.map(readPoNumber);
        assertChoice(poNumbers, options);
        if (options.url !== undefined) {
          const { remoteAction } = await import('../remote/remote-actions.ts');
          return remoteAction(context, options.url, command, poNumbers, options);
        }
        const filters = filtersOf(context, poNumbers, options);
        const runtime = await context.open();
        const { pool } = runtime.ledger;
        if (mayMeanFile(command, poNumbers, options)) {
          const settled = await settleFile(context, pool, command, options);
          if (settled !== undefined) return settled;
        }
        const found = (
          await Promise.all(filters.map((filter) => findActionTargets(pool, action, filter)))
        ).flat();
        if (found.length === 0) {
          terminal.answer({ results: await explainNone(context, pool, command, poNumbers, options) });
          return 'notAllDone';
        }
        // Only POs that can be changed are shown, counted and confirmed.
        const { possible, impossible } = divideTargets(action, found);
        if (possible.length > 0) terminal.say(drawFound(terminal, possible));
        if (possible.length > shown) terminal.say(`… and ${possible.length - shown} more`);
        for (const line of listNotPossible(impossible)) terminal.say(line);
        const unmatched = poNumbers.filter((named) => !found.some(({ poNumber }) => poNumber === named));
        const others = await explainUnmatched(context, pool, command, unmatched, options);
        if (possible.length === 0) {
          terminal.answer({ results: [...impossible, ...others] });
          return 'notAllDone';
        }
        if (
          !(await confirm(
            terminal,
            actOn(action, count(possible.length, 'PO'), possible.length),
            options.yes,
          ))
        )
          return 'notAllDone';
        const results = await applyOperatorAction(pool, action, possible, {
          who: userName(),
          note: options.note,
        });
        const done = results.flatMap(({ id, poNumber, outcome }) =>
          outcome.kind === 'done' ? [{ id, poNumber, state: outcome.state }] : [],
        );
        const changed = done.map(({ id }) => id);
        // Before workers are notified, because they may finish a moment later.
        const pending = await describePending(pool, action, changed);
        await createConsoleWork(runtime).enqueueChanged(changed);
        terminal.answer({ results: [...results, ...impossible, ...others] });
        const undone = results.filter(({ outcome }) => outcome.kind === 'not_possible');
        for (const line of listNotPossible(undone)) terminal.say(line);
        const states = done.map(({ state }) => state);
        const sentence = resultSentence(action, states, undone.length, (places) =>
          listNumbers(places.map((place) => done[place]!.poNumber)),
        );
        sayWrapped(terminal, `${sentence} ${pending}`.trimEnd(), 0);
        const isDone = results.every(({ outcome }) => outcome.kind === 'done') && impossible.length === 0;
        return isDone ? 'fine' : 'notAllDone';
      }),
    );
};
