import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isNode, LineCounter, parseDocument, stringify } from 'yaml';
import type { Config } from '../config/config.ts';
import { messageOf, UserError } from '../errors.ts';
import { explainFileError } from '../file-access.ts';
import { layoutEntryOf } from '../intake/layouts/entry-of-layout.ts';
import { type CheckedLayout, checkLayoutEntry, type WrongEntry } from '../intake/layouts/layout-entry.ts';
import { showText } from './output/show-text.ts';

const isPlain = /^\w+$/;
const mostShown = 20;

const sayPath = (path: WrongEntry['path']): string => {
  const names = path.filter((key) => typeof key === 'string');
  const [at] = path.filter((key) => typeof key === 'number');
  const name = names.map((key) => (isPlain.test(key) ? key : JSON.stringify(key))).join('.');
  return at === undefined ? name : `entry ${at + 1} of ${name}`;
};

const readText = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why =
      code === 'ENOENT'
        ? `The file ${resolve(file)} does not exist.`
        : code === 'EISDIR'
          ? `${resolve(file)} is a folder. Name a file that \`cartwright layouts export\` wrote.`
          : `${explainFileError(cause) ?? `Cannot read ${resolve(file)}: ${messageOf(cause)}`}.`;
    throw new UserError(code === 'ENOENT' ? 'file_missing' : 'file_unreadable', why, { cause });
  }
};

/** The name of an entry in messages, from its own fields if present. */
const callEntry = (entry: unknown, at: number): string => {
  const { account, name } = (entry ?? {}) as { account?: unknown; name?: unknown };
  return typeof account === 'string' && typeof name === 'string'
    ? `layout ${at + 1} ("${showText(name)}" of ${showText(account)})`
    : `layout ${at + 1}`;
};

/**
 * Reads a file of layouts, as `writeLayouts` writes it.
 *
 * @throws UserError `file_missing`, `file_unreadable`; `layouts_invalid`, which names each mistake with its line
 */
export const readLayouts = async (file: string, { accounts }: Config): Promise<CheckedLayout[]> => {
  const lines = new LineCounter();
  const document = parseDocument(await readText(file), { lineCounter: lines });
  const invalid = (wrong: readonly string[]) =>
    new UserError('layouts_invalid', [`${file} is not valid, so nothing was changed:`, ...wrong].join('\n'));
  const [broken] = document.errors;
  if (broken) throw invalid([`  ${showText(broken.message.split('\n')[0]!)}`]);
  const lineOf = (path: WrongEntry['path']): number => {
    for (let length = path.length; length > 0; length -= 1) {
      const node = document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
  const entries: unknown = document.toJS();
  if (!Array.isArray(entries))
    throw invalid(['  line 1: it must be a list of layouts, as `cartwright layouts export` writes it']);
  const known = new Map(accounts.map((account) => [account.name, account]));
  const seen = new Map<string, number>();
  const wrong: string[] = [];
  const layouts: CheckedLayout[] = [];
  for (const [at, entry] of entries.entries()) {
    const add = ({ path, detail }: WrongEntry) =>
      void wrong.push(
        `  line ${lineOf([at, ...path])}, ${callEntry(entry, at)}: ${showText([sayPath(path), detail].filter(Boolean).join(' '))}`,
      );
    const account = (entry as { account?: unknown } | null)?.account;
    if (typeof account === 'string' && !known.has(account)) {
      const names = [...known.keys()].join(', ');
      add({ path: ['account'], detail: `is not configured; configured are ${names}` });
      continue;
    }
    const checked = checkLayoutEntry(entry, (name) => known.get(name));
    if (checked.kind === 'wrong') {
      for (const one of checked.wrong) add(one);
      continue;
    }
    const { layout } = checked;
    const key = `${layout.headerKey} ${layout.account}`;
    const before = seen.get(key);
    if (before !== undefined)
      add({
        path: ['header'],
        detail: `is that of layout ${before + 1}; an account has one layout for a header`,
      });
    seen.set(key, at);
    layouts.push(layout);
  }
  const more = wrong.length - mostShown;
  if (wrong.length > 0)
    throw invalid([...wrong.slice(0, mostShown), ...(more > 0 ? [`  and ${more} more`] : [])]);
  return layouts;
};

/** Layouts as YAML that `readLayouts` reads: the same layouts give the same text. Pure. */
export const writeLayouts = (layouts: readonly CheckedLayout[]): string =>
  layouts.length === 0 ? '[]\n' : stringify(layouts.map(layoutEntryOf), { lineWidth: 0 });
