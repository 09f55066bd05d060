import { access, constants } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { UserError } from '../../errors.ts';
import { userName } from '../../file-access.ts';
import { openBackupFile } from '../../ledger/backup/backup-file.ts';
import { exitCodes } from '../exit-codes.ts';
import { count, showBytes, showTime } from '../output/show-text.ts';
import { runCommand } from '../run-command.ts';

/** `cartwright backup`. */
export const addBackupCommand = (program: Command): void => {
  program
    .command('backup')
    .summary('write a backup of the ledger into a file')
    .description(
      'Writes the whole ledger, as of one moment, into one compressed file with a checksum, and with the configuration file without its secrets. Workers go on meanwhile. The accounts’ folders are not in it: back them up too. Set backup.folder for regular backups.',
    )
    .argument('<file>', 'the file to write; it must not exist')
    .addHelpText('after', '\nExample:\n  cartwright backup /mnt/backups/before-upgrade.backup')
    .action(
      runCommand('task', async ({ config, logger, terminal, signals, atEnd }, [file]) => {
        const path = resolve(file!);
        const exists = await access(path).then(
          () => true,
          () => false,
        );
        if (exists) throw new UserError('backup_exists', `${path} already exists. Choose another file name.`);
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
        const { openLedgerToRead } = await import('../../worker/open-ledger.ts');
        const { backUp } = await import('../../worker/back-up.ts');
        const { pool, stop } = await openLedgerToRead({
          config,
          logger,
          connections: 1,
          tell: terminal.note,
        });
        atEnd(stop);
        const stopping = new AbortController();
        void signals.requested.then(() => stopping.abort());
        const written = await backUp({ config, pool, signal: stopping.signal }, path).catch((thrown) => {
          if (stopping.signal.aborted) return undefined;
          throw thrown;
        });
        if (!written) {
          terminal.note('Stopped before the backup was complete; nothing was written.');
          return exitCodes.notAllDone.code;
        }
        terminal.answer(written);
        terminal.say(
          terminal.wrap(
            `Wrote ${path} (${showBytes(written.sizeBytes)}): the ledger as of ${showTime(written.createdAt)}, with ${count(written.purchaseOrders, 'PO')}.`,
          ),
        );
        return exitCodes.fine.code;
      }),
    );
};

interface RestoreOptions {
  showConfiguration?: boolean;
}

/** `cartwright restore`. */
export const addRestoreCommand = (program: Command): void => {
  program
    .command('restore')
    .summary('restore a backup into an empty ledger')
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
        const { config, logger, terminal, atEnd } = context;
        const path = resolve(file!);
        const { head, parts } = await openBackupFile(path);
        await parts.return(undefined);
        if (options.showConfiguration) {
          terminal.answer({ configuration: head.configuration });
          terminal.say(
            head.configuration?.trimEnd() ?? '# This backup was made without a configuration file.',
          );
          return exitCodes.fine.code;
        }
        const { openLedgerToRestore } = await import('../../worker/open-ledger.ts');
        const { restore } = await import('../../worker/restore.ts');
        const ledger = await openLedgerToRestore({ config, logger, connections: 2, tell: terminal.note });
        atEnd(() => ledger.stop());
        const restored = await restore({ config, pool: ledger.pool }, path);
        terminal.answer(restored);
        terminal.say(
          terminal.wrap(
            `Restored the ledger as of ${showTime(restored.createdAt)}: ${count(restored.imports, 'file')}, ${count(restored.purchaseOrders, 'PO')}, ${restored.open} of them in progress. Nothing is sent before ${showTime(restored.pausedUntil)}, when no earlier call can take effect any more; then each PO is looked up at the service before it is ordered.`,
          ),
        );
        for (const { message } of restored.foldersElsewhere) terminal.say(terminal.wrap(message));
        terminal.say('Next: `cartwright status`, then `cartwright up`.');
        return exitCodes.fine.code;
      }),
    );
};
