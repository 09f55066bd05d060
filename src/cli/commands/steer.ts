import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { UserError } from '../../errors.ts';
import { findLatest, findSteerable, type SteerFilter, type SteerResult, steer } from '../../ledger/steer.ts';
import type { SteerAction, SteerablePurchaseOrder } from '../../placing/steer.ts';
import { jobFor } from '../../queue/next-work.ts';
import { chooseAccount } from '../choose-account.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Runtime } from '../open-runtime.ts';
import { divideSteerable, listImpossible } from '../output/impossible.ts';
import { whyNotSteerable } from '../output/nothing-to-steer.ts';
import { count, showText } from '../output/show-text.ts';
import { drawTable } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';
import { type CommandContext, runCommand } from '../run-command.ts';
import { writeDueResults } from '../write-due-results.ts';

interface SteerOptions {
  account?: string;
  import?: string;
  reason?: string;
  note?: string;
  yes?: boolean;
}

interface SteerCommand {
  name: string;
  action: SteerAction;
  summary: string;
  description: string;
  example: string;
}

const commands: SteerCommand[] = [
  {
    name: 'release',
    action: 'release',
    summary: 'let held POs go on',
    description:
      'Lets held POs go on. After a guard the numbers as they stand are approved; otherwise the PO is looked at again before anything is sent.',
    example: 'cartwright release NS-1004\n  cartwright release --reason price_above --import 12',
  },
  {
    name: 'cancel',
    action: 'cancel',
    summary: 'end POs that are not ordered',
    description:
      'Ends POs that are not submitted and deletes their carts. A held PO that may have been ordered is only put aside: nothing is changed at the service.',
    example: 'cartwright cancel NS-1004 --note "dealer called"',
  },
  {
    name: 'retry',
    action: 'retry',
    summary: 'try failed POs again',
    description: 'Begins a new attempt for POs that the service refused.',
    example: 'cartwright retry --import 12',
  },
  {
    name: 'adopt',
    action: 'adopt',
    summary: 'take the order that stands there as this PO’s',
    description:
      'Takes what stands ordered under a held PO’s number as this PO’s order, after a person has compared the two.',
    example: 'cartwright adopt 4500081',
  },
  {
    name: 'submit-again',
    action: 'submit_again',
    summary: 'submit POs once more whose submission is unknown',
    description:
      'Only after the service’s operator has confirmed that there is no order under these PO numbers: begins a new attempt, which looks first.',
    example: 'cartwright submit-again 4500081 --note "confirmed by phone"',
  },
];

const shown = 20;

/** In a container the user may have no name. */
const whoami = (): string => {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
};

const drawFound = (terminal: Terminal, found: readonly SteerablePurchaseOrder[]): string =>
  drawTable(
    terminal,
    [
      { head: 'Account' },
      { head: 'PO' },
      { head: 'Import', align: 'right' },
      { head: 'State' },
      { head: 'Because', wraps: true },
    ],
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

/** Asks a person; a program says --yes. */
const confirm = async (terminal: Terminal, question: string): Promise<boolean> => {
  if (!terminal.live || process.stdin.isTTY !== true) {
    throw new UserError('confirmation_needed', `${question} Nobody can be asked here: say --yes.`);
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
};

/** Filters for the ledger: one for each PO number, or one for all that is meant. */
const filtersOf = (
  context: CommandContext,
  poNumbers: readonly string[],
  options: SteerOptions,
): SteerFilter[] => {
  if (options.import !== undefined && !/^\d{1,18}$/.test(options.import)) {
    throw new UserError('bad_import', `--import takes the number of an import, not ${options.import}.`);
  }
  if (poNumbers.length === 0 && options.import === undefined && options.reason === undefined) {
    throw new UserError(
      'nothing_named',
      'Name PO numbers, or say which are meant with --import or --reason.',
    );
  }
  const base: SteerFilter = {
    account: options.account === undefined ? undefined : chooseAccount(context.config, options.account).name,
    importId: options.import,
    reasonCode: options.reason,
  };
  return poNumbers.length === 0 ? [base] : poNumbers.map((poNumber) => ({ ...base, poNumber }));
};

/** Workers would find these at the next sweep; like this they go on at once. */
const enqueueSteered = async ({ jobs }: Runtime, results: readonly SteerResult[]): Promise<void> => {
  for (const { id, outcome } of results) {
    if (outcome.kind !== 'done') continue;
    const work = await jobs.work.deferRun(id);
    if (work) await jobs.enqueue([jobFor(work)]);
  }
};

const addSteerCommand = (
  program: Command,
  { name, action, summary, description, example }: SteerCommand,
): void => {
  program
    .command(name)
    .summary(summary)
    .description(`${description} Who did it and when is kept in the ledger.`)
    .argument('[po...]', 'PO numbers')
    .option('--import <id>', 'all POs of this import')
    .option('--reason <code>', 'all POs with this reason code')
    .option('--account <name>', 'only this account')
    .option('--note <text>', 'why, for whoever reads the ledger')
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', `\nExample:\n  ${example}`)
    .action(
      runCommand<SteerOptions>('task', async (context, poNumbers, options) => {
        const { terminal } = context;
        const filters = filtersOf(context, poNumbers, options);
        const runtime = await context.open();
        const { pool } = runtime.ledger;
        const found = (
          await Promise.all(filters.map((filter) => findSteerable(pool, action, filter)))
        ).flat();
        if (found.length === 0) {
          terminal.answer({ results: [] });
          terminal.say(`There is no PO to ${name}.`);
          for (const poNumber of poNumbers) {
            const latest = await findLatest(pool, { account: filters[0]?.account, poNumber });
            if (latest.length === 0) terminal.say(`PO ${showText(poNumber)} is not known.`);
            for (const po of latest) {
              const account = context.config.accounts.find((one) => one.name === po.account);
              terminal.say(whyNotSteerable(action, po, account?.cancelledAgain));
            }
          }
          return exitCodes.notAllDone.code;
        }
        // What is asked about, and counted, is what will be done.
        const { possible, impossible } = divideSteerable(action, found);
        if (possible.length > 0) terminal.say(drawFound(terminal, possible));
        if (possible.length > shown) terminal.say(`… and ${possible.length - shown} more`);
        for (const line of listImpossible(impossible)) terminal.say(line);
        if (possible.length === 0) {
          terminal.answer({ results: impossible });
          terminal.say(`There is no PO to ${name}.`);
          return exitCodes.notAllDone.code;
        }
        if (!options.yes && !(await confirm(terminal, `${name} ${count(possible.length, 'PO')}?`))) {
          terminal.say('Nothing was done.');
          return exitCodes.notAllDone.code;
        }
        const results = await steer(pool, action, possible, { who: whoami(), note: options.note });
        await enqueueSteered(runtime, results);
        await writeDueResults(runtime);
        const undone = results.filter(({ outcome }) => outcome.kind !== 'done');
        terminal.answer({ results: [...results, ...impossible] });
        for (const { poNumber, outcome } of undone) {
          if (outcome.kind === 'not_possible') terminal.say(`${showText(poNumber)}: ${outcome.why}.`);
        }
        terminal.say(
          `${count(results.length - undone.length, 'PO')} done${undone.length > 0 ? `, ${undone.length} not` : ''}.`,
        );
        return undone.length + impossible.length === 0 ? exitCodes.fine.code : exitCodes.notAllDone.code;
      }),
    );
};

/** `cartwright release`, `cancel`, `retry`, `adopt` and `submit-again`: one command of five names. */
export const addSteerCommands = (program: Command): void => {
  for (const command of commands) addSteerCommand(program, command);
};
