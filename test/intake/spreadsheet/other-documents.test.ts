import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import yazl from 'yazl';
import { refuseOtherOle, refuseOtherZip } from '../../../src/intake/formats/spreadsheet/other-documents.ts';
import { openZip } from '../../../src/intake/formats/spreadsheet/zip-parts.ts';

const inZip = async (parts: Record<string, string>) => {
  const zip = new yazl.ZipFile();
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  const folder = await mkdtemp(path.join(tmpdir(), 'cartwright-document-'));
  try {
    const file = path.join(folder, 'a.zip');
    await writeFile(file, await buffer(zip.outputStream as NodeJS.ReadableStream));
    const opened = await openZip(file, 1 << 20);
    await refuseOtherZip(opened).finally(() => opened.close());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
const odt = 'application/vnd.oasis.opendocument';

test.each<[string, Record<string, string>, RegExp]>([
  [
    'a Word document',
    { '_rels/.rels': '', 'word/document.xml': '' },
    /a Word document, not a workbook.*\.xlsx/,
  ],
  ['slides', { '_rels/.rels': '', 'ppt/presentation.xml': '' }, /a PowerPoint presentation/],
  ['an ODT file', { mimetype: `${odt}.text`, 'content.xml': '' }, /a text document \(ODT\)/],
  ['a Numbers document', { 'Index/Document.iwa': '', 'Metadata/Properties.plist': '' }, /a Numbers document/],
  ['other files', { 'orders.csv': 'a' }, /zip archive.*inside/],
])('a zip archive that is no workbook is named: %s', async (_, parts, says) => {
  await expect(inZip(parts)).rejects.toMatchObject({
    code: 'not_a_purchase_file',
    message: expect.stringMatching(says),
  });
});

test.each<[string, Record<string, string>]>([
  ['XLSX', { '_rels/.rels': '', 'xl/workbook.xml': '', 'word/notes.xml': '' }],
  ['XLSB', { '_rels/.rels': '', 'xl/workbook.bin': '' }],
  ['ODS', { mimetype: `${odt}.spreadsheet`, 'content.xml': '' }],
])('a workbook is not: %s', async (_, parts) => {
  await expect(inZip(parts)).resolves.toBeUndefined();
});

const streams = (...names: string[]) =>
  Buffer.concat([
    Buffer.from([0xd0, 0xcf, 0x11, 0xe0]),
    ...names.map((name) => Buffer.from(`${name}\0`, 'utf16le')),
  ]);

test.each<[string, RegExp]>([
  ['WordDocument', /a Word document/],
  ['PowerPoint Document', /a PowerPoint presentation/],
  ['__properties_version1.0', /an e-mail.*attached/],
])('an old Office file that is no workbook is named: %s', (name, says) => {
  expect(() => refuseOtherOle(streams('Root Entry', name))).toThrow(says);
  expect(() => refuseOtherOle(streams('Root Entry', 'Workbook', name))).not.toThrow();
});
