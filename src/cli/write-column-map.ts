import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { UserError } from '../errors.ts';
import { placeFile } from '../place-file.ts';

/**
 * Writes column names into an account's `intake.columns`, and leaves everything else of the configuration
 * file as it is, comments too. Makes the file where there is none.
 *
 * @param file undefined: cartwright.yaml where the command was given
 * @returns the file that was written
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
      `${path} cannot be read: ${document.errors[0]!.message.split('\n')[0]}`,
    );
  }
  if (document.contents === null) document.contents = document.createNode({}) as never;
  const at = ['accounts', account];
  // `default:` without anything below it is a null, into which nothing can be set.
  for (const key of [['accounts'], at, [...at, 'intake'], [...at, 'intake', 'columns']]) {
    if (document.getIn(key) === null || !document.hasIn(key)) document.setIn(key, document.createNode({}));
  }
  for (const [header, field] of Object.entries(map))
    document.setIn([...at, 'intake', 'columns', header], field);
  // The configuration is nobody's secret: it keeps the permissions that it has.
  const mode = existsSync(path) ? (await stat(path)).mode & 0o777 : 0o644;
  await placeFile(path, (temporary) => writeFile(temporary, document.toString()), mode);
  return path;
};
