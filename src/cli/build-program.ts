import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { addDemoCommand } from './commands/demo.ts';
import { addImportCommand } from './commands/import.ts';
import { addMapCommand } from './commands/map.ts';
import { addPollCommand } from './commands/poll.ts';
import { addReportCommand } from './commands/report.ts';
import { addServiceCommand } from './commands/service.ts';
import { addStatusCommand } from './commands/status.ts';
import { addSteerCommands } from './commands/steer.ts';
import { addUpCommand } from './commands/up.ts';
import { addWatchCommand } from './commands/watch.ts';
import { addWorkCommand } from './commands/work.ts';
import { exitCodes } from './exit-codes.ts';
import { packageFolder } from './package-folder.ts';

const exitCodeLines = Object.values(exitCodes)
  .map(({ code, means }) => `  ${String(code).padStart(3)}  ${means}`)
  .join('\n');

/** The command line, with every command; nothing of it runs yet. */
export const buildProgram = (): Command => {
  const { version, description } = JSON.parse(
    readFileSync(new URL('package.json', packageFolder), 'utf8'),
  ) as {
    version: string;
    description: string;
  };
  const program = new Command('cartwright');
  program
    .description(description)
    .version(version)
    .option(
      '--config <file>',
      'configuration file (default: CARTWRIGHT_CONFIG, or cartwright.yaml where you stand)',
    )
    .option('--json', 'answer with JSON on standard output')
    .option('--verbose', 'say everything, with stack traces')
    .option('--no-color', 'no colours (also: NO_COLOR)')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Use --help for what there is.')
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText(
      'after',
      `
Examples:
  cartwright demo                            see it work, in a minute
  cartwright up                              watch inboxes, place orders, poll, report
  cartwright import --dry-run orders.csv     what would become of a file
  cartwright status 4500081                  everything about one PO

Environment: DATABASE_URL and REDIS_URL (neither is needed), CARTWRIGHT_CONFIG, CARTWRIGHT_DATA,
CARTWRIGHT_BASE_URL and CARTWRIGHT_TOKEN (the default account), CARTWRIGHT_LOG_LEVEL.

Exit codes:
${exitCodeLines}`,
    );
  addDemoCommand(program);
  addUpCommand(program);
  addImportCommand(program);
  addMapCommand(program);
  addStatusCommand(program);
  addReportCommand(program);
  addPollCommand(program);
  addWatchCommand(program);
  addWorkCommand(program);
  addSteerCommands(program);
  addServiceCommand(program);
  return program;
};
