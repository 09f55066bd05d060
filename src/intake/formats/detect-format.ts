import { extname } from 'node:path';
import { FileRefused } from '../../errors.ts';
import {
  noPurchaseFileEnding,
  purchaseFileEnding,
  textEndings,
  workbookEndings,
} from '../purchase-file-ending.ts';
import { headBytes, headOf, startsWith, wideXml } from './first-bytes.ts';

/** The format by the first bytes. The child process finds out which kind of zip it is. */
export type FileKind = 'text' | 'zip' | 'ole' | 'html' | 'xml';

/** Two header fields of an e-mail, one below the other. */
const mailHead =
  /^(?:(?:from|to|cc|subject|date|received|return-path|delivered-to|message-id|reply-to|mime-version|x-[a-z-]+):[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*\r?\n){2}/;

/** A dBASE or FoxPro table: version, date, and sizes of header and records. */
const isDbase = (head: Buffer): boolean => {
  if (head.length < 32 || ![0x03, 0x30, 0x31, 0x83, 0x8b, 0xf5].includes(head[0]!)) return false;
  return head[2]! >= 1 && head[2]! <= 12 && head[3]! >= 1 && head[3]! <= 31 && head.readUInt16LE(8) > 32;
};

const foreign: [string, (head: Buffer, text: string) => boolean][] = [
  ['a PDF document', (_, text) => text.startsWith('%pdf')],
  ['a flat OpenDocument file (FODS)', (_, text) => /^<\?xml[\s\S]*<office:document\s/.test(text)],
  ['an XML document', (_, text) => text.startsWith('<?xml')],
  ['a web archive (MHTML)', (_, text) => /^mime-version:|^content-type: multipart\/related/.test(text)],
  ['a JSON document', (_, text) => /^[[{]\s*(?:["{[]|[\]}]\s*$)/.test(text)],
  ['an EDI message', (_, text) => /^(?:una.{6}\s*)?unb\+|^isa([^a-z0-9\s,;])00\1/.test(text)],
  ['an EDI message (TRADACOMS)', (_, text) => /^stx=[a-z]/.test(text)],
  ['a QuickBooks file (IIF)', (_, text) => /^!(?:hdr|trns|spl|invitem|accnt|vend|cust)[\t,]/.test(text)],
  ['a formatted text (RTF)', (_, text) => text.startsWith('{\\rtf')],
  ['an e-mail', (_, text) => mailHead.test(text)],
  ['a YAML document', (_, text) => /^(?:%yaml\b|---\r?\n)/.test(text)],
  ['a spreadsheet in the SYLK format', (_, text) => /^id;p[^\r\n]*\r?\n[bcefop];/.test(text)],
  ['a spreadsheet in the DIF format', (_, text) => /^table\r?\n0,1\r?\n/.test(text)],
  ['a Lotus 1-2-3 worksheet', (head) => startsWith(head, 0, 0, 2, 0) && head[5] === 4],
  ['a dBASE table (DBF)', isDbase],
  ['a compressed file (gzip)', (head) => startsWith(head, 0x1f, 0x8b)],
  [
    'a picture',
    (head) =>
      startsWith(head, 0x89, 0x50, 0x4e, 0x47) ||
      startsWith(head, 0xff, 0xd8, 0xff) ||
      startsWith(head, 0x47, 0x49, 0x46, 0x38),
  ],
  [
    'an archive (RAR, 7z)',
    (head) => startsWith(head, 0x52, 0x61, 0x72, 0x21) || startsWith(head, 0x37, 0x7a, 0xbc, 0xaf),
  ],
];

const tags =
  'a|b|base|blockquote|body|br|center|div|font|form|frameset|h[1-6]|head|html|img|link|meta|p|pre|script|span|style|table|title';
const htmlStart = new RegExp(`^(?:<!doctype html|<(?:${tags})[\\s/>])`);
const prolog = /^\s*(?:<\?xml[^>]*>|<!--[\s\S]*?-->|<\?mso-application[^>]*>)/;

/** A web page or an XML spreadsheet by its first tag; undefined for anything else. */
const markupOf = (text: string): FileKind | undefined => {
  if (!text.startsWith('<')) return undefined;
  if (/<(?:[a-z]\w*:)?workbook\s[^>]*"urn:schemas-microsoft-com:office:spreadsheet"/.test(text)) return 'xml';
  let start = text;
  while (prolog.test(start)) start = start.replace(prolog, '');
  return htmlStart.test(start.trimStart()) ? 'html' : undefined;
};

const kindOf = (head: Buffer): FileKind => {
  if (startsWith(head, 0x50, 0x4b, 3, 4) || startsWith(head, 0x50, 0x4b, 5, 6)) return 'zip';
  if (startsWith(head, 0xd0, 0xcf, 0x11, 0xe0)) return 'ole';
  // A workbook stream of Excel 3 to 5 without its container.
  if (head[0] === 9 && (head[1] === 0 || head[1] === 2 || head[1] === 4 || head[1] === 8)) return 'ole';
  return 'text';
};

/** Whether it is text whose first line has several columns. */
const isPlainTable = (head: Buffer): boolean => {
  const utf16 = startsWith(head, 0xff, 0xfe);
  const text = utf16 ? head.toString('utf16le') : head.toString('latin1');
  return !/[\0-\u0008\u000e-\u0019\u001b-\u001f]/.test(text) && /^[^\r\n]*[\t;,|]/.test(text);
};

/** The first bytes as text, including UTF-16 if it is markup or has a byte order mark. */
const textOf = (head: Buffer): string => {
  const even = head.subarray(0, head.length - (head.length % 2));
  const wide = wideXml(head);
  if (wide === undefined) return head.toString('latin1');
  return (wide === 'utf-16le' ? even : Buffer.from(even).swap16()).toString('utf16le');
};

const spreadsheetAdvice = 'Save it as an Excel workbook (.xlsx) or as CSV, and send that file.';

/**
 * Detects a file's format by its first bytes, and refuses a file whose name contradicts them.
 *
 * @throws FileRefused `empty_file`, `not_a_purchase_file`, `name_and_content_differ`
 */
export const detectFormat = async (path: string, fileName: string): Promise<FileKind> => {
  const head = await headOf(path);
  const text = textOf(head)
    .replace(/^(?:\ufeff|\u00ef\u00bb\u00bf)?\s*/, '')
    .toLowerCase();
  const utf16 = startsWith(head, 0xff, 0xfe) || startsWith(head, 0xfe, 0xff);
  if (head.length === 0 || (head.length < headBytes && !utf16 && text.trim() === '')) {
    throw new FileRefused('empty_file', 'The file is empty.');
  }
  const isNamedSo = purchaseFileEnding(fileName) !== undefined;
  const markup = isNamedSo ? markupOf(text) : undefined;
  // Shops and ERP systems name web pages and XML like workbooks or text files, because Excel opens them.
  if (markup) return markup;
  const other = foreign.find(([, is]) => is(head, text));
  const ending = extname(fileName).toLowerCase();
  if (other) {
    const named =
      workbookEndings.includes(ending) || textEndings.includes(ending)
        ? `, although its name ends in ${ending}`
        : '';
    throw new FileRefused('not_a_purchase_file', `The file is ${other[0]}${named}. ${spreadsheetAdvice}`);
  }
  if (!isNamedSo) {
    throw new FileRefused(
      'not_a_purchase_file',
      `The file name ${noPurchaseFileEnding}. Rename the file if it is in one of these formats, otherwise save it in one of them, and send that file.`,
    );
  }
  const kind = kindOf(head);
  // Shops and ERP systems name text tables like workbooks, because Excel opens them.
  const isTable = ending === '.xls' && isPlainTable(head);
  if (kind === 'text' && workbookEndings.includes(ending) && !isTable) {
    throw new FileRefused(
      'name_and_content_differ',
      `The file name ends in ${ending}, but the file is not a workbook: it is plain text or damaged. If it is a CSV file, rename it to .csv; otherwise save it as a workbook again.`,
    );
  }
  if (kind !== 'text' && textEndings.includes(ending)) {
    throw new FileRefused(
      'name_and_content_differ',
      `The file name ends in ${ending}, but the file is ${kind === 'zip' ? 'a workbook or another zip archive' : 'an old Excel workbook'}. If it is a workbook, rename it to ${kind === 'zip' ? '.xlsx' : '.xls'}; otherwise save it as CSV.`,
    );
  }
  return kind;
};
