import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { UserError } from '../errors.ts';
import { placeFile } from '../place-file.ts';

/**
 * Writes column names into an account's `intake.columns`; the rest of the configuration file, also its comments, does
 * not change. Creates the file if there is none.
 *
 * @param file default: cartwright.yaml in the current directory
 * @returns the path of the file
 */
export const writeColumnMap = async (
  file: string | undefined,
  account: string,
  map: Readonly<Record<string, string>>,
): Promise<string> => {
  const path = file ?? resolve('cartwright.yaml');
  const document = parseDocument(existsSync(path) ? await readFile(path, 'utf8') : '');
  if (document.errors.length > 0) {
    throw new UserError(
      'config_unreadable',
      `Cannot read the configuration file ${path}: ${document.errors[0]!.message.split('\n')[0]}`,
    );
  }
  if (document.contents === null) document.contents = document.createNode({}) as never;
  const at = ['accounts', account];
  // `default:` with nothing below it is null in YAML, and no key can be set in a null.
  for (const key of [['accounts'], at, [...at, 'intake'], [...at, 'intake', 'columns']]) {
    if (document.getIn(key) === null || !document.hasIn(key)) document.setIn(key, document.createNode({}));
  }
  for (const [header, field] of Object.entries(map))
    document.setIn([...at, 'intake', 'columns', header], field);
  // The file holds no secrets; it keeps its permissions.
  const mode = existsSync(path) ? (await stat(path)).mode & 0o777 : 0o644;
  await placeFile(path, (temporary) => writeFile(temporary, document.toString()), mode);
  return path;
};
