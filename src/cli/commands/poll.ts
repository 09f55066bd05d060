import type { Command } from 'commander';
import { plainCause } from '../../errors.ts';
import { type Polled, pollAccount } from '../../tracking/poll-account.ts';
import { writeDueResults } from '../../worker/write-due-results.ts';
import { chooseAccounts } from '../choose-account.ts';
import { exitCodes } from '../exit-codes.ts';
import { count } from '../output/show-text.ts';
import { drawTable } from '../output/table.ts';
import { runCommand } from '../run-command.ts';
import { urlOption } from '../url-option.ts';

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

/** `cartwright poll`. */
export const addPollCommand = (program: Command): void => {
  program
    .command('poll')
    .summary('fetch order statuses now')
    .description(
      'Fetches the statuses of all open orders, whatever their age, from each account’s service once, records the changes, and updates the result files they affect.',
    )
    .option('--account <name>', 'only this account')
    .option(...urlOption)
    .addHelpText('after', '\nExample:\n  cartwright poll --account north')
    .action(
      runCommand<{ account?: string; url?: string }>(
        'task',
        async ({ open, config, logger, terminal }, _args, options) => {
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
              [{ head: 'Account' }, { head: 'Result', wraps: true }],
              results.map(({ account, polled }) => [account, describe(polled)]),
            ),
          );
          return results.some(
            ({ account, polled }) =>
              polled.kind === 'failed' ||
              polled.kind === 'paused' ||
              // An account without an address is not set up yet, which is no failure.
              (polled.kind === 'no_service' && opened.get(account).account.baseUrl !== undefined),
          )
            ? exitCodes.unreachable.code
            : exitCodes.fine.code;
        },
      ),
    );
};
