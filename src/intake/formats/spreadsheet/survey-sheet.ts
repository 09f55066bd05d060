import type { Readable } from 'node:stream';
import { columnAt } from '../../../column-letters.ts';
import type { MergedRange } from './merged-cells.ts';
import { damaged } from './refused-workbook.ts';

const maxMerges = 500_000;
const overlap = 512;

/** Blanks, > and /. */
const endsName = new Set([0x20, 0x3e, 0x2f, 0x0a, 0x0d, 0x09]);

const countRows = (bytes: Buffer, needle: string): number => {
  let count = 0;
  for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + needle.length)) {
    const after = bytes[at + needle.length];
    // Other elements, such as <rowBreaks>, begin with the same letters.
    if (after !== undefined && endsName.has(after)) count += 1;
  }
  return count;
};

/**
 * Reads the bytes of a sheet once before its cells: merged ranges come after the rows that they affect, and an independent count of row
 * elements reveals a scan that misses rows.
 *
 * @returns the number of row elements, and the merged ranges
 * @throws FileRefused `damaged_workbook`
 */
export const surveySheet = async (xml: Readable) => {
  const merges: MergedRange[] = [];
  let rowElements = 0;
  let needle: string | undefined;
  let closingTag = '';
  let rest: Buffer = Buffer.alloc(0);
  let belowRows = false;
  for await (const chunk of xml as AsyncIterable<Buffer>) {
    let bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    if (needle === undefined) {
      // All elements have the prefix of the root element: <x:worksheet> contains <x:row>.
      const root = /<([A-Za-z_][\w.-]*:)?worksheet[\s>]/.exec(bytes.toString('latin1', 0, 65_536));
      if (!root && bytes.length < 65_536) {
        rest = bytes;
        continue;
      }
      needle = `<${root?.[1] ?? ''}row`;
      closingTag = `</${root?.[1] ?? ''}sheetData`;
    }
    if (!belowRows) {
      const closing = bytes.indexOf(closingTag);
      const upTo = closing >= 0 ? closing : Math.max(0, bytes.length - overlap);
      const tail = closing >= 0 ? upTo : bytes.lastIndexOf('<', upTo);
      const cut = tail < 0 ? upTo : tail;
      rowElements += countRows(bytes.subarray(0, cut), needle);
      bytes = bytes.subarray(cut);
      belowRows = closing >= 0;
    }
    if (belowRows) {
      const text = bytes.toString('latin1');
      const ranges =
        /<(?:[\w.-]+:)?mergeCell\s[^>]*?ref\s*=\s*["']\$?([A-Z]{1,3})\$?(\d{1,7}):\$?([A-Z]{1,3})\$?(\d{1,7})["'][^>]*>/g;
      let used = 0;
      for (const [whole, left, top, right, bottom] of text.matchAll(ranges)) {
        used = text.indexOf(whole, used) + whole.length;
        merges.push({
          left: columnAt(left!),
          top: Number(top) - 1,
          right: columnAt(right!),
          bottom: Number(bottom) - 1,
        });
        if (merges.length > maxMerges) throw damaged(`a sheet has more than ${maxMerges} merged cells`);
      }
      bytes = bytes.subarray(Math.max(used, bytes.length - overlap));
    }
    rest = Buffer.from(bytes);
  }
  if (!belowRows && needle !== undefined) rowElements += countRows(rest, needle);
  return { rowElements, merges };
};
