import type { Command } from 'commander';
import { exitCodes } from '../exit-codes.ts';
import { runCommand } from '../run-command.ts';
import { startWorker } from '../start-worker.ts';

/** `cartwright work`. */
export const addWorkCommand = (program: Command): void => {
  program
    .command('work')
    .summary('place, poll and report; watch no inbox')
    .description(
      'Works on what was taken: reads files, places orders, polls, writes results. Any number of workers may run, on several machines with one DATABASE_URL and REDIS_URL. Runs until Ctrl-C or SIGTERM, and lets running jobs end.',
    )
    .addHelpText('after', '\nExample:\n  cartwright work')
    .action(
      runCommand('service', async ({ open, atEnd, terminal, signals }) => {
        const runtime = await open();
        const worker = await startWorker(runtime);
        atEnd(() => worker.stop());
        terminal.say('Working. Stop with Ctrl-C.');
        await signals.requested;
        return exitCodes.fine.code;
      }),
    );
};
