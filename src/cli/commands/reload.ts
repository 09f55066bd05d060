import type { Command } from 'commander';
import { openPool } from '../open-pool.ts';
import { reloadWorkers } from '../reload-workers.ts';
import { runCommand } from '../run-command.ts';

export const addReloadCommand = (program: Command): void => {
  program
    .command('reload')
    .description(
      'Asks every running `up`, `work` and `watch`, on every machine, to read its configuration again, and shows what each of them changed. Running work goes on. Settings that need a restart are named. A configuration that is not valid is refused, and the one before stays in use. SIGHUP does the same for one process.',
    )
    .addHelpText('after', '\nExample:\n  cartwright reload')
    .action(
      // runCommand reads this machine's configuration first: if it is wrong, no worker is asked.
      runCommand('task', async (context) => {
        const { done, workers } = await reloadWorkers(context, await openPool(context));
        context.terminal.answer({ workers });
        return done ? 'fine' : 'notAllDone';
      }),
    );
};
