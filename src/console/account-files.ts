import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FastifyReply } from 'fastify';
import type { ImportDetail } from '../api-contract/imports.ts';
import type { Config } from '../config/config.ts';
import { messageOf } from '../errors.ts';
import type { ShownImport } from '../ledger/console/imports.ts';
import { notOrderedPath } from '../reports/result-name.ts';
import { attachment } from './attachment.ts';
import { ConsoleProblem } from './problems.ts';

type Accounts = Pick<Config, 'accounts'>;

/** A file of an account that can be sent. The caller closes the handle. */
type OpenedFile = { kind: 'opened'; handle: FileHandle; size: number } | { kind: 'missing'; why: string };

/**
 * Opens a file below an account's folder, by the path in the ledger. Does not open paths that lead outside, links, or anything but regular
 * files.
 */
const openAccountFile = async (
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

/**
 * Sends a file of an account as a download. The length is fixed when the file is opened, because reports are replaced as a whole and never
 * written to.
 * @throws ConsoleProblem `not_found` with the reason
 */
export const sendAccountFile = async (
  reply: FastifyReply,
  config: Accounts,
  account: string,
  path: string,
  name = basename(path),
): Promise<FastifyReply> => {
  const opened = await openAccountFile(config, account, path);
  if (opened.kind === 'missing') throw new ConsoleProblem('not_found', opened.why);
  attachment(reply, name, 'application/octet-stream');
  return reply
    .header('content-length', opened.size)
    .send(opened.handle.createReadStream({ start: 0, end: Math.max(0, opened.size - 1) }));
};

/** Why a file of an account cannot be downloaded here; null: it can. */
export const whyMissing = async (config: Accounts, account: string, path: string): Promise<string | null> => {
  const opened = await openAccountFile(config, account, path);
  if (opened.kind === 'missing') return opened.why;
  await opened.handle.close();
  return null;
};

/** A sentence if retention has removed the private copy; null: it has not. */
export const whyPruned = ({ copyPrunedAt }: Pick<ShownImport, 'copyPrunedAt'>): string | null =>
  copyPrunedAt === null
    ? null
    : `The copy of the file was removed on ${copyPrunedAt.slice(0, 10)} because of its age (retention.files).`;

type ImportFile = ImportDetail['files'][number];

/** The files of an import that can be downloaded. */
export const filesOf = async (config: Accounts, one: ShownImport): Promise<ImportFile[]> => {
  const file = (
    kind: ImportFile['kind'],
    fileName: string,
    why: string | null,
    writtenAt: string | null,
  ): ImportFile => ({
    ...{ kind, fileName, href: `/api/v1/imports/${one.id}/files/${kind}` },
    ...{ available: why === null, why, writtenAt },
  });
  const { resultPath: result, resultWrittenAt: writtenAt } = one;
  const sourceWhy = whyPruned(one) ?? (await whyMissing(config, one.account, one.filePath));
  const source = file('source', one.fileName, sourceWhy, one.takenAt);
  const log = file('log', `import-${one.id}.log.json`, null, one.asOf);
  if (result === null) {
    const why = 'No result file was written yet.';
    return [source, file('result', `${one.fileName}.result`, why, writtenAt), log];
  }
  const left = notOrderedPath(result);
  const hasLeft = left !== undefined && (await whyMissing(config, one.account, left)) === null;
  return [
    source,
    file('result', basename(result), await whyMissing(config, one.account, result), writtenAt),
    ...(hasLeft ? [file('not-ordered', basename(left), null, writtenAt)] : []),
    log,
  ];
};

/** The formats in which a report or a result file may exist, besides the one recorded in the ledger. */
export const reportFormats = ['csv', 'lines.csv', 'xlsx', 'json'] as const;
export type ReportFormat = (typeof reportFormats)[number];

const ending = new RegExp(`\\.(?:${[...reportFormats].sort((a, b) => b.length - a.length).join('|')})$`);

/** The path of the same report in another format; undefined: the path itself. Pure. */
export const inFormat = (path: string, format: ReportFormat | undefined): string =>
  format === undefined ? path : `${path.replace(ending, '')}.${format}`;

/** The other formats of the report at `path` that exist, each with its download path. */
export const otherFormats = async (
  config: Pick<Config, 'accounts'>,
  { account, path, href }: { account: string; path: string; href: string },
): Promise<{ format: ReportFormat; fileName: string; href: string }[]> => {
  const found = await Promise.all(
    reportFormats.map(async (format) => {
      const other = inFormat(path, format);
      if (other === path || (await whyMissing(config, account, other)) !== null) return [];
      return [{ format, fileName: basename(other), href: `${href}?format=${format}` }];
    }),
  );
  return found.flat();
};
