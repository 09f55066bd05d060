import { extname } from 'node:path';

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
