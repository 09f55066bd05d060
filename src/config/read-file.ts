import { existsSync, readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { decodeUtf8 } from '../contract/text.ts';
import { messageOf, UserError } from '../errors.ts';

/** Refuses `__proto__`, which is no setting or account, and which JavaScript would silently drop. */
const refuseProto = (key: unknown, value: unknown): unknown => {
  if (key === '__proto__')
    throw new UserError('config_invalid', '__proto__ cannot be a name in the configuration.');
  return value;
};

/** Maximum number of errors named, because one wrong line can cause many. */
const namedErrors = 10;

/**
 * Parses the text of a configuration file.
 * @throws UserError `config_unreadable` that names each error of the YAML
 */
export const parseSettings = (path: string, text: string): unknown => {
  const document = parseDocument(text, { logLevel: 'silent' });
  const errors = document.errors.slice(0, namedErrors).map(({ message, linePos }) => {
    const [at] = linePos ?? [];
    const why = message.split('\n')[0]!.replace(/(?: at line \d+, column \d+)?:?$/, '');
    return at ? `line ${at.line}, column ${at.col}: ${why}` : why;
  });
  if (errors.length > 0)
    throw new UserError(
      'config_unreadable',
      [`${path} is not valid YAML:`, ...new Set(errors.map((error) => `  ${error}`))].join('\n'),
    );
  try {
    return document.toJS({ reviver: refuseProto }) ?? {};
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    throw new UserError('config_unreadable', `${path} is not valid YAML: ${messageOf(cause)}`, { cause });
  }
};

/** @throws UserError `config_unreadable` */
export const readSettingsText = (path: string): string => {
  let text: ReturnType<typeof decodeUtf8>;
  try {
    text = decodeUtf8(readFileSync(path));
  } catch (cause) {
    const isFolder = (cause as NodeJS.ErrnoException).code === 'EISDIR';
    const why = isFolder ? 'it is a folder' : messageOf(cause);
    throw new UserError('config_unreadable', `Cannot read the configuration file ${path}: ${why}`, { cause });
  }
  if (typeof text === 'string') return text;
  const place = `line ${text.line}, column ${text.column}`;
  throw new UserError('config_unreadable', `${path} is not UTF-8 (${place}). Save the file as UTF-8.`);
};

/** Whether the file sets anything: `accounts:` alone, with nothing below it, sets nothing. */
export const hasSettings = (read: unknown): boolean =>
  typeof read === 'object' && read !== null && Object.values(read).some((value) => value !== null);

/** @throws UserError `config_missing`, because a file is often empty while somebody writes it */
export const refuseEmpty = (path: string): void => {
  const found = existsSync(path) ? parseSettings(path, readSettingsText(path)) : undefined;
  if (hasSettings(found)) return;
  throw new UserError(
    'config_missing',
    `The configuration file ${path} ${found === undefined ? 'is not there any more' : 'is empty'}. Write the settings into it, or restart to run without them.`,
  );
};

/** A top-level setting of a file that may be broken; undefined if it cannot be found. */
export const findInBroken = (path: string, name: string): unknown => {
  try {
    const settings: unknown = parseDocument(readFileSync(path, 'utf8'), { logLevel: 'silent' }).toJS();
    return typeof settings === 'object' ? (settings as Record<string, unknown> | null)?.[name] : undefined;
  } catch {
    return undefined;
  }
};
