import { editorControlOf, inConsole } from '../console-words.ts';

/** `Run `cartwright map 'week 47.csv' --write` to …`, as the readers of files write it for the command line. */
const command = /\b(Run|Or run) `cartwright map (?:'(?:[^']|'\\'')*'|\S+) --write` to /g;

// A box is ticked: its value would be no words for a person.
const setting = /\bintake\.([a-zA-Z]+)(?![a-zA-Z.]*[a-zA-Z])(?: of the account)?(?:: (?:true|convert)\b)?/g;

/** What to do about a file, for a person who has the upload page before them and no command line or configuration. Pure. */
export const inEditor = (message: string): string =>
  inConsole(
    message
      .replace(
        command,
        (_, begin: string) => `${begin === 'Run' ? 'In' : 'Or in'} the mapping below you can `,
      )
      .replace('you can choose.', 'you can choose the columns.')
      .replace(', or to choose other columns.', ', or choose other columns.')
      .replace(setting, (found, name: string) =>
        editorControlOf(name) ? `“${editorControlOf(name)}”` : found,
      ),
  );

const advice =
  /\s*(?:Or )?(?:[Rr]un `cartwright|To choose|Or rename|Set intake|Map (?:one|the)|Add the column|If it is the right one)[\s\S]*$/;

/** What is not known about a file, without what to do about it on the command line or in the configuration. Pure. */
export const withoutAdvice = (message: string): string => message.replace(advice, '') || message;
