import path from 'node:path';

/** A file of the repository, by its path from the root. */
export interface TextFile {
  path: string;
  text: string;
}

interface Reference {
  line: number;
  /** The reference verbatim. */
  words: string;
  /** Path from the root; `docs/decisions/014` names the page with that number. */
  target: string;
  anchor: string | undefined;
}

/** The anchor that GitHub gives a heading. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

/** Every anchor of a Markdown page: its headings, and each `<a id="…"></a>` directly above a heading. */
export const anchorsOf = (page: string): Set<string> => {
  const text = page.replace(/^```[\s\S]*?^```/gm, '');
  const headings = [...text.matchAll(/^#{1,6} +(.+)$/gm)].map((found) => slugOf(found[1]!));
  const ids = [...text.matchAll(/^<a id="([^"]+)"><\/a>\n+(?=#{1,6} )/gm)].map((found) => found[1]!);
  return new Set([...headings, ...ids]);
};

const list = (number: string) => `${number}(?:(?:,\\s+and|,|\\s+and|\\s+to)\\s+${number})*`;
const rules = new RegExp(`\\brules?\\s+(${list('\\d+')})`, 'gi');
const spec = new RegExp(`\\bspec\\s+(${list('\\d+(?:\\.\\d+)?')})`, 'gi');
const page =
  /(?<![\w/-])(?:(?:\.\.?\/)*docs\/|(?=decisions\/\d))([\w-]+(?:\/[\w-]*)*(?:\.\w+)*)(?:#([\w.-]+))?/g;
const link = /\]\(([^)\s]+)\)/g;
const codePath = /`((?:src|jobs|test|bench|samples)\/[\w./-]+)`/g;

/** `2 to 4 and 7` are 2, 3, 4 and 7. */
const numbersOf = (words: string): string[] =>
  words.split(/,\s+and\s+|,\s+|\s+and\s+/).flatMap((part) => {
    const [first, last] = part.split(/\s+to\s+/);
    if (last === undefined) return [first!];
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => String(Number(first) + at));
  });

/** Replaces line ends and comment marks by spaces, so that references across lines are found. */
const unbroken = (text: string): string =>
  text.replace(/\n[ \t]*(?:\*(?!\/)|\/\/|--)?/g, (gap) => ' '.repeat(gap.length));

const findReferences = ({ path: filePath, text }: TextFile): Reference[] => {
  const prose = unbroken(text);
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  const found: Reference[] = [];
  const numbered = (pattern: RegExp, target: string, prefix: string): void => {
    for (const { 0: words, 1: numbers, index } of prose.matchAll(pattern)) {
      for (const number of numbersOf(numbers!)) {
        const anchor = `${prefix}${number}`;
        found.push({ line: lineAt(index), words: words.replace(/\s+/g, ' '), target, anchor });
      }
    }
  };
  numbered(rules, 'docs/rules.md', 'rule-');
  numbered(spec, 'docs/service.md', 'spec-');
  for (const { 0: words, 1: name, 2: anchor, index } of text.matchAll(page)) {
    // Code beside the pages' tests, not a page.
    if (name!.endsWith('.ts')) continue;
    const target = `docs/${name!.replace(/[./]+$/, '')}`;
    found.push({ line: lineAt(index), words, target, anchor: anchor?.replace(/\.+$/, '') });
  }
  if (!filePath.endsWith('.md')) return found;
  const folder = path.posix.dirname(filePath);
  for (const { 0: words, 1: to, index } of text.matchAll(link)) {
    if (/^[a-z]+:/.test(to!)) continue;
    const [name, anchor] = to!.split('#');
    const target = name === '' ? filePath : path.posix.join(folder, name!).replace(/\/$/, '');
    found.push({ line: lineAt(index), words, target, anchor });
  }
  for (const { 0: words, 1: name, index } of text.matchAll(codePath)) {
    found.push({ line: lineAt(index), words, target: name!.replace(/\/$/, ''), anchor: undefined });
  }
  return found;
};

/** References to documents outside of the repository, which nobody else has. */
const elsewhere = /open-points|\.\.\/shared|\bthe design['’]s\b|\(design\b/gi;

/** Finds broken references in pages and comments; one message for each. */
export const findBrokenReferences = (
  files: readonly TextFile[],
  repository: { paths: ReadonlySet<string>; anchorsOf(path: string): Set<string> },
): string[] => {
  const { paths } = repository;
  const resolve = (target: string): string | undefined => {
    if (paths.has(target)) return target;
    // The number of a decision is enough to find its page.
    return /^docs\/decisions\/\d{3}$/.test(target)
      ? [...paths].find((known) => known.startsWith(`${target}-`))
      : undefined;
  };
  return files.flatMap((file) => {
    const broken = findReferences(file).flatMap(({ line, words, target, anchor }) => {
      const at = `${file.path}:${line}: "${words}"`;
      const page = resolve(target);
      if (page === undefined) return [`${at}: there is no ${target}`];
      if (anchor === undefined || !page.endsWith('.md') || repository.anchorsOf(page).has(anchor)) return [];
      return [`${at}: ${page} has no heading #${anchor}`];
    });
    const outside = [...file.text.matchAll(elsewhere)].map(
      ({ 0: words, index }) =>
        `${file.path}:${file.text.slice(0, index).split('\n').length}: "${words}" is not in the repository`,
    );
    return [...broken, ...outside];
  });
};
