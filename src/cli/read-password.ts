import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UserError } from '../errors.ts';
import type { Terminal } from './output/terminal.ts';

const shortest = 12;

/**
 * Asks for a password twice without showing it; from a program, the first line of standard input.
 * @throws UserError `bad_password`
 */
export const readPassword = async (terminal: Terminal, name: string): Promise<string> => {
  const isPerson = process.stdin.isTTY === true;
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: hidden, terminal: isPerson });
  const entered = lines[Symbol.asyncIterator]();
  const ask = async (question: string): Promise<string> => {
    if (isPerson) process.stderr.write(question);
    const { value } = await entered.next();
    if (isPerson) terminal.note('');
    return value ?? '';
  };
  try {
    const password = await ask(`Password for ${name}: `);
    if (password.length < shortest) {
      throw new UserError(
        'bad_password',
        `The password must have at least ${shortest} characters. Nothing was changed.`,
      );
    }
    const { isNameOf } = await import('../api-contract/names.ts');
    if (isNameOf(password, name)) {
      throw new UserError(
        'bad_password',
        'The password must not be little more than the user name. Nothing was changed.',
      );
    }
    const { whyGuessable } = await import('../api-contract/guessable.ts');
    const why = whyGuessable(password);
    if (why !== undefined) throw new UserError('bad_password', `The password ${why}. Nothing was changed.`);
    if (isPerson && (await ask('The same password again: ')) !== password) {
      throw new UserError('bad_password', 'The two passwords differ. Nothing was changed.');
    }
    return password;
  } finally {
    lines.close();
  }
};
