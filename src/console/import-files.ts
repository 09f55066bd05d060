import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Config } from '../config/config.ts';
import { messageOf } from '../errors.ts';
import type { ShownImport } from '../ledger/console/imports.ts';
import { notOrderedPath } from '../reports/result-name.ts';
import type { ImportDetail } from './api/schemas/imports.ts';

type Accounts = Pick<Config, 'accounts'>;

/** A file of an account that can be sent. The handle is to be closed. */
export type OpenedFile =
  | { kind: 'opened'; handle: FileHandle; size: number }
  | { kind: 'missing'; why: string };

/**
 * Opens a file below an account's folder, by the path that the ledger has. A path that leads outside, a link and whatever
 * is no regular file are not opened.
 */
export const openAccountFile = async (
  { accounts }: Accounts,
  account: string,
  path: string,
): Promise<OpenedFile> => {
  const configured = accounts.find(({ name }) => name === account);
  if (!configured)
    return { kind: 'missing', why: `The account ${account} is not in the configuration of this console.` };
  if (path.split('/').includes('..') || path.startsWith('/'))
    return { kind: 'missing', why: 'The file is not in the folder of the account.' };
  try {
    const handle = await open(join(configured.folder, path), constants.O_RDONLY | constants.O_NOFOLLOW);
    const found = await handle.stat();
    if (found.isFile()) return { kind: 'opened', handle, size: found.size };
    await handle.close();
    return { kind: 'missing', why: 'It is no regular file.' };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return {
      kind: 'missing',
      why:
        code === 'ENOENT'
          ? 'The file is not on this machine, or it was removed.'
          : `The file cannot be read: ${messageOf(error)}.`,
    };
  }
};

/** Why a file of an account cannot be downloaded here; null: it can. */
export const whyMissing = async (config: Accounts, account: string, path: string): Promise<string | null> => {
  const opened = await openAccountFile(config, account, path);
  if (opened.kind === 'missing') return opened.why;
  await opened.handle.close();
  return null;
};

/** Why retention has left no private copy; null: it has not. */
export const whyPruned = ({ copyPrunedAt }: Pick<ShownImport, 'copyPrunedAt'>): string | null =>
  copyPrunedAt === null
    ? null
    : `The copy of the file was removed on ${copyPrunedAt.slice(0, 10)} because of its age (retention.files).`;

/** The files of an import that can be downloaded. */
export const filesOf = async (config: Accounts, one: ShownImport): Promise<ImportDetail['files']> => {
  const href = (kind: string) => `/api/v1/imports/${one.id}/files/${kind}`;
  const sourceWhy = whyPruned(one) ?? (await whyMissing(config, one.account, one.filePath));
  const resultWhy =
    one.resultPath === null
      ? 'No result file was written yet.'
      : await whyMissing(config, one.account, one.resultPath);
  const left = one.resultPath === null ? undefined : notOrderedPath(one.resultPath);
  const hasLeft = left !== undefined && (await whyMissing(config, one.account, left)) === null;
  return [
    {
      kind: 'source',
      fileName: one.fileName,
      href: href('source'),
      available: sourceWhy === null,
      why: sourceWhy,
      writtenAt: one.takenAt,
    },
    {
      kind: 'result',
      fileName: one.resultPath === null ? `${one.fileName}.result` : basename(one.resultPath),
      href: href('result'),
      available: resultWhy === null,
      why: resultWhy,
      writtenAt: one.resultWrittenAt,
    },
    ...(hasLeft
      ? [
          {
            kind: 'not-ordered' as const,
            fileName: basename(left),
            href: href('not-ordered'),
            available: true,
            why: null,
            writtenAt: one.resultWrittenAt,
          },
        ]
      : []),
    {
      kind: 'log',
      fileName: `import-${one.id}.log.json`,
      href: href('log'),
      available: true,
      why: null,
      writtenAt: one.asOf,
    },
  ];
};
