import { Command } from 'commander';
import { readPackage } from '../package.ts';
import { exitCodes } from './exit-codes.ts';
import { nameUnknownCommand } from './name-unknown-command.ts';

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
  cartwright init                         write a first configuration
  cartwright up --sandbox                 try your own files, without a service
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

interface Module {
  names: string[];
  load(): Promise<(program: Command) => void>;
}

/** Every command, in the order of the help and below its titles, with the module that adds it. */
const groups: { title: string; modules: Module[] }[] = [
  {
    title: 'Try it, set it up and run it:',
    modules: [
      { names: ['demo'], load: async () => (await import('./commands/demo.ts')).addDemoCommand },
      { names: ['init'], load: async () => (await import('./commands/init.ts')).addInitCommand },
      { names: ['up'], load: async () => (await import('./commands/workers.ts')).addUpCommand },
      { names: ['doctor'], load: async () => (await import('./commands/doctor.ts')).addDoctorCommand },
    ],
  },
  {
    title: 'See what is going on:',
    modules: [
      { names: ['status'], load: async () => (await import('./commands/status.ts')).addStatusCommand },
      { names: ['orders'], load: async () => (await import('./commands/orders.ts')).addOrdersCommand },
      {
        names: ['statistics'],
        load: async () => (await import('./commands/statistics.ts')).addStatisticsCommand,
      },
      { names: ['report'], load: async () => (await import('./commands/report.ts')).addReportCommand },
      { names: ['poll'], load: async () => (await import('./commands/poll.ts')).addPollCommand },
      { names: ['schedule'], load: async () => (await import('./commands/schedule.ts')).addScheduleCommand },
    ],
  },
  {
    title: 'Purchase files:',
    modules: [
      { names: ['import'], load: async () => (await import('./commands/import.ts')).addImportCommand },
      { names: ['map'], load: async () => (await import('./commands/map.ts')).addMapCommand },
      { names: ['layouts'], load: async () => (await import('./commands/layouts.ts')).addLayoutsCommand },
      { names: ['answer'], load: async () => (await import('./commands/answer.ts')).addAnswerCommand },
      { names: ['template'], load: async () => (await import('./commands/template.ts')).addTemplateCommand },
    ],
  },
  {
    title: 'Decide about purchase orders:',
    modules: [
      {
        names: ['release', 'hold', 'cancel', 'retry', 'adopt', 'submit-again', 'settle', 'unsettle'],
        load: async () => (await import('./commands/operator-actions.ts')).addOperatorCommands,
      },
    ],
  },
  {
    title: 'Accounts, people and programs:',
    modules: [
      { names: ['accounts'], load: async () => (await import('./commands/accounts.ts')).addAccountsCommand },
      { names: ['users'], load: async () => (await import('./commands/users.ts')).addUsersCommand },
      { names: ['tokens'], load: async () => (await import('./commands/tokens.ts')).addTokensCommand },
      { names: ['notify'], load: async () => (await import('./commands/notify.ts')).addNotifyCommand },
      { names: ['sync'], load: async () => (await import('./commands/sync.ts')).addSyncCommand },
      { names: ['config'], load: async () => (await import('./commands/config.ts')).addConfigCommand },
      { names: ['api'], load: async () => (await import('./commands/api.ts')).addApiCommand },
    ],
  },
  {
    title: 'Look after it:',
    modules: [
      { names: ['reload'], load: async () => (await import('./commands/reload.ts')).addReloadCommand },
      { names: ['backup'], load: async () => (await import('./commands/backup.ts')).addBackupCommand },
      { names: ['restore'], load: async () => (await import('./commands/backup.ts')).addRestoreCommand },
      { names: ['prune'], load: async () => (await import('./commands/prune.ts')).addPruneCommand },
      {
        names: ['use-folder'],
        load: async () => (await import('./commands/use-folder.ts')).addUseFolderCommand,
      },
    ],
  },
  {
    title: 'Parts of `up`, each in a process of its own:',
    modules: [
      { names: ['watch'], load: async () => (await import('./commands/workers.ts')).addWatchCommand },
      { names: ['work'], load: async () => (await import('./commands/workers.ts')).addWorkCommand },
      { names: ['console'], load: async () => (await import('./commands/console.ts')).addConsoleCommand },
      { names: ['service'], load: async () => (await import('./commands/service.ts')).addServiceCommand },
    ],
  },
];

/**
 * The command line with every command. For the name of one, only that command, and for the version none: the modules of all of them double the time
 * until a command starts, and add a third to the memory of one that keeps running.
 */
export const buildProgram = async (only?: string): Promise<Command> => {
  const { version, description } = readPackage();
  const program = new Command('cartwright');
  program
    .description(description)
    .version(version, '-V, --version', 'print the version')
    .option(
      '--config <file>',
      'configuration file (default: CARTWRIGHT_CONFIG, or cartwright.yaml in the current directory)',
    )
    .option(
      '--sandbox',
      'use a sandbox on this machine instead of the accounts’ services, with a ledger and folders of its own; `up` runs it',
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
  if (only === '-V' || only === '--version') return program;
  const isWanted = ({ names }: Module) => only !== undefined && names.includes(only);
  const isKnown = groups.some(({ modules }) => modules.some(isWanted));
  for (const { title, modules } of groups) {
    program.commandsGroup(title);
    for (const one of modules) if (!isKnown || isWanted(one)) (await one.load())(program);
  }
  for (const command of program.commands) if (command.commands.length > 0) nameUnknownCommand(command);
  return program;
};
