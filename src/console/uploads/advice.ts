/** `Run `cartwright map 'week 47.csv' --write` to …`, as the readers of files write it for the command line. */
const command = /\b(Run|Or run) `cartwright map (?:'(?:[^']|'\\'')*'|\S+) --write` to /g;

/** What to do about a file that cannot be read, for a person who has the mapping editor before them and no command line. Pure. */
export const inEditor = (message: string): string =>
  message
    .replace(command, (_, begin: string) => `${begin === 'Run' ? 'In' : 'Or in'} the mapping below you can `)
    .replace('you can choose.', 'you can choose the columns.')
    .replace(', or to choose other columns.', ', or choose other columns.');

const advice =
  /\s*(?:Or )?(?:[Rr]un `cartwright|To choose|Or rename|Set intake|Map (?:one|the)|Add the column|If it is the right one)[\s\S]*$/;

/** What is not known about a file, without what to do about it on the command line or in the configuration. Pure. */
export const withoutAdvice = (message: string): string => message.replace(advice, '') || message;
