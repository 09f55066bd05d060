import { editorControls } from '../api-contract/editor-words.ts';

/** The subjects of other settings, after “the account’s”. */
const rules: Readonly<Record<string, string>> = {
  'intake.constants': 'values for all rows',
  'intake.layouts': 'layouts',
  'intake.quotes': 'rule for quotes in values',
  'guards.abovePercent': 'limit of price differences',
  'guards.orderTotal': 'limit of an order',
  'guards.unusualQuantity': 'limit of unusual quantities',
};

/** An administrator has the machine, its command line and its configuration. */
const askAdmin = 'Ask the administrator of Cartwright to settle this.';

const command = '`cartwright [^`]*`';

/** Commands that the console has controls for, each with its surrounding sentence. */
const withControls: [RegExp, string][] = [
  [
    /\b(?:[Rr]un|([Oo])r run) `cartwright map (?:--import \d+|'(?:[^']|'\\'')*'|[^`\s]+)(?: --write)?` to /g,
    'open the file with “Read again” to ',
  ],
  [
    / in the console or with `cartwright accounts resume [^`]*`/g,
    ' with “Resume” on the page of its account',
  ],
  // The sentence already names the console's control first.
  [new RegExp(`,? or (?:[a-z]+ it )?with ${command}`, 'g'), ''],
  [
    new RegExp(`\\bStart (?:one with )?${command}(?: or ${command})?`, 'g'),
    'Ask the administrator of Cartwright to start a worker',
  ],
  [new RegExp(`restart ${command}`, 'g'), 'have Cartwright restarted'],
  [new RegExp(`[Tt]he log of ${command}`, 'g'), 'The log of Cartwright'],
  [
    new RegExp(`the address that ${command} prints`, 'g'),
    'the address that Cartwright prints when it starts',
  ],
];

const sections = [
  'intake',
  'guards',
  'worker',
  'console',
  'retention',
  'notifications',
  'sftp',
  'backup',
  'schedule',
  String.raw`accounts\.[^\s.'"]+`,
].join('|');
const name = String.raw`(?<![\w./:@-])((?:${sections})\.[a-z][A-Za-z]*(?:\.[a-z][A-Za-z]*)*)(?![\w@/-])`;
const next = ', for the next file';
const ofAccount = `( of the account)?(${next})?`;
const change = new RegExp(`\\b([Ss]et|[Ee]dit) ${name}${ofAccount}(?:: ([A-Za-z0-9]+))?`, 'g');
const mention = new RegExp(`${name}${ofAccount}`, 'g');

/** The editor's control for a setting of `intake`. */
export const editorControlOf = (name: string): string | undefined =>
  (editorControls as Readonly<Record<string, string>>)[name];

const controlOf = (setting: string): string | undefined =>
  setting.startsWith('intake.') ? editorControlOf(setting.slice('intake.'.length)) : undefined;

const ruleOf = (setting: string): string => {
  const short = setting.replace(/^accounts\.[^.]+\./, '');
  const known = Object.keys(rules).find((one) => short === one || short.startsWith(`${one}.`));
  return known === undefined ? 'settings' : rules[known]!;
};

const whereOf = (isNext: string | undefined): string =>
  isNext === undefined ? 'under “Read again”' : 'when you upload the next file';

const sayChange = (
  _: string,
  verb: string,
  setting: string,
  _of: string | undefined,
  isNext: string | undefined,
  value?: string,
): string => {
  const control = controlOf(setting);
  const to = value === undefined || value === 'true' ? '' : ` to ${value}`;
  const isFirst = verb[0] === 'S' || verb[0] === 'E';
  return control === undefined
    ? `${isFirst ? 'Have' : 'have'} an admin change the account’s ${ruleOf(setting)}${to}`
    : `${isFirst ? 'Set' : 'set'} “${control}” ${whereOf(isNext)}${to}`;
};

const sayMention = (_: string, setting: string, _of?: string, isNext?: string): string => {
  const control = controlOf(setting);
  return control === undefined ? `the account’s ${ruleOf(setting)}` : `“${control}” ${whereOf(isNext)}`;
};

/** Rewords advice about reading a file for one that can no longer be read again. Pure. */
export const forNextFile = (text: string): string =>
  text.replace(mention, (found, setting: string) =>
    controlOf(setting) === undefined || found.endsWith(next) ? found : `${found}${next}`,
  );

const sentenceEnd = /(?<=[.!?])\s+(?=[A-Z“"`])/;

/** Removes remaining commands, which nobody can run in a browser. */
const withoutCommands = (text: string): string => {
  if (!text.includes('`cartwright ')) return text;
  const kept = text.split(sentenceEnd).map((one) => (one.includes('`cartwright ') ? askAdmin : one));
  return kept.filter((one, at) => one !== askAdmin || kept.indexOf(one) === at).join(' ');
};

/** Whether a text has words for the command line or the configuration file. */
const hasTechnicalWords = /`cartwright |[a-z]\.\w/;

/**
 * Rewords a sentence of the ledger or of a rule for a browser: replaces commands and setting names by the control that does the same, or by
 * whom to ask. Other text is unchanged. Pure.
 */
export const inConsole = (text: string): string => {
  if (!hasTechnicalWords.test(text)) return text;
  let said = text;
  for (const [pattern, words] of withControls)
    said = said.replace(pattern, (found: string) =>
      /^[A-Z]/.test(found) ? words.charAt(0).toUpperCase() + words.slice(1) : words,
    );
  return withoutCommands(said).replace(change, sayChange).replace(mention, sayMention);
};

/** Fields of answers with sentences by Cartwright. All others contain names or texts from files, services and people. */
const sentenceFields: ReadonlySet<string> = new Set(
  `advice agreed alarm besides detail effect error expected fix help lastNote mayStillRefuse meaning message next
  outcomeText override pollNote reason reasonText refusal sentence troubles warning warnings what why`.split(
    /\s+/,
  ),
);

/** Whether a field is a sentence by Cartwright: notes of scheduled tasks and texts of steps are, those of people and files are not. */
const isSentence = (field: string, within: object): boolean =>
  sentenceFields.has(field) ||
  (field === 'note' && 'timing' in within) ||
  (field === 'text' && 'step' in within);

/** An API answer for a browser, with every sentence reworded by `inConsole`. Does not change its argument. Pure. */
export const answerInConsole = (value: unknown, isSaid = false): unknown => {
  if (typeof value === 'string') return isSaid ? inConsole(value) : value;
  if (Array.isArray(value)) return value.map((one) => answerInConsole(one, isSaid));
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, one]) => [field, answerInConsole(one, isSentence(field, value))]),
  );
};
