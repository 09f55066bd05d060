import type { Command } from 'commander';
import { readOverview } from '../../ledger/overview.ts';
import { enqueueFinished } from '../../queue/next-work.ts';
import { chooseAccounts } from '../choose-account.ts';
import { exitCodes } from '../exit-codes.ts';
import { drawTable } from '../output/table.ts';
import { runCommand } from '../run-command.ts';

/** `cartwright report`. */
export const addReportCommand = (program: Command): void => {
  program
    .command('report')
    .summary('write the status reports now')
    .description(
      'Writes each account’s status report: one row for each order with its status, totals, dates and tracking numbers, as the ledger has them (`cartwright poll` asks the service first). Result files that are older than what they tell are written too, by the workers.',
    )
    .option('--account <name>', 'only this account')
    .addHelpText('after', '\nExample:\n  cartwright poll && cartwright report')
    .action(
      runCommand<{ account?: string }>('task', async ({ open, config, terminal }, _args, options) => {
        const accounts = chooseAccounts(config, options.account);
        const { jobs, ledger } = await open();
        for (const { name } of accounts) await jobs.writeStatusReport(name);
        await enqueueFinished(jobs);
        const names = accounts.map(({ name }) => name);
        const written = (await readOverview(ledger.pool, names)).accounts;
        terminal.answer({ accounts: written.map(({ account, reportPath }) => ({ account, reportPath })) });
        terminal.say(
          drawTable(
            terminal,
            [{ head: 'Account' }, { head: 'Status report' }],
            written.map(({ account, reportPath }) => [account, reportPath ?? 'none']),
          ),
        );
        return exitCodes.fine.code;
      }),
    );
};
