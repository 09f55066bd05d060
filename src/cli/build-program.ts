import { Command } from 'commander';
import { readPackage } from '../package.ts';
import { exitCodes } from './exit-codes.ts';
import { groups, loadCommand } from './list-commands.ts';

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

/** Reports an unknown subcommand. If the command also runs without one, commander would report unknown options or too many arguments. */
const nameUnknownCommand = (command: Command): void => {
  const outputError = (text: string, write: (text: string) => void) => {
    const [word] = command.args;
    const names = command.commands.map((one) => one.name());
    const isCommand = word === undefined || word.startsWith('-') || names.includes(word);
    if (isCommand) return write(text);
    write(`error: '${command.name()}' has no command '${word}'. Its commands are ${names.join(', ')}.\n`);
  };
  // An unknown word goes to the default subcommand, which reports it.
  for (const one of [command, ...command.commands]) one.configureOutput({ outputError });
};

/**
 * The command line with every command. Commands that are not among the words get only their summary for the help, because loading all
 * modules doubles the start-up time and adds a third to the memory of a long-running command.
 *
 * @param words the arguments of the command line; none: every command can run
 */
export const buildProgram = async (words?: readonly string[]): Promise<Command> => {
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
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 20 })
    .showHelpAfterError('Run with --help to see available options.')
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText('after', addedHelp);
  for (const [title, commands] of Object.entries(groups)) {
    program.commandsGroup(title);
    for (const [name, [args, summary]] of Object.entries(commands)) {
      if (words === undefined || words.includes(name)) (await loadCommand(name))(program, name);
      else program.command(`${name} ${args}`);
      program.commands.find((one) => one.name() === name)!.summary(summary);
    }
  }
  for (const command of program.commands) if (command.commands.length > 0) nameUnknownCommand(command);
  return program;
};
