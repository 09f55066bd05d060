import type { Fill } from './styles.ts';

/**
 * A cell of a workbook that we write. Text is always written as text, never as a formula. The other types are for the
 * dealer's cells that were not text and must keep their type.
 */
export type Cell =
  | string
  /** Text with its own colour, or with a link. */
  | { text: string; fill?: Fill | undefined; link?: string }
  /** With a line through it. */
  | { text: string; struck: true }
  | { number: string; format?: string; fill?: Fill | undefined }
  | { boolean: boolean }
  | { error: string }
  | { isoDate: string }
  /** A formula without a stored value. */
  | { unevaluated: true }
  | undefined;

/** The maximum length of a cell's text; programs refuse a workbook with a longer one. */
const longestText = 32_767;

const unsafe = /[&<>"\0-\x08\x0b\x0c\r\x0e-\x1f\ufffe\uffff\ud800-\udfff]|_x[0-9A-Fa-f]{4}_/;
const unsafeEach = /[&<>"]|[\0-\x08\x0b\x0c\r\x0e-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g;
const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * Escapes text for a workbook's XML. Characters that XML does not allow are written as `_x000D_`, and text that looks
 * like such an escape is itself escaped (ECMA-376 part 1, 22.9.2.19). Pure.
 */
export const xmlText = (text: string): string =>
  unsafe.test(text)
    ? text
        .toWellFormed()
        .replace(
          unsafeEach,
          (found) => named[found] ?? `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
        )
    : text;

const exactNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/;

/** Converts text to a number if a spreadsheet program would show the number as the same text. Pure. */
export const numberOrText = (text: string): Cell =>
  exactNumber.test(text) && String(Number(text)) === text ? { number: text } : text;

/** Decimal text as a number cell; other text unchanged. */
export const decimal = (text: string): Cell =>
  Number.isFinite(Number(text)) && text.trim() !== '' ? { number: String(Number(text)) } : text;

const textXml = (cell: string): string => {
  const text = cell.length > longestText ? `${cell.slice(0, longestText - 1)}…` : cell;
  return ` t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
};

/** The XML of one cell; `style` is the number of a cell style. Empty for a cell without content and style. */
export const cellXml = (cell: Cell, reference: string, style: number): string => {
  const at = `<c r="${reference}"${style > 0 ? ` s="${style}"` : ''}`;
  if (cell === undefined || cell === '') return style > 0 ? `${at}/>` : '';
  if (typeof cell === 'string') return `${at}${textXml(cell)}`;
  if ('text' in cell) return cell.text === '' ? `${at}/>` : `${at}${textXml(cell.text)}`;
  if ('number' in cell) return `${at}><v>${cell.number}</v></c>`;
  if ('boolean' in cell) return `${at} t="b"><v>${cell.boolean ? 1 : 0}</v></c>`;
  if ('unevaluated' in cell) return `${at}><f>NA()</f></c>`;
  if ('error' in cell) return `${at} t="e"><v>${xmlText(cell.error)}</v></c>`;
  return `${at} t="d"><v>${xmlText(cell.isoDate)}</v></c>`;
};
