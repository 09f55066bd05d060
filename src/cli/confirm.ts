import { UserError } from '../errors.ts';
import { askYes, canAsk, openQuestions } from './ask-person.ts';
import type { Terminal } from './output/terminal.ts';

/** Asks a person for confirmation of, for example, `release 2 POs`; a program uses --yes. */
export const askToConfirm = async (terminal: Terminal, change: string): Promise<boolean> => {
  if (!canAsk(terminal)) {
    throw new UserError(
      'confirmation_needed',
      `Cannot ask for confirmation, because this is not a terminal. Run the command again with --yes to ${change[0]!.toLowerCase()}${change.slice(1)}.`,
    );
  }
  const questions = openQuestions();
  return askYes(questions.ask, `${change[0]!.toUpperCase()}${change.slice(1)}?`).finally(questions.close);
};

/** The same for a command with --yes; reports that nothing is changed if the person declines. */
export const confirm = async (terminal: Terminal, change: string, yes = false): Promise<boolean> => {
  const isAgreed = yes || (await askToConfirm(terminal, change));
  if (!isAgreed) terminal.say('Nothing was changed.');
  return isAgreed;
};
