import type { Command } from 'commander';
import { exitCodes } from '../exit-codes.ts';
import type { Runtime } from '../open-runtime.ts';
import { drawTable } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';
import { runCommand } from '../run-command.ts';
import { startWorker } from '../start-worker.ts';
import { watchFolders } from '../watch-folders.ts';

const sayStart = (terminal: Terminal, runtime: Runtime, queueView: string): void => {
  const { config } = runtime;
  terminal.answer({
    dataFolder: config.dataFolder,
    queueView,
    accounts: config.accounts.map(({ name, folder, api, trouble }) => ({
      name,
      folder,
      baseUrl: api?.baseUrl,
      trouble: trouble?.message,
    })),
  });
  terminal.say(
    drawTable(
      terminal,
      [{ head: 'Account' }, { head: 'Put purchase files into' }, { head: 'Orders go to', wraps: true }],
      config.accounts.map(({ name, folder, api, trouble }) => [
        name,
        `${folder}/inbox`,
        api?.baseUrl ?? `nowhere: ${trouble?.message}`,
      ]),
    ),
  );
  terminal.say(`\nQueue view: ${queueView}   Stop with Ctrl-C.\n`);
};

/** `cartwright up`. */
export const addUpCommand = (program: Command): void => {
  program
    .command('up')
    .summary('watch, place, poll and report: everything in one process')
    .description(
      'Takes files from the inboxes, places their orders, polls statuses, writes results and reports, and shows the queue on loopback. Runs until Ctrl-C or SIGTERM; more workers can run beside it with `cartwright work`.',
    )
    .addHelpText('after', '\nExample:\n  cartwright up --config /etc/cartwright.yaml')
    .action(
      runCommand('service', async ({ open, atEnd, config, logger, terminal, signals }) => {
        const runtime = await open();
        const { createQueueView } = await import('../../queue/queue-view.ts');
        const view = createQueueView({
          bullQueues: runtime.queues.bullQueues,
          readOnly: config.queueView.readOnly,
        });
        atEnd(() => view.stop());
        const { address, portTaken } = await view.listen(config.queueView);
        if (portTaken) {
          terminal.note(
            `Port ${config.queueView.port} is used by another program; the queue view is at ${address}. Set queueView.port to choose another one.`,
          );
        }
        const worker = await startWorker(runtime);
        atEnd(() => worker.stop());
        const folders = await watchFolders(runtime.accounts.all, { enqueue: runtime.queues.enqueue, logger });
        atEnd(() => folders.stop());
        sayStart(terminal, runtime, address);
        await signals.requested;
        return exitCodes.fine.code;
      }),
    );
};
