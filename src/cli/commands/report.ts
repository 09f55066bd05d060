import type { Command } from 'commander';
import { messageOf } from '../../errors.ts';
import { readOverview } from '../../ledger/overview.ts';
import { writeDueResults } from '../../worker/write-due-results.ts';
import { chooseAccounts } from '../choose-account.ts';
import { exitCodes, isLostConnection } from '../exit-codes.ts';
import { drawTable } from '../output/table.ts';
import { runCommand } from '../run-command.ts';

/** `cartwright report`. */
export const addReportCommand = (program: Command): void => {
  program
    .command('report')
    .summary('write status reports now')
    .description(
      'Writes each account’s status report: one row per order with status, totals, dates and tracking numbers, as known to the ledger (run `cartwright poll` first to update it). Also updates result files that are out of date.',
    )
    .option('--account <name>', 'only this account')
    .addHelpText('after', '\nExample:\n  cartwright poll && cartwright report')
    .action(
      runCommand<{ account?: string }>('task', async ({ open, config, logger, terminal }, _args, options) => {
        const accounts = chooseAccounts(config, options.account);
        const { jobs, ledger } = await open();
        // If one account's folder cannot be written, the other accounts still get their reports.
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
          terminal.note(
            `cartwright: Cannot write the status report of account ${account}: ${error}. Check accounts.${account}.folder.`,
          );
        }
        return failed.length > 0 ? exitCodes.notAllDone.code : exitCodes.fine.code;
      }),
    );
};
