import type * as xlsx from 'xlsx';
import type { CellText } from './cell-text.ts';

/** Turns numbers of one format into text. `raw` is the number as written in the file. */
export type NumberFormat = (value: number, raw: string) => CellText;

/** Days between the start dates of the 1900 and the 1904 date system. */
const days1904 = 1462;

/** From this value on, spreadsheets lose digits. */
const firstInexact = 1e15;

/** The number without the noise of binary fractions (12.340000000000002 is 12.34). */
const plainNumber = (value: number): string => {
  const text = String(Number(value.toPrecision(15)));
  return /e/i.test(text) && Math.abs(value) < 1 ? value.toFixed(20).replace(/0+$/, '') : text;
};

/** For numbers without a special format. */
export const asNumber: NumberFormat = (value, raw) => {
  // The digits as written, because 1E+20 would hide the lost digits.
  if (Math.abs(value) >= firstInexact)
    return { text: /^-?\d+$/.test(raw) ? raw : plainNumber(value), annotation: 'digits_lost' };
  return { text: plainNumber(value) };
};

const literals = /"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g;

/** Whether a format shows leading zeros (00000) or digits with hyphens, so that the formatted text is the identifier. */
const showsIdentifier = (code: string): boolean => {
  const first = code.split(';')[0]!;
  const bare = first.replace(literals, '');
  const whole = bare.split('.')[0]!;
  if (/[,%E?/]/i.test(bare)) return false;
  return (
    /0[^0#]*0/.test(whole) ||
    (/0/.test(whole) && /"[^"]*[\p{L}-][^"]*"/u.test(first) && !/[$€£¥]/.test(first))
  );
};

/** Whether a format shows no digit of a number: `"CANCELLED"`, `;;;`. */
const hidesNumbers = (code: string): boolean =>
  !/[0#?@]|general/i.test(code.split(';')[0]!.replace(literals, ''));

/** Formats of only digits (#,##0.00), which do not need the formatter. */
const digitsOnly = /^(?:General|@|#?[#,]*0?(?:\.[0#]+)?%?|)$/i;

/**
 * Prepares the number formats of a workbook. Dates are annotated and shown as dates. A format that may show an identifier (leading zeros,
 * letters) gives the formatted text, with the plain number if the text is not an identifier (`0" EA"`). All others give the plain number.
 */
export const readNumberFormats = async (
  codes: readonly string[],
  date1904: boolean,
): Promise<NumberFormat[]> => {
  if (codes.every((code) => digitsOnly.test(code))) return codes.map(() => asNumber);
  const { SSF } = (await import('xlsx')) as typeof xlsx;
  return codes.map((code) => numberFormat(code, date1904, SSF));
};

/** One format. @see readNumberFormats */
export const numberFormat = (code: string, date1904: boolean, formatter: typeof xlsx.SSF): NumberFormat => {
  if (digitsOnly.test(code)) return asNumber;
  const shown = (value: number) => {
    try {
      return formatter.format(code, value, { date1904 }) as string;
    } catch {
      return plainNumber(value);
    }
  };
  if (formatter.is_date(code))
    return (value) => {
      const date = { number: value + (date1904 ? days1904 : 0), format: code };
      return { text: shown(value), annotation: 'date', date };
    };
  if (hidesNumbers(code))
    return (value, raw) => {
      const plain = asNumber(value, raw);
      return value > 0 ? { ...plain, annotation: 'unclear' } : plain;
    };
  if (!showsIdentifier(code)) return asNumber;
  return (value, raw) => {
    const plain = asNumber(value, raw);
    if (plain.annotation || !Number.isInteger(value)) return plain;
    const text = shown(value).trim();
    return /^\d+$/.test(text) ? { text } : { text, annotation: 'formatted', number: plain.text };
  };
};
