import type { DefaultTreeAdapterTypes } from 'parse5';
import type * as xlsx from 'xlsx';
import type { CellText } from './cell-text.ts';
import { areHiding, areStriking, attributeOf, type ShownText } from './html-cell.ts';
import { formatCode } from './named-formats.ts';
import { asNumber, numberFormat } from './number-text.ts';

type Element = DefaultTreeAdapterTypes.Element;
type Formatter = typeof xlsx.SSF | undefined;

/** The style rules of a page for cells, by class name. */
export interface PageStyles {
  formats: Map<string, string>;
  hidden: Set<string>;
  struck: Set<string>;
}

const declared = /mso-number-format\s*:\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^;"']+)/i;

/** The number format in style declarations, without the escapes of CSS. */
const formatIn = (declarations: string): string | undefined => {
  const written = declared.exec(declarations)?.[1]?.trim();
  if (written === undefined) return undefined;
  const bare = /^["']/.test(written) ? written.slice(1, -1) : written;
  return formatCode(
    bare.replace(/\\(?:(00[0-9a-f]{2})|(.))/gi, (_, hex?: string, character?: string) =>
      hex === undefined ? character! : String.fromCharCode(Number.parseInt(hex, 16)),
    ),
  );
};

/** Adds the style sheet's rules for single classes, including those for cells in a row of a class. */
export const addStyles = (styles: PageStyles, css: string): void => {
  for (const [, name, declarations] of css.matchAll(/\.([\w-]+)(?:\s+t[dhr])?\s*\{([^{}]*)\}/g)) {
    const format = formatIn(declarations!);
    if (format !== undefined) styles.formats.set(name!, format);
    if (areHiding(declarations!)) styles.hidden.add(name!);
    if (areStriking(declarations!)) styles.struck.add(name!);
  }
};

const formatOf = (cell: Element, styles: PageStyles): string | undefined => {
  const sheet = attributeOf(cell, 'sdnum')?.split(';').slice(2).join(';');
  const own =
    formatIn(attributeOf(cell, 'style') ?? '') ?? attributeOf(cell, 'data-z') ?? (sheet || undefined);
  if (own !== undefined) return own;
  const classes = (attributeOf(cell, 'class') ?? '').split(/\s+/);
  return classes.map((name) => styles.formats.get(name)).find((format) => format !== undefined);
};

/** The number that spreadsheet programs write beside the shown text: Excel, LibreOffice and SheetJS. */
const numberBeside = (cell: Element): string | undefined => {
  const written =
    attributeOf(cell, 'x:num') ??
    attributeOf(cell, 'sdval') ??
    (attributeOf(cell, 'data-t') === 'n' ? attributeOf(cell, 'data-v') : undefined);
  return written === undefined || written.trim() === '' ? undefined : written.trim();
};

/** The possible numbers of a shown text, with either decimal sign, and the unit of its last digit. */
const readings = (text: string): { number: number; unit: number }[] => {
  const digits = text.replace(/[^\d.,-]/g, '').replace(/[.,]+$/, '');
  return [digits.replaceAll(',', ''), digits.replaceAll('.', '').replace(',', '.')]
    .filter((plain) => /^-?\d+(?:\.\d+)?$/.test(plain))
    .map((plain) => ({ number: Number(plain), unit: 10 ** -(plain.split('.')[1]?.length ?? 0) }));
};

/** The shown text if it agrees with the stored number, else the problem. */
const besideNumber = (text: string, written: string): CellText => {
  const number = Number(written);
  if (!Number.isFinite(number)) return { text, annotation: 'unclear' };
  const whole = Number.isInteger(number);
  // The text has lost digits (1.23457E+12, ####) that the number has.
  if (whole && /^(?:#+|-?\d+(?:[.,]\d+)?E[+-]?\d+)$/i.test(text)) return asNumber(number, written);
  const agrees = readings(text).some(({ number: shown, unit }) =>
    whole ? shown === number : unit < 1 && Math.abs(shown - number) <= unit * 0.5000001,
  );
  if (!agrees) return { text, annotation: 'unclear' };
  if (whole) return /^\d+$/.test(text) ? { text } : { text, annotation: 'formatted', number: String(number) };
  // Three digits after the sign could be thousands; four cannot, whatever the account's decimal sign.
  return /^\d{1,3}[.,]\d{3}$/.test(text)
    ? { text, annotation: 'formatted', number: `${text.replace(',', '.')}0` }
    : { text };
};

/**
 * The value of a web page cell: its text as shown, to keep leading zeros. Stored numbers and number formats, which spreadsheet programs
 * write, are used if the text alone would be a different value.
 *
 * @param formatter formats numbers; undefined if the page has no number formats
 */
export const cellValue = (
  cell: Element,
  { text, unclear }: ShownText,
  styles: PageStyles,
  formatter: Formatter,
): CellText => {
  if (unclear) return { text, annotation: 'unclear' };
  if (attributeOf(cell, 'x:err') !== undefined || attributeOf(cell, 'data-t') === 'e')
    return { text, annotation: 'error' };
  if (attributeOf(cell, 'x:bool') !== undefined || attributeOf(cell, 'data-t') === 'b')
    return { text, annotation: 'boolean' };
  const exact = attributeOf(cell, 'x:str');
  if (
    exact !== undefined &&
    exact.trim() !== '' &&
    exact.trim().replace(/\s+/g, ' ') !== text.replace(/\s+/g, ' ')
  )
    return { text, annotation: 'unclear' };
  const format = formatOf(cell, styles);
  if (text !== '' && format !== undefined && formatter?.is_date(format)) return { text, annotation: 'date' };
  const written = numberBeside(cell);
  if (written !== undefined) return besideNumber(text, written);
  if (format !== undefined && formatter && /^(?:0|[1-9]\d{0,14})$/.test(text)) {
    const read = numberFormat(format, false, formatter)(Number(text), text);
    if (read.annotation || /^0\d+$/.test(read.text)) return read;
  }
  return { text };
};
