import { extname } from 'node:path';
import type { Layout } from './layout.ts';

const longest = 60;

/** What a layout is called where nobody has given it a name: the name of its first file, without its date and number. Pure. */
export const layoutName = (fileName: string): string => {
  const stem = fileName.slice(0, fileName.length - extname(fileName).length);
  const words = stem
    .split(/[\s_.,()-]+/u)
    .filter((word) => word !== '' && !/\d/.test(word))
    .join(' ');
  return (words === '' ? stem : words).slice(0, longest).toWellFormed().trim() || 'purchase file';
};

/** What the layout of a header is called where nobody gives it a name: as before, whatever the file that it is agreed for again is called. Pure. */
export const nameOfLayout = (
  layouts: readonly Pick<Layout, 'headerKey' | 'name'>[],
  { headerKey, fileName }: { headerKey: string; fileName: string },
): string => layouts.find((one) => one.headerKey === headerKey)?.name ?? layoutName(fileName);
