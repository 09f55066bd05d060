import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { UserError } from '../../errors.ts';
import { userName } from '../../file-access.ts';
import { openBackupFile } from '../../ledger/backup/backup-file.ts';
import { showBytes } from '../../show-bytes.ts';
import { backUp } from '../../worker/back-up.ts';
import { openLedgerToRead, openLedgerToRestore } from '../../worker/open-ledger.ts';
import { restore } from '../../worker/restore.ts';
import { openPool } from '../open-pool.ts';
import { count, showTime } from '../output/show-text.ts';
import { sayWrapped } from '../output/terminal.ts';
import { runCommand } from '../run-command.ts';

export const addBackupCommand = (program: Command): void => {
  program
    .command('backup')
    .description(
      'Writes the whole ledger, as of one moment, into one compressed file with a checksum, and with the configuration file without its secrets. Workers go on meanwhile. The accounts’ folders are not in it: back them up too. Set backup.folder for regular backups.',
    )
    .argument('<file>', 'the file to write; it must not exist')
    .addHelpText('after', '\nExample:\n  cartwright backup /mnt/backups/before-upgrade.backup')
    .action(
      runCommand('task', async (context, [file]) => {
        const { config, terminal, signals } = context;
        const path = resolve(file!);
        if (existsSync(path))
          throw new UserError('backup_exists', `${path} already exists. Choose another file name.`);
        await access(dirname(path), constants.W_OK | constants.X_OK).catch(
          (thrown: NodeJS.ErrnoException) => {
            const why =
              thrown.code === 'ENOENT' ? 'does not exist' : `cannot be written by the user ${userName()}`;
            throw new UserError(
              'backup_folder',
              `The folder ${dirname(path)} ${why}. Create it or give the user access, or choose another folder.`,
            );
          },
        );
        const pool = await openPool(context, openLedgerToRead);
        const stopping = new AbortController();
        void signals.requested.then(() => stopping.abort());
        const written = await backUp({ config, pool, signal: stopping.signal }, path).catch((thrown) => {
          if (stopping.signal.aborted) return undefined;
          throw thrown;
        });
        if (!written) {
          terminal.note('Stopped before the backup was complete; nothing was written.');
          return 'notAllDone';
        }
        terminal.answer(written);
        sayWrapped(
          terminal,
          `Wrote ${path} (${showBytes(written.sizeBytes)}): the ledger as of ${showTime(written.createdAt)}, with ${count(written.purchaseOrders, 'PO')}.`,
        );
        return 'fine';
      }),
    );
};

interface RestoreOptions {
  showConfiguration?: boolean;
}

export const addRestoreCommand = (program: Command): void => {
  program
    .command('restore')
    .description(
      'Restores a file that `cartwright backup` wrote into an empty database or data folder, completely or not at all, and migrates it to this version. Stop the workers of the old ledger first, for good: two ledgers with the same POs would place them twice.',
    )
    .argument('<file>', 'the backup')
    .option('--show-configuration', 'only print the configuration file that is in the backup')
    .addHelpText(
      'after',
      `
Examples:
  cartwright restore --show-configuration last.backup > cartwright.yaml
  cartwright restore last.backup`,
    )
    .action(
      runCommand<RestoreOptions>('task', async (context, [file], options) => {
        const { config, terminal } = context;
        const path = resolve(file!);
        const { head, parts } = await openBackupFile(path);
        await parts.return(undefined);
        if (options.showConfiguration) {
          terminal.answer({ configuration: head.configuration });
          terminal.say(
            head.configuration?.trimEnd() ?? '# This backup was made without a configuration file.',
          );
          return 'fine';
        }
        const pool = await openPool(context, openLedgerToRestore);
        const restored = await restore({ config, pool }, path);
        terminal.answer(restored);
        sayWrapped(
          terminal,
          `Restored the ledger as of ${showTime(restored.createdAt)}: ${count(restored.imports, 'file')}, ${count(restored.purchaseOrders, 'PO')}, ${restored.open} of them in progress. Nothing is sent before ${showTime(restored.pausedUntil)}, when no earlier call can take effect any more; then each PO is looked up at the service before it is ordered.`,
        );
        for (const { message } of restored.foldersElsewhere) sayWrapped(terminal, message);
        terminal.say('Next: `cartwright status`, then `cartwright up`.');
        return 'fine';
      }),
    );
};
