import { FileRefused, type Refused, UserError } from '../errors.ts';
import { headerKey } from '../intake/columns/fields.ts';
import { checkMapping, type FileMapping, settingValues } from '../intake/file-mapping.ts';
import type { Proposed } from '../intake/layouts/propose/proposed-map.ts';
import { showText } from './output/show-text.ts';

export const settingNames = Object.keys(settingValues).join(', ');

const poSources = ['made', 'fileName', 'cell', 'sheetName'];

const readValue = (name: string, text: string): unknown => {
  if (name === 'join') {
    const [orders, lines, by, ofLines] = text.split('/');
    return { orders, lines, by: ofLines === undefined ? by : { orders: by, lines: ofLines } };
  }
  if (name === 'poNumberFrom') {
    if (text === 'typed') return { typed: true };
    const at = text.indexOf(':');
    const kind = text.slice(0, at);
    return poSources.includes(kind) ? { [kind]: text.slice(at + 1) } : text;
  }
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+$/.test(text) && name !== 'delimiter' ? Number(text) : text;
};

const bad = (sentence: string): UserError => new UserError('bad_setting', sentence);

/** @param at position of the = */
const split = (option: string, example: string, given: string, at: number): [string, string] => {
  if (at > 0) return [given.slice(0, at).trim(), given.slice(at + 1)];
  throw bad(
    `${option} needs a name, = and a value, such as ${option} ${example} (got "${showText(given)}").`,
  );
};

/** Each name with its value. @throws UserError for a repeated name */
const onlyOnce = (
  option: string,
  pairs: readonly (readonly [string, unknown])[],
): Record<string, unknown> => {
  const seen = new Set<string>();
  for (const [name] of pairs) {
    if (seen.has(name)) throw bad(`${option} has "${showText(name)}" twice: give one of them.`);
    seen.add(name);
  }
  return Object.fromEntries(pairs);
};

/** The syntax of `--set` values, if it differs from the words for people. */
const written: Partial<Record<keyof FileMapping, string>> = {
  poNumberFrom:
    'typed, made:PATTERN with {n} such as made:{account}-{day}-{n}, fileName:PATTERN or sheetName:PATTERN with {po}, or cell:LABEL',
  join: 'SHEET OF ORDERS/SHEET OF LINES/COLUMN, such as join=Orders/Lines/Order No',
};

/**
 * A person's settings on the command line for reading a file.
 *
 * @param columns `HEADER=FIELD`, or `HEADER=ignore`
 * @param settings `NAME=VALUE`
 * @throws UserError `bad_setting`
 */
export const readingSettings = (columns: readonly string[], settings: readonly string[]): FileMapping => {
  const values = settings.map((one) => {
    const [name, value] = split('--set', 'decimal=comma', one, one.indexOf('='));
    if (!Object.hasOwn(settingValues, name))
      throw bad(`--set has no setting "${showText(name)}". It has ${settingNames}.`);
    return [name, readValue(name, value)] as const;
  });
  const fields = columns.map((one) => {
    const [header, field] = split('--column', '"Order No=po_number"', one, one.lastIndexOf('='));
    return [header, field.trim()] as const;
  });
  const given = onlyOnce('--set', values);
  const checked = checkMapping({
    ...given,
    ...(fields.length > 0 ? { columns: onlyOnce('--column', fields) } : {}),
  });
  if (checked.kind === 'mapping') return checked.mapping;
  const { field, detail } = checked.mistakes[0]!;
  const [name = '', ...rest] = field.split('.');
  const way = written[name as keyof FileMapping];
  throw name === 'columns'
    ? bad(`--column "${showText(rest.join('.'))}=…" ${detail}.`)
    : bad(`--set ${name} ${way ? `must be ${way}` : detail}.`);
};

/**
 * Checks that the given settings fit the file.
 *
 * @throws UserError `bad_setting`
 */
export const assertFits = (given: FileMapping, proposed: Proposed): void => {
  const { sheet, headerRow, columns } = proposed;
  if (sheet === undefined && (given.sheet !== undefined || given.join !== undefined))
    throw bad(
      `--set ${given.sheet === undefined ? 'join' : 'sheet'} is for workbooks; this file has no sheets.`,
    );
  if (typeof given.header === 'number' && headerRow !== given.header)
    throw bad(`--set header=${given.header}: the file has no row ${given.header} that could be its header.`);
  if (given.header === 'none') return;
  const names = new Set(columns.map(({ header }) => headerKey(header)));
  const unknown = Object.keys(given.columns ?? {}).find((header) => !names.has(headerKey(header)));
  if (unknown === undefined) return;
  const known = columns.slice(0, 12).map(({ header }) => `"${showText(header)}"`);
  throw bad(`--column "${showText(unknown)}=…": the file has no such column. It has ${known.join(', ')}.`);
};

/** Rewords a sentence in terms of `--set` and `--column`. Pure. */
const forMap = (message: string): string =>
  message.replace(/\bintake\.([a-zA-Z]+)(?:\.[a-zA-Z]+)?(?: of the account)?/g, (setting, name: string) =>
    name === 'columns' ? '--column' : Object.hasOwn(settingValues, name) ? `--set ${name}` : setting,
  );

/** The error if nothing can be proposed: a mistake in the given settings, or in the file. */
export const refusalOf = ({ code, message }: Pick<Refused, 'code' | 'message'>, given: FileMapping): Error =>
  Object.keys(given).length > 0
    ? new UserError('bad_setting', forMap(message))
    : new FileRefused(code, message);
