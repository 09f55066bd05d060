import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';

/** A cell of a test workbook: text, or a piece of sheet XML for everything else. */
export type TestCell = string | { xml: string };

export interface TestSheet {
  name: string;
  rows: TestCell[][];
  /** Where the table begins, such as `C5`; default `A1`. */
  at?: string;
  state?: 'hidden' | 'veryHidden';
  /** Attributes for single rows, by their number: `hidden="1"`. */
  rowAttributes?: Record<number, string>;
  /** The XML above and below the rows of the sheet. */
  before?: string;
  after?: string;
  /** The whole XML, in place of the rest. */
  xml?: string;
}

export interface TestWorkbook {
  sheets: TestSheet[];
  /** Number formats by style: style 0 is General, style 1 the first of these. */
  formats?: string[];
  shared?: boolean;
  date1904?: boolean;
  prefix?: string;
  /** Additional parts, or new content for existing parts. */
  parts?: Record<string, string | Buffer>;
}

export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const columnName = (column: number): string =>
  column < 26
    ? String.fromCharCode(65 + column)
    : columnName(Math.floor(column / 26) - 1) + String.fromCharCode(65 + (column % 26));

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships';

const sheetXml = (sheet: TestSheet, book: TestWorkbook, strings: string[]): string => {
  const [, letters = 'A', digits = '1'] = /^([A-Z]+)(\d+)$/.exec(sheet.at ?? 'A1') ?? [];
  const left = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  const top = Number(digits);
  const p = book.prefix ? `${book.prefix}:` : '';
  const cellXml = (cell: TestCell, reference: string) => {
    if (typeof cell !== 'string') return cell.xml.replaceAll('REF', reference);
    if (cell === '') return '';
    if (!book.shared)
      return `<${p}c r="${reference}" t="inlineStr"><${p}is><${p}t>${escapeXml(cell)}</${p}t></${p}is></${p}c>`;
    if (!strings.includes(cell)) strings.push(cell);
    return `<${p}c r="${reference}" t="s"><${p}v>${strings.indexOf(cell)}</${p}v></${p}c>`;
  };
  const rows = sheet.rows.map((cells, at) => {
    const row = top + at;
    const attributes = sheet.rowAttributes?.[row] ?? '';
    const inner = cells.map((cell, column) => cellXml(cell, `${columnName(left + column)}${row}`)).join('');
    return `<${p}row r="${row}" ${attributes}>${inner}</${p}row>`;
  });
  const xmlns = book.prefix ? `xmlns:${book.prefix}` : 'xmlns';
  return `${head}<${p}worksheet ${xmlns}="${main}">${sheet.before ?? ''}<${p}sheetData>${rows.join('')}</${p}sheetData>${sheet.after ?? ''}</${p}worksheet>`;
};

/** Writes an .xlsx file part by part, so that a test can control any part. */
export const writeWorkbook = async (book: TestWorkbook): Promise<Buffer> => {
  const strings: string[] = [];
  const sheets = book.sheets.map((sheet) => sheet.xml ?? sheetXml(sheet, book, strings));
  const formats = book.formats ?? [];
  const parts: Record<string, string | Buffer> = {
    '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    '_rels/.rels': `${head}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${relations}"><workbookPr${book.date1904 ? ' date1904="1"' : ''}/><sheets>${book.sheets
      .map(
        (sheet, at) =>
          `<sheet name="${escapeXml(sheet.name)}" sheetId="${at + 1}"${sheet.state ? ` state="${sheet.state}"` : ''} r:id="rId${at + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="${packageRelations}">${sheets
      .map(
        (_, at) =>
          `<Relationship Id="rId${at + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
      )
      .join('')}<Relationship Id="rIdS" Type="${relations}/styles" Target="styles.xml"/>${
      book.shared
        ? `<Relationship Id="rIdT" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/>`
        : ''
    }</Relationships>`,
    'xl/styles.xml': `${head}<styleSheet xmlns="${main}"><numFmts>${formats
      .map((code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${escapeXml(code)}"/>`)
      .join(
        '',
      )}</numFmts><cellXfs><xf numFmtId="0"/>${formats.map((_, at) => `<xf numFmtId="${200 + at}"/>`).join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(sheets.map((xml, at) => [`xl/worksheets/sheet${at + 1}.xml`, xml])),
    ...(book.shared
      ? {
          'xl/sharedStrings.xml': `${head}<sst xmlns="${main}">${strings.map((text) => `<si><t>${escapeXml(text)}</t></si>`).join('')}</sst>`,
        }
      : {}),
    ...book.parts,
  };
  const zip = new yazl.ZipFile();
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content as string), name);
  zip.end();
  return buffer(zip.outputStream as NodeJS.ReadableStream);
};
