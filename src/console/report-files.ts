import { basename } from 'node:path';
import type { Config } from '../config/config.ts';
import { whyMissing } from './import-files.ts';

/** The formats that a report or a result file may have been written in beside the one that the ledger knows. */
export const reportFormats = ['csv', 'lines.csv', 'xlsx', 'json'] as const;
export type ReportFormat = (typeof reportFormats)[number];

const ending = new RegExp(`\\.(?:${[...reportFormats].sort((a, b) => b.length - a.length).join('|')})$`);

/** The path of the same report in another format; undefined: the path itself. Pure. */
export const inFormat = (path: string, format: ReportFormat | undefined): string =>
  format === undefined ? path : `${path.replace(ending, '')}.${format}`;

/** The formats of a report that exist beside the file at `path`, each with the path of its download. */
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
