import type { Command } from 'commander';
import type { Runtime } from '../../worker/open-runtime.ts';
import { startWorker } from '../../worker/start-worker.ts';
import { watchFolders } from '../../worker/watch-folders.ts';
import { exitCodes } from '../exit-codes.ts';
import { drawTable } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';
import { type CommandContext, runCommand } from '../run-command.ts';

/** Picks up files until the command ends. */
const watch = async ({ atEnd, logger }: CommandContext, { accounts, queues }: Runtime): Promise<void> => {
  const folders = await watchFolders(accounts.all, { enqueue: queues.enqueue, logger });
  atEnd(() => folders.stop());
};

/** Runs jobs until the command ends. */
const work = async ({ atEnd }: CommandContext, runtime: Runtime): Promise<void> => {
  const worker = await startWorker(runtime);
  atEnd(() => worker.stop());
};

/** Serves the queue view until the command ends; returns its address. */
const serveQueueView = async (
  { atEnd, config, terminal }: CommandContext,
  { queues }: Runtime,
): Promise<string> => {
  const { createQueueView } = await import('../../queue/queue-view.ts');
  const view = createQueueView({ bullQueues: queues.bullQueues, readOnly: config.queueView.readOnly });
  atEnd(() => view.stop());
  const { address, portTaken } = await view.listen(config.queueView);
  if (portTaken) {
    terminal.note(
      `Port ${config.queueView.port} is used by another program, so the queue view is at ${address}. Set queueView.port to choose another port.`,
    );
  }
  return address;
};

const showStart = (terminal: Terminal, { config }: Runtime, queueView: string): void => {
  terminal.answer({
    dataFolder: config.dataFolder,
    queueView,
    accounts: config.accounts.map(({ name, folder, api, problem }) => ({
      name,
      folder,
      baseUrl: api?.baseUrl,
      trouble: problem?.message,
    })),
  });
  terminal.say(
    drawTable(
      terminal,
      [{ head: 'Account' }, { head: 'Put purchase files into' }, { head: 'Orders go to', wraps: true }],
      config.accounts.map(({ name, folder, api, problem }) => [
        name,
        `${folder}/inbox`,
        api?.baseUrl ??
          (problem?.code === 'no_service'
            ? `not configured: set accounts.${name}.baseUrl`
            : `nowhere: ${problem?.message}`),
      ]),
    ),
  );
  terminal.say(`\nQueue view: ${queueView}\nPress Ctrl-C to stop.\n`);
};

/** `cartwright up`. */
export const addUpCommand = (program: Command): void => {
  program
    .command('up')
    .summary('watch inboxes, place orders, poll and report, all in one process')
    .description(
      'Picks up files from the inboxes, places their orders, fetches order statuses, writes result files and status reports, and serves the queue view on loopback. Runs until Ctrl-C or SIGTERM. To add workers, run `cartwright work`.',
    )
    .addHelpText('after', '\nExample:\n  cartwright up --config /etc/cartwright.yaml')
    .action(
      runCommand('service', async (context) => {
        const runtime = await context.open();
        const queueView = await serveQueueView(context, runtime);
        await work(context, runtime);
        await watch(context, runtime);
        showStart(context.terminal, runtime, queueView);
        await context.signals.requested;
        return exitCodes.fine.code;
      }),
    );
};

/** `cartwright watch`. */
export const addWatchCommand = (program: Command): void => {
  program
    .command('watch')
    .summary('pick up files from the inboxes, without placing orders')
    .description(
      'Watches the inboxes and picks up complete files. Workers (`cartwright work`) do the rest, on this machine or another. Runs until Ctrl-C or SIGTERM. Accounts with a takeFiles schedule are left to the workers.',
    )
    .addHelpText('after', '\nExample:\n  cartwright watch')
    .action(
      runCommand('service', async (context) => {
        const runtime = await context.open();
        await watch(context, runtime);
        for (const { account } of runtime.accounts.all)
          context.terminal.say(`Watching ${account.folder}/inbox`);
        await context.signals.requested;
        return exitCodes.fine.code;
      }),
    );
};

/** `cartwright work`. */
export const addWorkCommand = (program: Command): void => {
  program
    .command('work')
    .summary('place orders, poll and report, without watching inboxes')
    .description(
      'Processes imported files: reads them, places their orders, fetches order statuses, and writes result files and status reports. Any number of workers can run, also on several machines that share one DATABASE_URL and REDIS_URL. Runs until Ctrl-C or SIGTERM, then finishes running jobs.',
    )
    .addHelpText('after', '\nExample:\n  cartwright work')
    .action(
      runCommand('service', async (context) => {
        const runtime = await context.open();
        await work(context, runtime);
        context.terminal.say('Working. Press Ctrl-C to stop.');
        await context.signals.requested;
        return exitCodes.fine.code;
      }),
    );
};
