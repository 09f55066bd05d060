import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { UserError } from '../errors.ts';
import { placeFile } from '../place-file.ts';

/**
 * Sets values in an account's settings; keeps the rest of the configuration file, including comments. Creates the file if there is none.
 *
 * @param file default: cartwright.yaml in the current directory
 * @returns the path of the file
 */
export const setInAccount = async (
  file: string | undefined,
  account: string,
  values: Readonly<Record<string, unknown>>,
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
  // `default:` with nothing below it is null in YAML, which cannot have keys.
  for (const [depth] of at.entries()) {
    const key = at.slice(0, depth + 1);
    if (document.getIn(key) === null || !document.hasIn(key)) document.setIn(key, document.createNode({}));
  }
  for (const [key, value] of Object.entries(values)) document.setIn([...at, key], value);
  // The file holds no secrets; it keeps its permissions.
  const mode = existsSync(path) ? (await stat(path)).mode & 0o777 : 0o644;
  await placeFile(path, (temporary) => writeFile(temporary, document.toString()), mode);
  return path;
};
