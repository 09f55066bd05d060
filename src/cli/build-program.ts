import { Command } from 'commander';
import { readPackage } from '../package.ts';
import { addAccountsCommand } from './commands/accounts.ts';
import { addBackupCommand, addRestoreCommand } from './commands/backup.ts';
import { addConsoleCommand } from './commands/console.ts';
import { addDemoCommand } from './commands/demo.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addImportCommand } from './commands/import.ts';
import { addMapCommand } from './commands/map.ts';
import { addNotifyCommand } from './commands/notify.ts';
import { addOperatorCommands } from './commands/operator-actions.ts';
import { addPollCommand } from './commands/poll.ts';
import { addPruneCommand } from './commands/prune.ts';
import { addReloadCommand } from './commands/reload.ts';
import { addReportCommand } from './commands/report.ts';
import { addScheduleCommand } from './commands/schedule.ts';
import { addServiceCommand } from './commands/service.ts';
import { addStatusCommand } from './commands/status.ts';
import { addTokensCommand } from './commands/tokens.ts';
import { addUseFolderCommand } from './commands/use-folder.ts';
import { addUsersCommand } from './commands/users.ts';
import { addUpCommand, addWatchCommand, addWorkCommand } from './commands/workers.ts';
import { exitCodes } from './exit-codes.ts';

const variables = {
  DATABASE_URL: 'Postgres for the ledger (default: a built-in one in the data folder)',
  REDIS_URL: 'Redis for the job queue (default: the queue is in Postgres)',
  CARTWRIGHT_CONFIG: 'configuration file',
  CARTWRIGHT_DATA: 'data folder',
  CARTWRIGHT_BASE_URL: 'address of the service of the account `default`',
  CARTWRIGHT_TOKEN: 'bearer token of the account `default`',
  CARTWRIGHT_LOG_LEVEL: 'log verbosity',
  CARTWRIGHT_API_TOKEN: 'token of the console that --url names',
};

/** Terms and their meanings in two columns, wrapped like the options above them. */
const drawTerms = (command: Command, terms: [string, string][]): string => {
  const help = command.createHelp();
  help.prepareContext({ helpWidth: command.configureOutput().getOutHelpWidth?.() ?? 80 });
  const width = Math.max(...terms.map(([term]) => term.length));
  return terms.map(([term, meaning]) => help.formatItem(term, width, meaning, help)).join('\n');
};

const addedHelp = ({ command }: { command: Command }): string => `
Examples:
  cartwright demo                         try it out, in about a minute
  cartwright up                           watch inboxes, place orders, report
  cartwright import --dry-run orders.csv  show what would be ordered
  cartwright status 4500081               show everything about one PO

Environment variables (all are optional):
${drawTerms(command, Object.entries(variables))}

Exit codes:
${drawTerms(
  command,
  Object.values(exitCodes).map(({ code, means }) => [String(code).padStart(3), means]),
)}`;

/** The command line with every command. */
export const buildProgram = (): Command => {
  const { version, description } = readPackage();
  const program = new Command('cartwright');
  program
    .description(description)
    .version(version, '-V, --version', 'print the version')
    .option(
      '--config <file>',
      'configuration file (default: CARTWRIGHT_CONFIG, or cartwright.yaml in the current directory)',
    )
    .option('--json', 'print the result as JSON on standard output')
    .option('--verbose', 'verbose output, including stack traces')
    .option('--no-color', 'print without colours (also: NO_COLOR)')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show help for a command')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Run with --help to see available options.')
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText('after', addedHelp);
  addDemoCommand(program);
  addUpCommand(program);
  addImportCommand(program);
  addMapCommand(program);
  addStatusCommand(program);
  addReportCommand(program);
  addPollCommand(program);
  addScheduleCommand(program);
  addWatchCommand(program);
  addWorkCommand(program);
  addOperatorCommands(program);
  addConsoleCommand(program);
  addUsersCommand(program);
  addTokensCommand(program);
  addNotifyCommand(program);
  addDoctorCommand(program);
  addUseFolderCommand(program);
  addBackupCommand(program);
  addRestoreCommand(program);
  addPruneCommand(program);
  addReloadCommand(program);
  addAccountsCommand(program);
  addServiceCommand(program);
  return program;
};
