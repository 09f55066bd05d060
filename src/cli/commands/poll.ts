import type { Command } from 'commander';
import { type Polled, pollAccount } from '../../tracking/poll-account.ts';
import { chooseAccounts } from '../choose-account.ts';
import { exitCodes } from '../exit-codes.ts';
import { drawTable } from '../output/table.ts';
import { runCommand } from '../run-command.ts';
import { writeDueResults } from '../write-due-results.ts';

const tell = (polled: Polled | { kind: 'no_service'; message: string }): string => {
  switch (polled.kind) {
    case 'no_service':
      return polled.message;
    case 'nothing_open':
      return 'no order is open';
    case 'failed':
      return `failed: ${polled.message}`;
    case 'paused':
      return polled.message;
    case 'busy':
      return 'another process asks at this moment';
    case 'polled':
      return `${polled.seen} POs seen, ${polled.changes} changes, ${polled.closed} closed${polled.adopted ? `, ${polled.adopted} adopted` : ''}${polled.alarms ? `, ${polled.alarms} alarms` : ''}`;
  }
};

/** `cartwright poll`. */
export const addPollCommand = (program: Command): void => {
  program
    .command('poll')
    .summary('ask for order statuses now')
    .description(
      'Asks each account’s service for the statuses of its open orders, once, records changes, and writes the result files that they change.',
    )
    .option('--account <name>', 'only this account')
    .addHelpText('after', '\nExample:\n  cartwright poll --account north')
    .action(
      runCommand<{ account?: string }>('task', async ({ open, config, logger, terminal }, _args, options) => {
        const accounts = chooseAccounts(config, options.account);
        const { jobs, accounts: opened } = await open();
        const results: { account: string; polled: Polled | { kind: 'no_service'; message: string } }[] = [];
        for (const { name } of accounts) {
          const tracking = jobs.trackingOf(name);
          results.push({
            account: name,
            polled: tracking
              ? await pollAccount(name, tracking)
              : { kind: 'no_service', message: opened.get(name).serviceTrouble ?? '' },
          });
        }
        await writeDueResults({ jobs, logger });
        terminal.answer({ accounts: results });
        terminal.say(
          drawTable(
            terminal,
            [{ head: 'Account' }, { head: 'Poll', wraps: true }],
            results.map(({ account, polled }) => [account, tell(polled)]),
          ),
        );
        return results.some(
          ({ account, polled }) =>
            polled.kind === 'failed' ||
            polled.kind === 'paused' ||
            // No address at all is an account that nobody has finished setting up.
            (polled.kind === 'no_service' && opened.get(account).account.baseUrl !== undefined),
        )
          ? exitCodes.unreachable.code
          : exitCodes.fine.code;
      }),
    );
};
