import { createWriteStream } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { xmlText } from './cells.ts';
import { type DocumentProperties, propertyParts } from './document-properties.ts';
import { type Sheet, type SheetNotes, sheetXml } from './sheet-xml.ts';
import { createStyles } from './styles.ts';

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

// Level 6 takes twice as long as level 3 for a file that is 10 % smaller.
const compressionLevel = 3;

type Parts = ReturnType<typeof propertyParts>;

const contentTypes = (count: number, parts: Parts) =>
  `${declaration}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/>${Array.from({ length: count }, (_, at) => `<Override PartName="/xl/worksheets/sheet${at + 1}.xml" ContentType="${type}.worksheet+xml"/>`).join('')}${parts.map(({ name, contentType }) => `<Override PartName="/${name}" ContentType="${contentType}"/>`).join('')}</Types>`;

const rootRelationships = (parts: Parts) =>
  `${declaration}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/>${parts.map(({ name, relationship }, at) => `<Relationship Id="rId${at + 2}" Type="${relationship}" Target="${name}"/>`).join('')}</Relationships>`;

const workbookRelationships = (count: number) =>
  `${declaration}<Relationships xmlns="${packages}/relationships">${Array.from({ length: count }, (_, at) => `<Relationship Id="rId${at + 1}" Type="${office}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`).join('')}<Relationship Id="rId${count + 1}" Type="${office}/styles" Target="styles.xml"/></Relationships>`;

const linkRelationships = (links: readonly string[]) =>
  `${declaration}<Relationships xmlns="${packages}/relationships">${links.map((url, at) => `<Relationship Id="rId${at + 1}" Type="${office}/hyperlink" Target="${xmlText(url)}" TargetMode="External"/>`).join('')}</Relationships>`;

const workbook = (sheets: readonly Sheet[], shown: number, notes: readonly SheetNotes[]) => {
  const names = notes.flatMap(({ filter }, at) =>
    filter === undefined
      ? []
      : `<definedName name="_xlnm._FilterDatabase" localSheetId="${at}" hidden="1">'${xmlText(sheets[at]!.name.replaceAll("'", "''"))}'!${filter}</definedName>`,
  );
  return `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><bookViews><workbookView activeTab="${shown}"/></bookViews><sheets>${sheets.map(({ name }, at) => `<sheet name="${xmlText(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')}</sheets>${names.length > 0 ? `<definedNames>${names.join('')}</definedNames>` : ''}</workbook>`;
};

/** The maximum length of a sheet's name. */
const longestName = 31;

/** Makes a sheet's name acceptable to spreadsheet programs. */
export const sheetName = (name: string): string =>
  name
    .replace(/[[\]:*?/\\\0-\x1f]/g, ' ')
    .replace(/^'+|'+$/g, '')
    .slice(0, longestName)
    .toWellFormed()
    .trim() || 'Sheet1';

/**
 * Writes an .xlsx workbook. Sheets are streamed from their rows one after the other: memory does not grow with them,
 * compression runs in parallel, and nothing blocks the event loop for more than a few milliseconds. Errors of `rows`
 * are rethrown, and the file is then incomplete. SheetJS would hold the workbook in memory, and writes neither colours nor
 * frozen rows.
 * @param target the path of a file, or a stream, which is ended
 * @param shown the index of the sheet that opens first
 * @param mtime the time of its parts
 */
export const writeWorkbook = async (
  target: string | Writable,
  sheets: readonly Sheet[],
  shown: number,
  { mtime = new Date(), properties }: { mtime?: Date; properties?: DocumentProperties } = {},
): Promise<void> => {
  const zip = new ZipFile();
  const styles = createStyles();
  const notes: SheetNotes[] = sheets.map(() => ({ links: [] }));
  const output = zip.outputStream as Readable;
  zip.on('error', (error) => output.destroy(error as Error));
  const written = pipeline(output, typeof target === 'string' ? createWriteStream(target) : target);
  let open: Readable | undefined;
  written.catch((error) => open?.destroy(error));
  try {
    const order = [...sheets.entries()];
    for (const [at, sheet] of order.toSorted(
      ([, a], [, b]) => Number(a.readLast ?? false) - Number(b.readLast ?? false),
    )) {
      const pieces = sheetXml(sheet, styles, at === shown, notes[at]!);
      open = Readable.from(pieces, { objectMode: false, highWaterMark: 1 << 18 });
      zip.addReadStream(open, `xl/worksheets/sheet${at + 1}.xml`, { compressionLevel, mtime });
      await finished(open);
    }
  } catch (error) {
    output.destroy();
    await written.catch(() => {});
    throw error;
  }
  const part = (name: string, text: string) => zip.addBuffer(Buffer.from(text), name, { mtime });
  part('xl/styles.xml', styles.xml());
  for (const [at, { links }] of notes.entries()) {
    if (links.length > 0) part(`xl/worksheets/_rels/sheet${at + 1}.xml.rels`, linkRelationships(links));
  }
  part('xl/workbook.xml', workbook(sheets, shown, notes));
  part('xl/_rels/workbook.xml.rels', workbookRelationships(sheets.length));
  const parts = properties ? propertyParts(properties) : [];
  for (const { name, text } of parts) part(name, text);
  part('_rels/.rels', rootRelationships(parts));
  part('[Content_Types].xml', contentTypes(sheets.length, parts));
  zip.end();
  await written;
};
