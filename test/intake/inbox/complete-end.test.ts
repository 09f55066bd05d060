import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { read, utils, write } from 'xlsx';
import { hasCompleteEnd } from '../../../src/intake/inbox/complete-end.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright end '));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const isComplete = async (bytes: Uint8Array): Promise<boolean> => {
  const path = join(folder, 'file');
  await writeFile(path, bytes);
  const handle = await open(path);
  try {
    return await hasCompleteEnd(handle);
  } finally {
    await handle.close();
  }
};

const rows = Array.from({ length: 400 }, (_, at) => [`PO-${at}`, `SKU ${at}`, at + 1]);
const workbook = (bookType: 'xlsx' | 'xlsb' | 'ods' | 'biff8' | 'biff5'): Buffer =>
  write(utils.book_new(utils.aoa_to_sheet([['PO', 'SKU', 'Qty'], ...rows])), { type: 'buffer', bookType });

const text = 'po,sku,qty\n1,A,120\n2,Ü,7\r\n';
const utf16be = (content: string) => Buffer.from(content, 'utf16le').swap16();

test.each<[string, Buffer]>([
  ['UTF-8', Buffer.from(text)],
  ['UTF-8 with Ctrl-Z at its end', Buffer.from(`${text}\x1a`)],
  ['carriage returns only', Buffer.from(text.replaceAll(/\r?\n/g, '\r'))],
  ['UTF-16 LE with mark', Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16 LE without mark', Buffer.from(text, 'utf16le')],
  ['UTF-16 BE with mark', utf16be(`\ufeff${text}`)],
  ['UTF-16 BE without mark', utf16be(text)],
])('of text only what ends with a whole line counts as complete: %s', async (_, whole) => {
  expect(await isComplete(whole)).toBe(true);
  const lineEnds = (bytes: Buffer) =>
    /[\n\r\x1a]$/.test(
      bytes[0] === 0xfe || bytes[0] === 0
        ? Buffer.from(bytes).swap16().toString('utf16le')
        : bytes[1] === 0 || bytes[0] === 0xff
          ? bytes.toString('utf16le')
          : bytes.toString('latin1'),
    );
  const isWide = whole.includes(0);
  for (let length = 0; length < whole.length; length += 1) {
    const cut = whole.subarray(0, length);
    const expected = isWide ? length > 2 && length % 2 === 0 && lineEnds(cut) : lineEnds(cut);
    expect(await isComplete(cut), `cut after ${length} bytes`).toBe(expected);
  }
});

const page = '<!DOCTYPE html>\n<table>\n<tr><td>1</td></tr>\n<tr><td>120</td></tr>\n</table>';
const book = '<?xml version="1.0"?>\r\n<ss:Workbook>\r\n<ss:Row/>\r\n</ss:Workbook>';

test.each<[string, Buffer]>([
  ['a page', Buffer.from(page)],
  ['a page with more behind its table', Buffer.from(`${page}</body>\n</html>\n<!-- 3 s -->\n`)],
  ['an XML spreadsheet', Buffer.from(book)],
  ['an XML spreadsheet in UTF-16', Buffer.from(`\ufeff${book}\r\n`, 'utf16le')],
])('of %s only what has its last end tag counts as complete', async (_, whole) => {
  expect(await isComplete(whole)).toBe(true);
  const lastRow = Math.max(whole.lastIndexOf('120'), whole.lastIndexOf('R\0o'), whole.lastIndexOf('Row/'));
  for (let length = 30; length <= lastRow + 12; length += 1) {
    expect(await isComplete(whole.subarray(0, length)), `cut after ${length} bytes`).toBe(false);
  }
});

const cellsOf = (bytes: Buffer): unknown => {
  const book = read(bytes, { type: 'buffer' });
  return utils.sheet_to_json(book.Sheets[book.SheetNames[0]!]!, { header: 1 });
};

test.each(['xlsx', 'xlsb', 'ods', 'biff8', 'biff5'] as const)(
  'a workbook that was cut anywhere does not count as complete while a cell of it is missing: %s',
  async (bookType) => {
    const whole = workbook(bookType);
    expect(await isComplete(whole)).toBe(true);
    const step = Math.max(1, Math.floor(whole.length / 150));
    let incomplete = 0;
    for (let length = 0; length < whole.length; length += step) {
      const cut = Buffer.from(whole.subarray(0, length));
      // Some writers pad their files after the last used sector.
      if (await isComplete(cut)) expect(cellsOf(cut), `cut after ${length} bytes`).toEqual(cellsOf(whole));
      else incomplete += 1;
    }
    expect(incomplete).toBeGreaterThan(100);
  },
);
