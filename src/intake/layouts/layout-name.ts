import { extname } from 'node:path';
import type { Layout } from './layout.ts';

const longest = 60;

/** The default name of a layout: its first file's name without date and number. Pure. */
export const layoutName = (fileName: string): string => {
  const stem = fileName.slice(0, fileName.length - extname(fileName).length);
  const words = stem
    .split(/[\s_.,()-]+/u)
    .filter((word) => word !== '' && !/\d/.test(word))
    .join(' ');
  return (words === '' ? stem : words).slice(0, longest).toWellFormed().trim() || 'purchase file';
};

/** The default name for the layout of a header: its previous name, otherwise one made from the file name. Pure. */
export const nameOfLayout = (
  layouts: readonly Pick<Layout, 'headerKey' | 'name'>[],
  { headerKey, fileName }: { headerKey: string; fileName: string },
): string => layouts.find((one) => one.headerKey === headerKey)?.name ?? layoutName(fileName);
