import { createInterface } from 'node:readline/promises';
import { UserError } from '../errors.ts';
import type { Terminal } from './output/terminal.ts';

/** Asks a person for confirmation of, for example, `release 2 POs`; a program uses --yes. */
export const confirm = async (terminal: Terminal, change: string): Promise<boolean> => {
  if (!terminal.live || process.stdin.isTTY !== true) {
    throw new UserError(
      'confirmation_needed',
      `Cannot ask for confirmation, because this is not a terminal. Run the command again with --yes to ${change}.`,
    );
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const question = `${change[0]!.toUpperCase()}${change.slice(1)}?`;
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
};
