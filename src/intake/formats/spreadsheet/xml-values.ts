import type * as xlsx from 'xlsx';
import type { FileRefused } from '../../../errors.ts';
import type { CellText } from './cell-text.ts';
import { formatCode } from './named-formats.ts';
import { asNumber, type NumberFormat, numberFormat } from './number-text.ts';

/** A cell of an XML spreadsheet as written. */
interface WrittenCell {
  type: string | undefined;
  /** Undefined if it has no value. */
  text: string | undefined;
  formula: boolean;
  /** The ID of its style. */
  style: string;
  /** A refusal that names the row. */
  inRow(what: string): FileRefused;
}

const isNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Reads the values of an XML spreadsheet with the styles defined above its sheets. */
export const createXmlValues = (formatter: typeof xlsx.SSF | undefined) => {
  const parents = new Map<string, string>();
  const codes = new Map<string, string>();
  const formats = new Map<string, NumberFormat>();
  let date1904 = false;

  const codeOf = (id: string): string => {
    const seen = new Set<string>();
    for (let at: string | undefined = id; at !== undefined && !seen.has(at); at = parents.get(at)) {
      const code = codes.get(at);
      if (code !== undefined) return code;
      seen.add(at);
    }
    return 'General';
  };
  const formatOf = (id: string): NumberFormat => {
    const known = formats.get(id);
    if (known) return known;
    const made = formatter ? numberFormat(codeOf(id), date1904, formatter) : asNumber;
    formats.set(id, made);
    return made;
  };
  const readNumber = (written: string, { style, inRow }: WrittenCell): CellText => {
    if (!isNumber.test(written)) throw inRow(`the invalid number ${written.slice(0, 20)}`);
    const number = Number(written);
    const read = formatOf(style)(number, written);
    // Some programs write identifiers as numbers with leading zeros.
    if (!read.annotation && /^0\d+$/.test(written) && read.text === String(number)) {
      return { text: written, annotation: 'formatted', number: read.text };
    }
    return read;
  };
  /** The text of a cell by its type and style. @throws FileRefused `damaged_workbook` */
  const read = (cell: WrittenCell): CellText => {
    const { type, text = '', inRow } = cell;
    if (cell.text === undefined || (text.trim() === '' && type !== 'String')) {
      return cell.formula ? { text: '', annotation: 'unevaluated' } : { text: '' };
    }
    switch (type) {
      case 'String':
        return { text };
      case 'Number':
        return readNumber(text.trim(), cell);
      case 'Boolean':
        if (!/^\s*[01]\s*$/.test(text)) throw inRow(`the invalid value ${text.slice(0, 20)}`);
        return { text: text.trim() === '1' ? 'TRUE' : 'FALSE', annotation: 'boolean' };
      case 'Error':
        return { text, annotation: 'error' };
      case 'DateTime':
        return { text: text.trim().replace(/T00:00:00(?:\.0+)?$/, ''), annotation: 'date' };
      default:
        throw inRow(`a value of the unknown type ${(type ?? '').slice(0, 20)}`);
    }
  };
  return {
    inherit: (style: string, parent: string) => void parents.set(style, parent),
    setFormat: (style: string, format = 'General') => void codes.set(style, formatCode(format)),
    setDate1904: (is: boolean): void => {
      date1904 = is;
    },
    read,
  };
};
