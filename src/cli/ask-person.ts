import { createInterface } from 'node:readline';
import { UserError } from '../errors.ts';
import { wrapWords } from './output/show-text.ts';
import type { Terminal } from './output/terminal.ts';

/** Whether questions can be asked: both outputs and the input are a terminal. */
export const canAsk = (terminal: Terminal): boolean => terminal.live && process.stdin.isTTY === true;

/** Shows a question and returns the answer line, trimmed. */
export type Ask = (question: string) => Promise<string>;

/**
 * Asks a person questions. Lines that were entered or pasted ahead answer the next questions, so a command opens this once.
 *
 * @returns `ask` throws UserError `not_answered` on Ctrl-D, Ctrl-C or a request to terminate
 */
export const openQuestions = (): { ask: Ask; close(): void } => {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // Readline does not end on Ctrl-C.
  const end = () => lines.close();
  lines.on('SIGINT', end);
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, end);
  lines.once('close', () => {
    for (const signal of signals) process.off(signal, end);
  });
  const entered = lines[Symbol.asyncIterator]();
  return {
    ask: async (question) => {
      const shown = wrapWords(question.trimEnd(), process.stderr.columns || 80, 0);
      const last = shown.lastIndexOf('\n') + 1;
      process.stderr.write(shown.slice(0, last));
      lines.setPrompt(`${shown.slice(last)} `);
      lines.prompt();
      const { done, value } = await entered.next();
      if (!done) return value.trim();
      process.stderr.write('\n');
      throw new UserError('not_answered', 'The question was not answered, so nothing was changed.');
    },
    close: end,
  };
};

/** Asks a yes/no question; an empty answer means no. Other text may have been meant for the shell, so it asks again. */
export const askYes = async (ask: Ask, question: string): Promise<boolean> => {
  for (let again = ''; ; again = 'Answer y or n. ') {
    const answer = await ask(`${again}${question} [y/N] `);
    if (/^(?:y|yes)$/i.test(answer)) return true;
    if (/^(?:n|no)?$/i.test(answer)) return false;
  }
};
