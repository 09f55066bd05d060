import { resolve } from 'node:path';
import type { Command } from 'commander';
import { runInShell } from '../run-command.ts';

export const addDemoCommand = (program: Command): void => {
  program
    .command('demo')
    .description(
      'Starts the built-in database and a sandbox service, puts the sample files into inboxes, places their orders, simulates a day passing, and shows the outcome, in about a minute. Needs no configuration and connects to no other machine. Each run starts from scratch.',
    )
    .option('--folder <folder>', 'folder for the files of the demo', 'cartwright-data/demo')
    .option('--keep', 'keep it running afterwards, and show the result in the console')
    .addHelpText('after', '\nExample:\n  cartwright demo --folder /tmp/cartwright-demo')
    .action(
      runInShell<{ folder: string; keep?: boolean }>(async (shell, _args, { folder, keep = false }) => {
        const { runDemo } = await import('../run-demo.ts');
        return runDemo(shell, resolve(folder), { keep });
      }),
    );
};
