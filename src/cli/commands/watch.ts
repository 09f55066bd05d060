import type { Command } from 'commander';
import { exitCodes } from '../exit-codes.ts';
import { runCommand } from '../run-command.ts';
import { watchFolders } from '../watch-folders.ts';

/** `cartwright watch`. */
export const addWatchCommand = (program: Command): void => {
  program
    .command('watch')
    .summary('take files from the inboxes; place nothing')
    .description(
      'Watches the inboxes and takes complete files. Workers (`cartwright work`) do the rest, on this machine or another. Runs until Ctrl-C or SIGTERM. Accounts that take files by the clock are left to the workers.',
    )
    .addHelpText('after', '\nExample:\n  cartwright watch')
    .action(
      runCommand('service', async ({ open, atEnd, logger, terminal, signals }) => {
        const runtime = await open();
        const folders = await watchFolders(runtime.accounts.all, { enqueue: runtime.queues.enqueue, logger });
        atEnd(() => folders.stop());
        for (const { account } of runtime.accounts.all) terminal.say(`Watching ${account.folder}/inbox`);
        await signals.requested;
        return exitCodes.fine.code;
      }),
    );
};
