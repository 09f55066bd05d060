import type { Command } from 'commander';
import { pausedSentence, resumedSentence, whyNotPaused, whyNotResumed } from '../../console/pause-words.ts';
import { UserError } from '../../errors.ts';
import { pauseByOperator, resumeByOperator } from '../../ledger/console/operator-pauses.ts';
import { chooseAccount } from '../choose-account.ts';
import { createConsoleWork } from '../console-work.ts';
import { operator } from '../open-pool.ts';
import { urlOption } from '../option-text.ts';
import { sayWrapped } from '../output/terminal.ts';
import { runCommand } from '../run-command.ts';

interface PauseOptions {
  note?: string;
  url?: string;
}

const commands = [
  {
    action: 'pause',
    summary: 'send nothing for an account until a person resumes it',
    description:
      'Pauses an account: no further step of any PO begins, and no statuses are fetched, until a person resumes it. Files are still picked up and read.',
  },
  {
    action: 'resume',
    summary: 'end the pause of an account',
    description:
      'Ends the pause that a person made, or one that Cartwright made because the service failed, which is then tried at once.',
  },
] as const;

/** `cartwright accounts pause` and `resume`. */
export const addPauseCommands = (accounts: Command): void => {
  for (const { action, summary, description } of commands) {
    accounts
      .command(action)
      .argument('[account]', 'account name')
      .summary(summary)
      .description(`${description} The ledger records who did it and when.`)
      .option('--note <text>', 'note to record in the ledger')
      .option(...urlOption)
      .addHelpText(
        'after',
        `\nExample:\n  cartwright accounts ${action} north --note "agreed with the dealer"`,
      )
      .action(
        runCommand<PauseOptions>('task', async ({ config, open, terminal }, [named], { note, url }) => {
          if (url !== undefined) {
            if (named === undefined) throw new UserError('account_needed', 'With --url, name the account.');
            const { remotePause } = await import('../remote/remote-accounts.ts');
            return remotePause(terminal, url, action, { account: named, note });
          }
          const { name } = chooseAccount(config, named, `by its name: cartwright accounts ${action} NAME`);
          const runtime = await open({ places: false });
          const { pool } = runtime.ledger;
          const by = { ...operator(), note };
          const isPause = action === 'pause';
          const result = await (isPause ? pauseByOperator : resumeByOperator)(pool, name, by);
          if (result.kind === 'not_possible') {
            const why = (isPause ? whyNotPaused : whyNotResumed)(name, result);
            throw new UserError('not_possible', why);
          }
          // Workers would otherwise notice at their next sweep.
          if (!isPause) await createConsoleWork(runtime).fillAccounts([name]);
          terminal.answer({ account: name, action });
          sayWrapped(terminal, isPause ? pausedSentence(name) : resumedSentence(name), 0);
          return 'fine';
        }),
      );
  }
};
