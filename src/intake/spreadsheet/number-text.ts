import type * as xlsx from 'xlsx';
import type { CellMarkKind } from '../types.ts';

export interface CellText {
  text: string;
  mark?: CellMarkKind;
}

/** How the numbers of one format become text. */
export type NumberFormat = (value: number, raw: string) => CellText;

/** From here on a spreadsheet no longer keeps every digit. */
const firstInexact = 1e15;

/** The number itself, without the noise of binary fractions (12.340000000000002 is 12.34). */
const plainNumber = (value: number): string => {
  const text = String(Number(value.toPrecision(15)));
  return /e/i.test(text) && Math.abs(value) < 1 ? value.toFixed(20).replace(/0+$/, '') : text;
};

/** A number of no format in particular. */
export const asNumber: NumberFormat = (value, raw) => {
  // The digits as written: 1E+20 would hide what was lost.
  if (Math.abs(value) >= firstInexact)
    return { text: /^-?\d+$/.test(raw) ? raw : plainNumber(value), mark: 'digits_lost' };
  return { text: plainNumber(value) };
};

const literals = /"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g;

/** A format that shows zeros in front (00000), or digits parted by hyphens: what the dealer sees is the identifier. */
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

/** Formats of nothing but digits (#,##0.00): for them the formatter need not be loaded. */
const digitsOnly = /^(?:General|@|#?[#,]*0?(?:\.[0#]+)?%?|)$/i;

/**
 * Makes the reading of number formats: dates are marked and shown as dates, formats that show an identifier (leading
 * zeros) give what the dealer sees, everything else gives the number that the cell holds.
 */
export const readNumberFormats = async (
  codes: readonly string[],
  date1904: boolean,
): Promise<NumberFormat[]> => {
  if (codes.every((code) => digitsOnly.test(code))) return codes.map(() => asNumber);
  const { SSF } = (await import('xlsx')) as typeof xlsx;
  return codes.map((code) => numberFormat(code, date1904, SSF));
};

/** @see readNumberFormats One format. */
export const numberFormat = (code: string, date1904: boolean, formatter: typeof xlsx.SSF): NumberFormat => {
  if (digitsOnly.test(code)) return asNumber;
  const shown = (value: number) => {
    try {
      return formatter.format(code, value, { date1904 }) as string;
    } catch {
      return plainNumber(value);
    }
  };
  if (formatter.is_date(code)) return (value) => ({ text: shown(value), mark: 'date' });
  if (!showsIdentifier(code)) return asNumber;
  return (value, raw) => {
    const plain = asNumber(value, raw);
    return plain.mark || !Number.isInteger(value) ? plain : { text: shown(value).trim() };
  };
};
