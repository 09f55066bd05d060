import { unescapeText } from './workbook-parts.ts';
import { damaged } from './zip-parts.ts';

/** A cell as the sheet's XML has it. */
export interface SheetCell {
  /** From 0. */
  column: number;
  /** `s` shared string, `inlineStr`, `str` (of a formula), `n`, `b`, `e`, `d`. */
  type: string;
  style: number;
  /** The text of its value; undefined where it has none. */
  value: string | undefined;
  formula: boolean;
}

export interface SheetScan {
  /** Takes the next piece of the XML. @throws FileRefused `damaged_workbook` */
  write(xml: string): void;
  end(): void;
}

export type OnRow = (rowNumber: number, hidden: boolean, cells: SheetCell[]) => void;

const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

const decodeEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(/&([^;]*);?/g, (entity, name: string) => {
        const known = Object.hasOwn(named, name) && entity.endsWith(';') ? named[name] : undefined;
        if (known !== undefined) return known;
        const number = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name);
        const code = number ? Number.parseInt(number[1] ?? number[2]!, number[1] ? 16 : 10) : Number.NaN;
        const isCharacter =
          code >= 0x20
            ? code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
            : code === 9 || code === 10 || code === 13;
        if (!isCharacter || !entity.endsWith(';'))
          throw damaged(`a sheet has the unknown entity ${entity.slice(0, 20)}`);
        return String.fromCodePoint(code);
      })
    : text;

/** Attributes without their prefixes; the only ones that matter here are r, s, t and hidden. */
const attributesOf = (tag: string, from: number): Record<string, string> => {
  const found: Record<string, string> = {};
  for (let at = from; ; ) {
    const equals = tag.indexOf('=', at);
    if (equals < 0) return found;
    const name = tag.slice(at, equals).trim();
    const quote =
      tag.charCodeAt(equals + 1) <= 32 ? tag.slice(equals + 1).search(/\S/) + equals + 1 : equals + 1;
    const end = tag.indexOf(tag[quote] === "'" ? "'" : '"', quote + 1);
    if (end < 0) throw damaged('a sheet has a broken attribute');
    // Names are looked up, never set on a prototype: only these are kept.
    if (name === 'r' || name === 's' || name === 't' || name === 'hidden')
      found[name] = tag.slice(quote + 1, end);
    at = end + 1;
  }
};

const firstSpace = (tag: string): number => {
  for (let at = 0; at < tag.length; at += 1) if (tag.charCodeAt(at) <= 32) return at;
  return -1;
};

const maxRow = 1_048_576;
const maxColumn = 16_384;

/**
 * Reads the XML of a worksheet piece by piece. Only what a table needs is understood: rows, cells, their values,
 * formulas and inline texts; the small parts of a workbook are read by a full parser. Written for speed, and
 * held equal to that parser by a test. `onRow` gets rows that have cells, `onRowElement` is called for every one. A document type is refused, so are rows and cells out of order.
 */
export const scanSheet = (onRow: OnRow, onRowElement: () => void = () => {}): SheetScan => {
  let rest = '';
  let inData = false;
  let sawData = false;
  let rowNumber = 0;
  let hidden = false;
  let inRow = false;
  let cells: SheetCell[] = [];
  let cell: SheetCell | undefined;
  let nextColumn = 0;
  /** Collecting text of v (`value`), of t within is (`inline`), or nothing. */
  let collecting = false;
  let inline = false;
  let phonetic = 0;

  const beginRow = (tag: string, from: number) => {
    const { r, hidden: isHidden } = attributesOf(tag, from);
    const number = r === undefined ? rowNumber + 1 : Number(r);
    if (!Number.isInteger(number) || number <= rowNumber || number > maxRow) {
      throw damaged(`a sheet has a row ${r} after row ${rowNumber}`);
    }
    rowNumber = number;
    hidden = isHidden === '1' || isHidden === 'true';
    inRow = true;
    cells = [];
    nextColumn = 0;
  };
  const endRow = () => {
    inRow = false;
    onRowElement();
    if (cells.length > 0) onRow(rowNumber, hidden, cells);
  };
  const columnOf = (reference: string): number => {
    let column = 0;
    let at = 0;
    for (; at < reference.length; at += 1) {
      const letter = reference.charCodeAt(at) | 32;
      if (letter < 97 || letter > 122) break;
      column = column * 26 + letter - 96;
    }
    if (column < 1 || column > maxColumn || Number(reference.slice(at)) !== rowNumber) {
      throw damaged(`row ${rowNumber} of a sheet has a cell ${reference.slice(0, 20)}`);
    }
    return column - 1;
  };
  const beginCell = (tag: string, from: number) => {
    const { r, s, t } = attributesOf(tag, from);
    const column = r === undefined ? nextColumn : columnOf(r);
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
  };
  const endCell = () => {
    const done = cell!;
    cell = undefined;
    if (done.value !== undefined && (inline || done.type === 'str' || done.type === 'inlineStr')) {
      done.value = unescapeText(done.value);
    }
    inline = false;
    if (done.value !== undefined || done.formula) cells.push(done);
  };

  const open = (name: string, tag: string, from: number, empty: boolean) => {
    if (!inData) {
      if (name === 'sheetData') {
        sawData = true;
        inData = !empty;
      }
      return;
    }
    if (name === 'row') {
      if (inRow) throw damaged(`row ${rowNumber} of a sheet does not end`);
      beginRow(tag, from);
      if (empty) endRow();
    } else if (!inRow) throw damaged(`a sheet has <${name}> between its rows`);
    else if (name === 'c') {
      if (cell) throw damaged(`row ${rowNumber} of a sheet has a cell within a cell`);
      beginCell(tag, from);
      if (empty) endCell();
    } else if (!cell) return;
    else if (name === 'v') {
      if (!empty) {
        collecting = true;
        cell.value ??= '';
      }
    } else if (name === 'f') cell.formula = true;
    else if (name === 'is') {
      inline = true;
      cell.value ??= '';
    } else if (name === 'rPh') phonetic += empty ? 0 : 1;
    else if (name === 't') collecting = inline && phonetic === 0 && !empty;
  };
  const close = (name: string) => {
    if (!inData) return;
    if (name === 'c' && cell) endCell();
    else if (name === 'row' && inRow) endRow();
    else if (name === 'v' || name === 't') collecting = false;
    else if (name === 'rPh') phonetic -= 1;
    else if (name === 'sheetData') {
      if (inRow) throw damaged(`row ${rowNumber} of a sheet does not end`);
      inData = false;
    }
  };

  /** The end of the tag that begins at `from`: a > within quotes ends nothing. */
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
  /** Comments, CDATA, processing instructions. Returns where it goes on, or -1 when more is needed. */
  const special = (xml: string, at: number): number => {
    if (xml.startsWith('<!--', at)) {
      const end = xml.indexOf('-->', at + 4);
      return end < 0 ? -1 : end + 3;
    }
    if (xml.startsWith('<![CDATA[', at)) {
      const end = xml.indexOf(']]>', at + 9);
      if (end < 0) return -1;
      if (collecting) cell!.value += xml.slice(at + 9, end);
      return end + 3;
    }
    if (xml.startsWith('<?', at)) {
      const end = xml.indexOf('?>', at + 2);
      return end < 0 ? -1 : end + 2;
    }
    if (xml.length - at < 9) return -1;
    throw damaged('a sheet has a document type or another declaration that no workbook needs');
  };

  const write = (piece: string) => {
    const xml = rest === '' ? piece : rest + piece;
    let at = 0;
    for (;;) {
      const less = xml.indexOf('<', at);
      if (less < 0) break;
      if (collecting && less > at) cell!.value += decodeEntities(xml.slice(at, less));
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
      open(full.slice(full.indexOf(':') + 1), tag, space < 0 ? tag.length : space, empty);
    }
    rest = at < xml.length ? xml.slice(at) : '';
    if (rest.length > 16 * 1024 * 1024)
      throw damaged('a sheet has a value of more than 16 million characters');
  };
  const end = () => {
    if (!sawData || inData || rest.trim() !== '') throw damaged('a sheet ends in the middle');
  };
  return { write, end };
};
