import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { askForReload, listReloadAnswers } from '../../ledger/reloads.ts';
import { exitCodes } from '../exit-codes.ts';
import { drawTable } from '../output/table.ts';
import { runCommand } from '../run-command.ts';

const answersWithinMs = 30_000;

/** `cartwright reload`. */
export const addReloadCommand = (program: Command): void => {
  program
    .command('reload')
    .summary('make running workers read their configuration again')
    .description(
      'Asks every running `up`, `work` and `watch`, on every machine, to read its configuration again, and shows what each of them changed. Running work goes on. Settings that need a restart are named. A configuration that is not valid is refused, and the one before stays in use. SIGHUP does the same for one process.',
    )
    .addHelpText('after', '\nExample:\n  cartwright reload')
    .action(
      // Before this runs, the configuration of this machine was read: if it is wrong, no worker is asked.
      runCommand('task', async ({ open, signals, terminal }) => {
        const { ledger } = await open({ places: false });
        const request = await askForReload(ledger.pool);
        const deadline = performance.now() + answersWithinMs;
        let answers = await listReloadAnswers(ledger.pool);
        while (
          answers.some(({ reloads }) => reloads < request) &&
          performance.now() < deadline &&
          !signals.isRequested()
        ) {
          await sleep(250);
          answers = await listReloadAnswers(ledger.pool);
        }
        const shown = answers.map(({ host, pid, reloads, note, refused }) => ({
          host,
          pid,
          answered: reloads >= request,
          refused: reloads >= request && refused,
          note:
            reloads >= request ? (note ?? '') : 'It has not answered. Restart it if its version is older.',
        }));
        terminal.answer({ workers: shown });
        terminal.say(
          shown.length === 0
            ? 'No worker is running; the next one reads the configuration as it is now.'
            : drawTable(
                terminal,
                [{ head: 'Worker' }, { head: 'Result', wraps: true }],
                shown.map(({ host, pid, note }) => [`${pid} on ${host}`, note]),
              ),
        );
        return shown.every(({ answered, refused }) => answered && !refused)
          ? exitCodes.fine.code
          : exitCodes.notAllDone.code;
      }),
    );
};
