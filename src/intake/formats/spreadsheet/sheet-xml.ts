import { damaged } from './refused-workbook.ts';

const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Text with its entities decoded. @throws FileRefused `damaged_workbook` for an entity that XML does not know */
export const decodeEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(/&([^;]*);?/g, (entity, name: string) => {
        const known = Object.hasOwn(named, name) && entity.endsWith(';') ? named[name] : undefined;
        if (known !== undefined) return known;
        const number = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name);
        const code = number ? Number.parseInt(number[1] ?? number[2]!, number[1] ? 16 : 10) : Number.NaN;
        const isCharacter =
          code >= 0x20
            ? code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
            : code === 9 || code === 10 || code === 13;
        if (!isCharacter || !entity.endsWith(';'))
          throw damaged(`a sheet has the unknown entity ${entity.slice(0, 20)}`);
        return String.fromCodePoint(code);
      })
    : text;

/** The attributes r, s, t, hidden and ht of a tag. */
export const attributesOf = (tag: string, from: number): Record<string, string> => {
  const found: Record<string, string> = {};
  for (let at = from; ; ) {
    const equals = tag.indexOf('=', at);
    if (equals < 0) return found;
    const name = tag.slice(at, equals).trim();
    const quote =
      tag.charCodeAt(equals + 1) <= 32 ? tag.slice(equals + 1).search(/\S/) + equals + 1 : equals + 1;
    const end = tag.indexOf(tag[quote] === "'" ? "'" : '"', quote + 1);
    if (end < 0) throw damaged('a sheet has a broken attribute');
    // Only these names are kept, so no name from the file can set a prototype.
    if (name === 'r' || name === 's' || name === 't' || name === 'hidden' || name === 'ht')
      found[name] = tag.slice(quote + 1, end);
    at = end + 1;
  }
};

/** Where a tag's name ends; -1 if the tag has nothing else. */
export const firstSpace = (tag: string): number => {
  for (let at = 0; at < tag.length; at += 1) if (tag.charCodeAt(at) <= 32) return at;
  return -1;
};

/** Whether a row is hidden; a height of 0 hides it as well. */
export const isHiddenRow = ({ hidden, ht }: Record<string, string>): boolean =>
  hidden === '1' || hidden === 'true' || (ht !== undefined && Number(ht) === 0);

const strike = /^(?:\w+:)?strike(?:\s*$|\s+val\s*=\s*["'](?!0|false))/;
const raise = /^(?:\w+:)?vertAlign\s+val\s*=\s*["']su(?:per|b)script/;

/** The mark of a text run: struck out, or superscript or subscript like a footnote. */
export const markOf = (tag: string): 'struck' | 'raised' | undefined =>
  strike.test(tag) ? 'struck' : raise.test(tag) ? 'raised' : undefined;

const maxColumn = 16_384;

/** The column of a cell reference such as `B7`, from 0. @throws FileRefused `damaged_workbook` for another row's */
export const columnOf = (reference: string, rowNumber: number): number => {
  let column = 0;
  let at = 0;
  for (; at < reference.length; at += 1) {
    const letter = reference.charCodeAt(at) | 32;
    if (letter < 97 || letter > 122) break;
    column = column * 26 + letter - 96;
  }
  if (column < 1 || column > maxColumn || Number(reference.slice(at)) !== rowNumber) {
    throw damaged(`row ${rowNumber} of a sheet has a cell ${reference.slice(0, 20)}`);
  }
  return column - 1;
};
