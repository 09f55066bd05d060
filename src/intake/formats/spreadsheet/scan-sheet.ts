import { damaged } from './refused-workbook.ts';
import { attributesOf, columnOf, decodeEntities, firstSpace, isHiddenRow, markOf } from './sheet-xml.ts';
import { unescapeText } from './workbook-parts.ts';

/** A cell as written in the sheet's XML. */
export interface SheetCell {
  /** From 0. */
  column: number;
  /** `s` shared string, `inlineStr`, `str` (of a formula), `n`, `b`, `e`, `d`. */
  type: string;
  style: number;
  /** The text of its value; undefined if it has none. */
  value: string | undefined;
  formula: boolean;
  /** The mark of some of its inline text. */
  mark?: ReturnType<typeof markOf>;
}

const maxRow = 1_048_576;
/** The end tag of each element within a cell. */
const closing = { cell: 'c', v: 'v', f: 'f', is: 'is', r: 'r', t: 't', rt: 't' };

/**
 * Reads the XML of a worksheet in chunks, and only the parts that a table needs: rows, cells, values, formulas and inline texts. Written
 * for speed; a test compares it with the full parser that reads the small parts of a workbook. `onRow` receives the rows that have cells,
 * `onRowElement` is called for every row. Refuses a document type, and rows and cells that are out of order.
 */
export const scanSheet = (
  onRow: (rowNumber: number, hidden: boolean, cells: SheetCell[]) => void,
  onRowElement: () => void = () => {},
) => {
  let rest = '';
  let inData = false;
  let sawData = false;
  let rowNumber = 0;
  let hidden = false;
  let inRow = false;
  let cells: SheetCell[] = [];
  let cell: SheetCell | undefined;
  let nextColumn = 0;
  /** The prefix of `sheetData`. Elements with another prefix belong to an extension and are skipped. */
  let prefix = '';
  /** The element of the current cell that is open: only v, and t within is or r, hold text. */
  let inside: keyof typeof closing = 'cell';
  let inline: string | undefined;
  let collecting = false;
  /** Number of open elements that are skipped with their content: extensions, formats and pronunciations. */
  let skipped = 0;

  const beginRow = (tag: string, from: number) => {
    const { r, ...more } = attributesOf(tag, from);
    const number = r === undefined ? rowNumber + 1 : Number(r);
    if (!Number.isInteger(number) || number <= rowNumber || number > maxRow) {
      throw damaged(`a sheet has a row ${r} after row ${rowNumber}`);
    }
    rowNumber = number;
    hidden = isHiddenRow(more);
    inRow = true;
    cells = [];
    nextColumn = 0;
  };
  const endRow = () => {
    inRow = false;
    onRowElement();
    if (cells.length > 0) onRow(rowNumber, hidden, cells);
  };
  const beginCell = (tag: string, from: number) => {
    const { r, s, t } = attributesOf(tag, from);
    const column = r === undefined ? nextColumn : columnOf(r, rowNumber);
    if (column < nextColumn)
      throw damaged(`row ${rowNumber} of a sheet has a cell twice or out of order (${r})`);
    nextColumn = column + 1;
    cell = {
      column,
      type: t ?? 'n',
      style: s === undefined ? 0 : Number(s),
      value: undefined,
      formula: false,
    };
    inside = 'cell';
    inline = undefined;
  };
  /** If a cell has a value and an inline text, the type decides which one counts, as in spreadsheet programs. */
  const endCell = () => {
    const done = cell!;
    cell = undefined;
    if (inline !== undefined && (done.type === 'inlineStr' || done.value === undefined)) {
      done.type = 'inlineStr';
      done.value = inline;
    }
    if (done.value !== undefined && (done.type === 'str' || done.type === 'inlineStr')) {
      done.value = unescapeText(done.value);
    }
    if (done.value !== undefined || done.formula) cells.push(done);
  };
  const collect = (text: string) => {
    if (inside === 'v') cell!.value += text;
    else inline += text;
  };
  const twice = () => damaged(`row ${rowNumber} of a sheet has a cell with two values`);

  /** An element within a cell; elements that a table does not need are skipped. */
  const openInCell = (name: string, empty: boolean) => {
    if (inside === 'cell' && name === 'v') {
      if (cell!.value !== undefined) throw twice();
      if (empty) return;
      cell!.value = '';
      inside = 'v';
      collecting = true;
    } else if (inside === 'cell' && name === 'f') {
      cell!.formula = true;
      if (!empty) inside = 'f';
    } else if (inside === 'cell' && name === 'is') {
      if (inline !== undefined) throw twice();
      inline = '';
      if (!empty) inside = 'is';
    } else if ((inside === 'is' || inside === 'r') && name === 't') {
      if (empty) return;
      inside = inside === 'r' ? 'rt' : 't';
      collecting = true;
    } else if (inside === 'is' && name === 'r') {
      if (!empty) inside = 'r';
    } else if (!empty) skipped = 1;
  };
  const closeInCell = (name: string) => {
    if (name !== closing[inside]) throw damaged(`row ${rowNumber} of a sheet has a cell that does not end`);
    collecting = false;
    if (inside === 'cell') endCell();
    else inside = inside === 'rt' ? 'r' : inside === 't' || inside === 'r' ? 'is' : 'cell';
  };

  const open = (full: string, tag: string, from: number, empty: boolean) => {
    if (skipped > 0) {
      if (inside === 'r') cell!.mark ??= markOf(tag);
      if (!empty) skipped += 1;
      return;
    }
    const colon = full.indexOf(':') + 1;
    const name = colon === 0 ? full : full.slice(colon);
    if (!inData) {
      if (name === 'sheetData') {
        if (sawData) throw damaged('a sheet has its rows twice');
        sawData = true;
        inData = !empty;
        prefix = full.slice(0, colon);
      }
      return;
    }
    const own = colon === prefix.length && full.startsWith(prefix);
    if (cell) {
      if (own && name === 'c') throw damaged(`row ${rowNumber} of a sheet has a cell within a cell`);
      if (own) openInCell(name, empty);
      else if (!empty) skipped = 1;
    } else if (inRow && own && name === 'c') {
      beginCell(tag, from);
      if (empty) endCell();
    } else if (own && name === 'row') {
      if (inRow) throw damaged(`row ${rowNumber} of a sheet does not end`);
      beginRow(tag, from);
      if (empty) endRow();
    } else if (!inRow) throw damaged(`a sheet has <${name}> between its rows`);
    else if (!empty) skipped = 1;
  };
  const close = (name: string) => {
    if (!inData) return;
    if (skipped > 0) skipped -= 1;
    else if (cell) closeInCell(name);
    else if (name === 'row' && inRow) endRow();
    else if (name === 'sheetData') {
      if (inRow) throw damaged(`row ${rowNumber} of a sheet does not end`);
      inData = false;
    }
  };

  /** The end of the tag that begins at `from`, ignoring > within quotes; -1 if more input is needed. */
  const tagEnd = (xml: string, from: number): number => {
    for (let at = from; at < xml.length; at += 1) {
      const code = xml.charCodeAt(at);
      if (code === 62) return at;
      if (code === 34 || code === 39) {
        at = xml.indexOf(code === 34 ? '"' : "'", at + 1);
        if (at < 0) return -1;
      }
    }
    return -1;
  };
  /** Skips a comment, CDATA or processing instruction. Returns the position after it, or -1 if more input is needed. */
  const special = (xml: string, at: number): number => {
    if (xml.startsWith('<!--', at)) {
      const end = xml.indexOf('-->', at + 4);
      return end < 0 ? -1 : end + 3;
    }
    if (xml.startsWith('<![CDATA[', at)) {
      const end = xml.indexOf(']]>', at + 9);
      if (end < 0) return -1;
      if (collecting) collect(xml.slice(at + 9, end));
      return end + 3;
    }
    if (xml.startsWith('<?', at)) {
      const end = xml.indexOf('?>', at + 2);
      return end < 0 ? -1 : end + 2;
    }
    if (xml.length - at < 9) return -1;
    throw damaged('a sheet has a document type or another declaration that workbooks never have');
  };

  /** Scans the next piece of the XML. @throws FileRefused `damaged_workbook` */
  const write = (piece: string): void => {
    const xml = rest === '' ? piece : rest + piece;
    let at = 0;
    for (;;) {
      const less = xml.indexOf('<', at);
      if (less < 0) break;
      if (collecting && less > at) collect(decodeEntities(xml.slice(at, less)));
      at = less;
      const second = xml.charCodeAt(less + 1);
      if (second === 33 || second === 63) {
        const next = special(xml, less);
        if (next < 0) break;
        at = next;
        continue;
      }
      const end = tagEnd(xml, less + 1);
      if (end < 0) break;
      at = end + 1;
      if (second === 47) {
        const name = xml.slice(less + 2, end).trim();
        close(name.slice(name.indexOf(':') + 1));
        continue;
      }
      const empty = xml.charCodeAt(end - 1) === 47;
      const tag = xml.slice(less + 1, empty ? end - 1 : end);
      const space = firstSpace(tag);
      const full = space < 0 ? tag : tag.slice(0, space);
      open(full, tag, space < 0 ? tag.length : space, empty);
    }
    rest = at < xml.length ? xml.slice(at) : '';
    if (rest.length > 16 * 1024 * 1024)
      throw damaged('a sheet has a value of more than 16 million characters');
  };
  const end = (): void => {
    if (!sawData || inData || rest.trim() !== '') throw damaged('a sheet ends in the middle');
  };
  return { write, end };
};
