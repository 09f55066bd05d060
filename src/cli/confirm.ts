import { UserError } from '../errors.ts';
import { askYes, canAsk, openQuestions } from './ask-person.ts';
import type { Terminal } from './output/terminal.ts';

/** Asks a person for confirmation of, for example, `release 2 POs`; a program uses --yes. */
export const confirm = async (terminal: Terminal, change: string): Promise<boolean> => {
  if (!canAsk(terminal)) {
    throw new UserError(
      'confirmation_needed',
      `Cannot ask for confirmation, because this is not a terminal. Run the command again with --yes to ${change}.`,
    );
  }
  const question = `${change[0]!.toUpperCase()}${change.slice(1)}?`;
  const questions = openQuestions();
  try {
    return await askYes(questions.ask, question);
  } finally {
    questions.close();
  }
};
