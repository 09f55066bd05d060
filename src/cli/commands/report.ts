import type { Command } from 'commander';
import type { Account, Config } from '../../config/config.ts';
import { messageOf, UserError } from '../../errors.ts';
import { accountOfImport } from '../../ledger/imports.ts';
import { isLostConnection } from '../../ledger/lost-connection.ts';
import type { ReportFilter } from '../../reports/types.ts';
import type { Runtime } from '../../worker/open-runtime.ts';
import { writeDueResults } from '../../worker/write-due-results.ts';
import { chooseAccount, chooseAccounts } from '../choose-account.ts';
import { badOption, dayOptions, urlOption } from '../option-text.ts';
import { drawTable } from '../output/table.ts';
import { runCommand } from '../run-command.ts';

interface ReportOptions {
  account?: string;
  from?: string;
  to?: string;
  import?: string;
  changes?: boolean;
  url?: string;
}

const filterOf = (options: ReportOptions): ReportFilter => {
  const { from, to } = dayOptions(options);
  if (options.import !== undefined && !/^\d{1,18}$/.test(options.import))
    throw badOption(
      `--import must be the number of an import (got ${options.import}). \`cartwright status\` lists the imports.`,
    );
  return { from, to, importId: options.import, changedOnly: options.changes };
};

/** The accounts to report on; for an import, the account that it belongs to. */
const accountsFor = async (
  config: Config,
  { ledger }: Runtime,
  { account, import: importId }: ReportOptions,
): Promise<readonly Account[]> => {
  if (importId === undefined) return chooseAccounts(config, account);
  const owner = await accountOfImport(ledger.pool, importId);
  if (owner === undefined)
    throw new UserError(
      'unknown_import',
      `There is no import ${importId}. \`cartwright status\` lists the imports.`,
    );
  if (account !== undefined && account !== owner)
    throw badOption(`Import ${importId} belongs to the account ${owner}, not to ${account}.`);
  return [chooseAccount(config, owner)];
};

export const addReportCommand = (program: Command): void => {
  program
    .command('report')
    .description(
      'Writes each account’s status report: a summary, one row per order, and one row per line, as known to the ledger (run `cartwright poll` first to update it). Also updates result files that are out of date. With --from, --to, --import or --changes it writes a report of those orders beside the daily one.',
    )
    .option('--account <name>', 'only this account')
    .option(...urlOption)
    .option('--from <day>', 'only orders placed on this day or later, such as 2026-11-01')
    .option('--to <day>', 'only orders placed on this day or earlier')
    .option('--import <number>', 'only orders of this import')
    .option('--changes', 'only orders that are new or have changed since the last daily report')
    .addHelpText(
      'after',
      '\nExamples:\n  cartwright poll && cartwright report\n  cartwright report --account north --from 2026-11-01 --to 2026-11-30\n  cartwright report --import 12',
    )
    .action(
      runCommand<ReportOptions>('task', async ({ config, open, logger, terminal }, _args, options) => {
        const filter = filterOf(options);
        if (options.url !== undefined) {
          if (Object.values(filter).some((value) => value !== undefined))
            throw badOption(
              '--url writes the daily report only. Remove --from, --to, --import and --changes; the console’s page Orders has the orders of a range.',
            );
          const { remoteRun } = await import('../remote/remote-accounts.ts');
          return remoteRun(terminal, options.url, 'report', options.account);
        }
        // Before opening anything, because a wrong name is the quickest mistake to correct.
        chooseAccounts(config, options.account);
        const runtime = await open();
        const accounts = await accountsFor(config, runtime, options);
        const { jobs } = runtime;
        // If writing to one account's folder fails, the other accounts still get their reports.
        const written: { account: string; paths: string[] }[] = [];
        const failed: { account: string; error: string }[] = [];
        for (const { name } of accounts) {
          try {
            written.push({ account: name, ...(await jobs.writeStatusReport(name, filter)) });
          } catch (thrown) {
            if (isLostConnection(thrown)) throw thrown;
            failed.push({ account: name, error: messageOf(thrown) });
          }
        }
        await writeDueResults({ jobs, logger });
        terminal.answer({
          accounts: written.map(({ account, paths }) => ({ account, reportPath: paths[0], paths })),
          failed,
        });
        if (written.length > 0) {
          terminal.say(
            drawTable(
              terminal,
              ['Account', 'Status report'],
              written.flatMap(({ account, paths }) => paths.map((path) => [account, path])),
            ),
          );
        }
        for (const { account, error } of failed) {
          terminal.note(
            `cartwright: Cannot write the status report of account ${account}: ${error}. Check accounts.${account}.folder.`,
          );
        }
        return failed.length > 0 ? 'notAllDone' : 'fine';
      }),
    );
};
