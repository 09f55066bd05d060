import { editorControlOf, inConsole } from '../console-words.ts';

/** `Run `cartwright map 'week 47.csv' --write` to …`, as written by intake for the command line. */
const command = /\b(Run|Or run) `cartwright map (?:'(?:[^']|'\\'')*'|\S+) --write` to /g;

// A checkbox is ticked, so its value is dropped.
const setting = /\bintake\.([a-zA-Z]+)(?![a-zA-Z.]*[a-zA-Z])(?: of the account)?(?:: (?:true|convert)\b)?/g;

/** Rewords advice about a file for the upload page, without the command line and configuration. Pure. */
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

/** A message about an unclear file without the advice for command line and configuration. Pure. */
export const withoutAdvice = (message: string): string => message.replace(advice, '') || message;
