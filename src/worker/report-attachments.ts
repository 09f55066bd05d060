import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Config } from '../config/config.ts';
import { carriesFile } from '../notify/kinds.ts';
import type { Attachment, Section } from '../notify/types.ts';
import { notOrderedPath } from '../reports/result-name.ts';

/** Mail servers refuse larger messages. */
const mostBytes = 10 * 1024 ** 2;

/** The file name endings of each report format. */
const endings = { csv: ['.csv', '.lines.csv'], xlsx: ['.xlsx'], json: ['.json'] };

/** The reports (in all formats of their accounts) and results that a message names, if they are here and not too large. */
export const findAttachments = async (
  sections: readonly Section[],
  { accounts }: Pick<Config, 'accounts'>,
): Promise<{ attachments: Attachment[]; remark: string | undefined }> => {
  const attachments: Attachment[] = [];
  const missing: string[] = [];
  let bytes = 0;
  for (const { kind, account, first } of sections) {
    const found = accounts.find(({ name }) => name === account);
    if (!carriesFile(kind) || !found) continue;
    const paths = new Set(
      first.flatMap(({ subject }) =>
        kind === 'result_written'
          ? subject
          : found.reportFormats.flatMap((format) =>
              endings[format].map((ending) => subject.replace(/\.[a-z]+$/, ending)),
            ),
      ),
    );
    for (const path of paths) {
      const file = join(found.folder, path);
      const size = await stat(file).then(
        (at) => at.size,
        () => undefined,
      );
      if (size === undefined || bytes + size > mostBytes) {
        missing.push(path);
        continue;
      }
      bytes += size;
      attachments.push({ name: basename(path), path: file });
      const left = notOrderedPath(file);
      const leftBytes = left === file ? undefined : (await stat(left).catch(() => undefined))?.size;
      if (leftBytes === undefined) continue;
      if (bytes + leftBytes > mostBytes) {
        missing.push(notOrderedPath(path));
        continue;
      }
      bytes += leftBytes;
      attachments.push({ name: basename(left), path: left });
    }
  }
  return {
    attachments,
    remark:
      missing.length === 0
        ? undefined
        : `Not attached (larger than ${mostBytes / 1024 ** 2} MB together, or not on this machine): ${missing.join(', ')}`,
  };
};
