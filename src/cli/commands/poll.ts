import type { Command } from 'commander';
import { plainCause, UserError } from '../../errors.ts';
import { findMeant } from '../../ledger/po/explain-targets.ts';
import { type Polled, pollAccount } from '../../tracking/poll-account.ts';
import { refreshedSentence, refreshOrders } from '../../tracking/refresh-orders.ts';
import { writeDueResults } from '../../worker/write-due-results.ts';
import { chooseAccounts } from '../choose-account.ts';
import type { ExitCode } from '../exit-codes.ts';
import { badOption, urlOption } from '../option-text.ts';
import { count, showText } from '../output/show-text.ts';
import { drawTable, wrapping } from '../output/table.ts';
import { sayWrapped } from '../output/terminal.ts';
import { readPoNumber } from '../po-argument.ts';
import { type CommandContext, runCommand } from '../run-command.ts';

const describe = (polled: Polled | { kind: 'no_service'; message: string }): string => {
  switch (polled.kind) {
    case 'no_service':
      return polled.message;
    case 'nothing_open':
      return 'no open orders';
    case 'failed':
      return `failed: ${plainCause(polled.message)}`;
    case 'paused':
      return `skipped: ${plainCause(polled.message)}`;
    case 'busy':
      return 'skipped: another process is polling this account now';
    case 'polled':
      return `${count(polled.seen, 'PO')} checked, ${count(polled.changes, 'change')}, ${polled.closed} closed${polled.adopted ? `, ${polled.adopted} adopted` : ''}${polled.alarms ? `, ${count(polled.alarms, 'alarm')}` : ''}`;
  }
};

/** Fetches the orders of some POs from each account that ordered them. */
const pollSome = async (
  { open, config, terminal }: Pick<CommandContext, 'open' | 'config' | 'terminal'>,
  poNumbers: readonly string[],
  { account, url }: { account?: string; url?: string },
): Promise<ExitCode> => {
  if (url !== undefined)
    throw badOption(
      '--po cannot be combined with --url. In the console, the page Orders and the page of each purchase order have the same.',
    );
  const names = chooseAccounts(config, account).map(({ name }) => name);
  const { jobs, ledger } = await open();
  const numbersOf = new Map<string, string[]>();
  for (const poNumber of new Set(poNumbers.map(readPoNumber))) {
    const found = await findMeant(ledger.pool, { account, poNumber });
    const its = names.filter((name) => found.some((po) => po.account === name));
    if (its.length === 0)
      throw new UserError(
        'po_unknown',
        `No PO ${poNumber} was found. Check the PO number; it is case-sensitive.`,
      );
    for (const name of its) numbersOf.set(name, [...(numbersOf.get(name) ?? []), poNumber]);
  }
  const results = [];
  for (const [name, numbers] of numbersOf) {
    const tracking = jobs.trackingOf(name);
    if (tracking) results.push({ account: name, ...(await refreshOrders(name, numbers, tracking)) });
  }
  terminal.answer({ accounts: results });
  for (const result of results)
    sayWrapped(terminal, `${result.account}: ${showText(refreshedSentence(result))}`);
  return results.length > 0 && results.every(({ kind }) => kind === 'read') ? 'fine' : 'unreachable';
};

export const addPollCommand = (program: Command): void => {
  program
    .command('poll')
    .description(
      'Fetches the statuses of all open orders, whatever their age, from each account’s service once, records the changes, and updates the result files they affect.',
    )
    .option('--account <name>', 'only this account')
    .option('--po <numbers...>', 'only the orders of these POs, one call for each')
    .option(...urlOption)
    .addHelpText(
      'after',
      '\nExamples:\n  cartwright poll --account north\n  cartwright poll --po 4500081 4500082',
    )
    .action(
      runCommand<{ account?: string; po?: string[]; url?: string }>(
        'task',
        async ({ open, config, logger, terminal }, _args, options) => {
          if (options.po !== undefined) return pollSome({ open, config, terminal }, options.po, options);
          if (options.url !== undefined) {
            const { remoteRun } = await import('../remote/remote-accounts.ts');
            return remoteRun(terminal, options.url, 'poll', options.account);
          }
          const accounts = chooseAccounts(config, options.account);
          const { jobs, accounts: opened } = await open();
          const results: { account: string; polled: Polled | { kind: 'no_service'; message: string } }[] = [];
          for (const { name } of accounts) {
            const tracking = jobs.trackingOf(name);
            results.push({
              account: name,
              polled: tracking
                ? await pollAccount(name, tracking, { all: true })
                : { kind: 'no_service', message: opened.get(name).serviceProblem ?? '' },
            });
          }
          await writeDueResults({ jobs, logger });
          terminal.answer({ accounts: results });
          terminal.say(
            drawTable(
              terminal,
              ['Account', wrapping('Result')],
              results.map(({ account, polled }) => [account, describe(polled)]),
            ),
          );
          return results.some(
            ({ account, polled }) =>
              polled.kind === 'failed' ||
              polled.kind === 'paused' ||
              // An account without an address is not set up yet, which is not a failure.
              (polled.kind === 'no_service' && opened.get(account).account.baseUrl !== undefined),
          )
            ? 'unreachable'
            : 'fine';
        },
      ),
    );
};
