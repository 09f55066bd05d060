/** `Run `cartwright map 'week 47.csv' --write` to …`, as the readers of files write it for the command line. */
const command = /\b(Run|Or run) `cartwright map (?:'(?:[^']|'\\'')*'|\S+) --write` to /g;

/** The controls of the upload page by the settings that they make. */
const controls: Record<string, string> = {
  columns: 'Which column is what',
  sheet: 'Sheet',
  join: 'Sheet',
  header: 'Header',
  headerRows: 'Rows of the header',
  delimiter: 'Sign between the columns',
  encoding: 'Encoding',
  decimal: 'Decimal sign',
  continuationRows: 'A row without a PO number belongs to the PO above it',
  itemInBrackets: 'Items are written as [NUMBER] and a name',
  stateNames: 'States are written out',
  poNumberFrom: 'PO number of the whole file',
};

// A box is ticked: its value would be no words for a person.
const setting = /\bintake\.([a-zA-Z]+(?:\.[a-zA-Z]+)?)(?: of the account)?(?:: (?:true|convert)\b)?/g;

/** What to do about a file, for a person who has the upload page before them and no command line or configuration. Pure. */
export const inEditor = (message: string): string =>
  message
    .replace(command, (_, begin: string) => `${begin === 'Run' ? 'In' : 'Or in'} the mapping below you can `)
    .replace('you can choose.', 'you can choose the columns.')
    .replace(', or to choose other columns.', ', or choose other columns.')
    .replace(setting, (_, name: string) =>
      controls[name] ? `“${controls[name]}”` : `the setting ${name} of the account`,
    );

const advice =
  /\s*(?:Or )?(?:[Rr]un `cartwright|To choose|Or rename|Set intake|Map (?:one|the)|Add the column|If it is the right one)[\s\S]*$/;

/** What is not known about a file, without what to do about it on the command line or in the configuration. Pure. */
export const withoutAdvice = (message: string): string => message.replace(advice, '') || message;
