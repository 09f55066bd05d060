import type { Command } from 'commander';
import { messageOf } from '../../errors.ts';
import { readOverview } from '../../ledger/overview.ts';
import { chooseAccounts } from '../choose-account.ts';
import { exitCodes, isLostConnection } from '../exit-codes.ts';
import { drawTable } from '../output/table.ts';
import { runCommand } from '../run-command.ts';
import { writeDueResults } from '../write-due-results.ts';

/** `cartwright report`. */
export const addReportCommand = (program: Command): void => {
  program
    .command('report')
    .summary('write the status reports now')
    .description(
      'Writes each account’s status report: one row for each order with its status, totals, dates and tracking numbers, as the ledger has them (`cartwright poll` asks the service first). Result files that are out of date are written too.',
    )
    .option('--account <name>', 'only this account')
    .addHelpText('after', '\nExample:\n  cartwright poll && cartwright report')
    .action(
      runCommand<{ account?: string }>('task', async ({ open, config, logger, terminal }, _args, options) => {
        const accounts = chooseAccounts(config, options.account);
        const { jobs, ledger } = await open();
        // One account whose folder cannot be written never keeps the others from their reports.
        const failed: { account: string; error: string }[] = [];
        for (const { name } of accounts) {
          await jobs.writeStatusReport(name).catch((thrown: unknown) => {
            if (isLostConnection(thrown)) throw thrown;
            failed.push({ account: name, error: messageOf(thrown) });
          });
        }
        await writeDueResults({ jobs, logger });
        const names = accounts.map(({ name }) => name);
        const written = (await readOverview(ledger.pool, names)).accounts;
        terminal.answer({
          accounts: written.map(({ account, reportPath }) => ({ account, reportPath })),
          failed,
        });
        terminal.say(
          drawTable(
            terminal,
            [{ head: 'Account' }, { head: 'Status report' }],
            written.map(({ account, reportPath }) => [account, reportPath ?? 'none']),
          ),
        );
        for (const { account, error } of failed) {
          terminal.note(`cartwright: the report of account ${account} cannot be written: ${error}`);
        }
        return failed.length > 0 ? exitCodes.notAllDone.code : exitCodes.fine.code;
      }),
    );
};
