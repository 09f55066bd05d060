import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type pg from 'pg';
import type { Account } from '../config/config.ts';
import { UserError } from '../errors.ts';
import { findImport } from '../ledger/imports.ts';
import { findWaiting } from '../ledger/waiting-imports.ts';
import { openLedgerToRead } from '../worker/open-ledger.ts';
import { assertReadable } from './assert-readable.ts';
import { chooseAccount } from './choose-account.ts';
import { openPool } from './open-pool.ts';
import { badOption } from './option-text.ts';
import { showText } from './output/show-text.ts';
import type { CommandContext } from './run-command.ts';

/** The file that a mapping is proposed for. */
export interface MapSource {
  account: Account;
  path: string;
  fileName: string;
  /** The import of a waiting file. */
  importId?: string;
  /** The ledger, if it was opened to find the import. */
  pool?: pg.Pool;
}

const states = {
  taken: 'it is about to be read',
  read: 'it is read',
  refused: 'it is refused',
  repeated: 'it is a repetition of an earlier file',
  waiting: 'it belongs to another account',
};

const whyNotWaiting = async (pool: pg.Pool, importId: string): Promise<string> => {
  const found = await findImport(pool, { importId });
  return found
    ? `Import ${importId} (${showText(found.fileName)}) does not wait for its meaning: ${states[found.state]}.`
    : `There is no import ${importId}.`;
};

const findImported = async (
  context: CommandContext,
  importId: string,
  { account: named, write }: { account?: string; write?: boolean },
): Promise<MapSource> => {
  const { config } = context;
  if (!/^[1-9]\d{0,17}$/.test(importId))
    throw badOption(
      `--import must be the number of an import (got ${showText(importId)}). \`cartwright layouts\` lists those that wait.`,
    );
  const accounts = named === undefined ? null : [chooseAccount(config, named).name];
  const pool = await openPool(context, write ? undefined : openLedgerToRead);
  const waiting = await findWaiting(pool, importId, accounts);
  if (!waiting)
    throw new UserError(
      'not_waiting',
      `${await whyNotWaiting(pool, importId)} \`cartwright layouts\` lists the files that wait.`,
    );
  const account = chooseAccount(config, waiting.account);
  const { fileName, filePath } = waiting;
  const path = join(account.folder, filePath);
  if (!(await stat(path).catch(() => undefined)))
    throw new UserError(
      'file_missing',
      `The copy of ${showText(fileName)} (import ${importId}) is not in ${account.folder}. Run the command on the machine that has the folder of account ${account.name}, or open the import in the console.`,
    );
  await assertReadable(path);
  return { account, path, fileName, importId, pool };
};

/**
 * The file for `cartwright map`: a named file, or that of a waiting import.
 *
 * @throws UserError `bad_option`, `not_waiting`, `file_missing`, and errors of opening the ledger
 */
export const findMapSource = async (
  context: CommandContext,
  file: string | undefined,
  options: { account?: string; import?: string; write?: boolean },
): Promise<MapSource> => {
  if ((file === undefined) === (options.import === undefined))
    throw badOption(
      `Name ${file === undefined ? 'a purchase file' : 'either a purchase file'}, or with --import the number of an import that waits.`,
    );
  if (file === undefined) return findImported(context, options.import!, options);
  const account = chooseAccount(context.config, options.account);
  await assertReadable(file);
  return { account, path: resolve(file), fileName: basename(file) };
};
