import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Attachment, Section } from '../notify/types.ts';

/** Mail servers refuse larger messages. */
const mostBytes = 10 * 1024 ** 2;

/** The files of each format of a report. */
const endings = { csv: ['.csv', '.lines.csv'], xlsx: ['.xlsx'], json: ['.json'] };

/** The reports that a message names, in all formats of their accounts, as far as they are here and not too large. */
export const findAttachments = async (
  sections: readonly Section[],
  { accounts }: Pick<Config, 'accounts'>,
): Promise<{ attachments: Attachment[]; remark: string | undefined }> => {
  const attachments: Attachment[] = [];
  const missing: string[] = [];
  let bytes = 0;
  for (const { kind, account, first } of sections) {
    const found = accounts.find(({ name }) => name === account);
    if (kind !== 'report_written' || !found) continue;
    const paths = new Set(
      first.flatMap(({ subject }) =>
        found.reportFormats.flatMap((format) =>
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
    }
  }
  return {
    attachments,
    remark:
      missing.length === 0
        ? undefined
        : `Not attached, because it is too large or not on this machine: ${missing.join(', ')} in the account's folder`,
  };
};
