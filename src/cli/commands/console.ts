import type { Command } from 'commander';
import type { ListeningConsole } from '../../console/listen-console.ts';
import type { Runtime } from '../../worker/open-runtime.ts';
import { openReadiness } from '../open-readiness.ts';
import { type CommandContext, runCommand } from '../run-command.ts';
import { serveUntilStopped } from '../serve-until-stopped.ts';

/** Serves the console until the command ends. */
export const openConsole = async (
  { atEnd, config, terminal }: CommandContext,
  runtime: Runtime,
): Promise<ListeningConsole> => {
  // Loaded here, because loading takes a quarter of a second that other commands do not need.
  const { serveConsole } = await import('../serve-console.ts');
  const listening = await serveConsole(runtime);
  atEnd(() => listening.stop());
  if (listening.portTaken) {
    terminal.note(
      `Port ${config.console.port} is used by another program, so the console is at ${listening.url}. Set console.port to choose another port.`,
    );
  }
  return listening;
};

/** The lines with the console's address and the way to create its first user. */
export const describeConsole = ({ url, firstLink }: Pick<ListeningConsole, 'url' | 'firstLink'>): string =>
  firstLink === undefined
    ? `Console: ${url}`
    : `Console: ${url}\nIt has no user yet. To make the first one, open this link on this machine within an hour; it works once:\n  ${firstLink}`;

export const addConsoleCommand = (program: Command): void => {
  program
    .command('console')
    .description(
      'Serves the console: purchase orders, imports, accounts, reports and what needs a person, in a browser and as an API. `cartwright up` serves it too; this command is for machines that run only `watch` and `work`. Runs until Ctrl-C or SIGTERM.',
    )
    .addHelpText('after', '\nExample:\n  cartwright console')
    .action(
      runCommand('service', async (context) => {
        const runtime = await context.open({ places: false });
        const listening = await openConsole(context, runtime);
        context.terminal.answer({ console: listening.url });
        context.terminal.say(`${describeConsole(listening)}\nPress Ctrl-C to stop.`);
        await serveUntilStopped(context, {
          readiness: openReadiness(runtime),
          status: `Serving at ${listening.url}`,
        });
      }),
    );
};
