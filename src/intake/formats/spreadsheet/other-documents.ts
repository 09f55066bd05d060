import { FileRefused } from '../../../errors.ts';
import type { ZipParts } from './zip-parts.ts';

const table =
  'Copy its table into a spreadsheet, save that as an Excel workbook (.xlsx) or as CSV, and send that file.';

const notOrders = (what: string, advice: string) =>
  new FileRefused('not_a_purchase_file', `The file is ${what}, not a workbook. ${advice}`);

const parts: [RegExp, string][] = [
  [/^word\/document\.xml$/, 'a Word document'],
  [/^ppt\/presentation\.xml$/, 'a PowerPoint presentation'],
  [/^visio\/document\.xml$/, 'a Visio drawing'],
];

const openDocuments: [string, string][] = [
  ['opendocument.text', 'a text document (ODT)'],
  ['opendocument.presentation', 'a presentation (ODP)'],
  ['opendocument.graphics', 'a drawing (ODG)'],
];

/**
 * Refuses a zip archive that is not a workbook, and says what it is.
 *
 * @throws FileRefused `not_a_purchase_file`
 */
export const refuseOtherZip = async (zip: ZipParts): Promise<void> => {
  const names = zip.names();
  const other = parts.find(([name]) => names.some((found) => name.test(found)));
  if (other) throw notOrders(other[1], table);
  if (zip.has('mimetype')) {
    const type = await zip.text('mimetype', 1000).catch(() => '');
    const document = openDocuments.find(([kind]) => type.includes(kind));
    if (document) throw notOrders(document[1], table);
  }
  if (zip.has('xl/workbook.bin') || zip.has('content.xml') || zip.has('_rels/.rels')) return;
  if (names.some((name) => name.endsWith('workbook.xml'))) return;
  if (names.some((name) => /^(?:index\/|index\.zip$)/.test(name) && zip.has('metadata/properties.plist'))) {
    throw notOrders(
      'a Numbers document',
      'Export it as an Excel workbook (.xlsx) or as CSV, and send that file.',
    );
  }
  throw notOrders('a zip archive', 'Send the file that is inside the archive.');
};

/** Stream names of other documents in old Office containers, which use UTF-16. */
const streams: [string, string, string][] = [
  ['WordDocument', 'a Word document', table],
  ['PowerPoint Document', 'a PowerPoint presentation', table],
  ['__properties_version1.0', 'an e-mail', 'Save the file that is attached to it, and send that file.'],
];

/**
 * Refuses an old Office file that is not a workbook, and says what it is.
 *
 * @throws FileRefused `not_a_purchase_file`
 */
export const refuseOtherOle = (bytes: Buffer): void => {
  const has = (name: string) => bytes.includes(Buffer.from(`${name}\0`, 'utf16le'));
  // A workbook may contain a document.
  if (has('Workbook') || has('Book') || bytes[0] === 9) return;
  const other = streams.find(([name]) => has(name));
  if (other) throw notOrders(other[1], other[2]);
};
