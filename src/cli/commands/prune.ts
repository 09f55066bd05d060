import type { Command } from 'commander';
import type pg from 'pg';
import type { Account } from '../../config/config.ts';
import { showBytes } from '../../show-bytes.ts';
import { type FolderState, findFolders } from '../../worker/check-folders.ts';
import { openLedgerToRead } from '../../worker/open-ledger.ts';
import { type PrunedKind, pruneAccount, pruneShared } from '../../worker/prune.ts';
import { chooseAccounts } from '../choose-account.ts';
import { confirm } from '../confirm.ts';
import { openPool } from '../open-pool.ts';
import { count } from '../output/show-text.ts';
import { drawTable, right } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';
import { type CommandContext, runCommand } from '../run-command.ts';

interface PruneFlags {
  account?: string;
  dryRun?: boolean;
  yes?: boolean;
}

const draw = (terminal: Terminal, pruned: readonly PrunedKind[]): string =>
  drawTable(
    terminal,
    ['Account', 'What', right('Count'), right('About')],
    pruned.map(({ account, kind, count, bytes }) => [
      account ?? '(all)',
      kind,
      count.toLocaleString('en-US'),
      showBytes(bytes),
    ]),
  );

interface Opened {
  pool: pg.Pool;
  all: readonly { account: Account; folder: FolderState }[];
}

const openToRemove = async ({ open }: CommandContext): Promise<Opened> => {
  const { accounts, ledger } = await open();
  return { pool: ledger.pool, all: accounts.all };
};

/** Read-only: the ledger of an earlier version is not migrated. */
const openToCount = async (context: CommandContext): Promise<Opened> => {
  const { accounts } = context.config;
  const pool = await openPool(context, openLedgerToRead);
  const folders = await findFolders(pool, accounts);
  return { pool, all: accounts.map((account) => ({ account, folder: folders.get(account.name)! })) };
};

export const addPruneCommand = (program: Command): void => {
  program
    .command('prune')
    .description(
      `Removes what is older than \`retention\` says, in small steps, while workers go on; workers do the same every night. PO numbers, order numbers, content hashes and everything that was sent are kept, so a file that comes again is recognised.`,
    )
    .option('--dry-run', 'only count what would be removed')
    .option('--account <name>', 'only this account')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', '\nExample:\n  cartwright prune --dry-run')
    .action(
      runCommand<PruneFlags>('task', async (context, _args, flags) => {
        const { config, terminal, signals } = context;
        const chosen = new Set(chooseAccounts(config, flags.account).map(({ name }) => name));
        const { pool, all } = flags.dryRun ? await openToCount(context) : await openToRemove(context);
        let isStopping = false;
        void signals.requested.then(() => {
          isStopping = true;
        });
        const run = async (dryRun: boolean): Promise<PrunedKind[]> => {
          const options = { pool, now: new Date(), dryRun, isStopping: () => isStopping };
          const pruned: PrunedKind[] = [];
          for (const one of all)
            if (chosen.has(one.account.name))
              pruned.push(...(await pruneAccount(one, config.retention, options)));
          if (flags.account === undefined)
            pruned.push(...(await pruneShared(config.retention.rows, options)));
          return pruned;
        };
        const found = await run(true);
        const total = found.reduce((sum, one) => sum + one.count, 0);
        if (flags.dryRun || total === 0) {
          terminal.answer({ dryRun: true, pruned: found });
          terminal.say(draw(terminal, found));
          terminal.say(total === 0 ? 'Nothing is older than it is kept.' : 'Dry run: nothing was removed.');
          return 'fine';
        }
        terminal.say(draw(terminal, found));
        if (!(await confirm(terminal, `remove ${count(total, 'file or row', 'files and rows')}`, flags.yes)))
          return 'fine';
        const pruned = await run(false);
        terminal.answer({ dryRun: false, pruned });
        const done = pruned.reduce((sum, one) => sum + one.count, 0);
        terminal.say(`Removed ${count(done, 'file or row', 'files and rows')}.`);
        return done < total ? 'notAllDone' : 'fine';
      }),
    );
};
