import { resolve } from 'node:path';
import type { Command } from 'commander';
import { runInShell } from '../run-command.ts';

/** `cartwright demo`. */
export const addDemoCommand = (program: Command): void => {
  program
    .command('demo')
    .summary('see it work: sample files become orders at a sandbox')
    .description(
      'Starts the built-in database and a sandbox service, drops the sample files into inboxes, places their orders, lets a day go by, and shows what became of everything. Uses no configuration and reaches no other machine. Each run begins anew.',
    )
    .option('--folder <folder>', 'where it works', 'cartwright-data/demo')
    .addHelpText('after', '\nExample:\n  cartwright demo --folder /tmp/cartwright-demo')
    .action(
      runInShell<{ folder: string }>(async (shell, _args, { folder }) => {
        const { runDemo } = await import('../run-demo.ts');
        return runDemo(shell, resolve(folder));
      }),
    );
};
