import { type SaxesAttributeNS, SaxesParser } from 'saxes';
import { FileRefused } from '../../../errors.ts';
import type { ColumnShape, RawRow } from '../../types.ts';
import { commentOn } from './cell-comments.ts';
import { isBlankRow, putCell } from './cell-text.ts';
import type { MarkupScan, ScanRequest } from './open-markup.ts';
import { damaged } from './refused-workbook.ts';
import { createSpans } from './spans.ts';
import { createXmlValues } from './xml-values.ts';

const spreadsheet = 'urn:schemas-microsoft-com:office:spreadsheet';
const excel = 'urn:schemas-microsoft-com:office:excel';
const maxRow = 1_048_576;
const maxColumn = 16_384;
const pointsPerCharacter = 5.25;

type Attributes = Record<string, string>;

/** Attributes by name without prefix; Excel's own take precedence over those of other vocabularies. */
const own = (attributes: Record<string, SaxesAttributeNS>): Attributes => {
  const found: Attributes = Object.create(null);
  for (const { uri, local, value } of Object.values(attributes)) {
    if (uri === spreadsheet || (uri === '' && !(local in found))) found[local] = value;
  }
  return found;
};

const isTrue = (text: string | undefined) => text === '1' || text?.toLowerCase() === 'true';

/** An element by its vocabulary: `Row`, `x:Visible` of Excel's settings, `other` for all else. */
const nameOf = (uri: string, local: string) =>
  uri === spreadsheet ? local : uri === excel ? `x:${local}` : 'other';

/**
 * Reads an XML spreadsheet of Excel 2002 and 2003: its sheets, with cells positioned by `Index` and merged cells. Comments and names of
 * cells are not their values. Refuses a document type, and with it entity bombs.
 *
 * @see https://learn.microsoft.com/previous-versions/office/developer/office-xp/aa140066(v=office.10)
 */
export const scanXml = ({ onRow, maxColumns, formatter }: ScanRequest): MarkupScan => {
  const tables: MarkupScan['tables'] = [];
  const path: string[] = [];
  const values = createXmlValues(formatter);
  let style = '';
  let spans = createSpans();
  let shapes: ColumnShape[] = [];
  let columnStyles: (string | undefined)[] = [];
  let tableStyle: string | undefined;
  let rowStyle: string | undefined;
  let rowNumber = 0;
  /** Rows below the current one that have its format and no cells. */
  let repeated = 0;
  let row: RawRow | undefined;
  let nextColumn = 0;
  let cell: Attributes = {};
  let column = 0;
  let type: string | undefined;
  let text: string | undefined;
  let comment: string | undefined;

  const inRow = (what: string) => damaged(`row ${rowNumber} of a sheet has ${what}`);
  const count = (value: string | undefined, least: number, most: number): number | undefined => {
    if (value === undefined) return undefined;
    const number = Number(value);
    if (!Number.isInteger(number) || number < least || number > most) {
      throw inRow(`the invalid position ${value.slice(0, 20)}`);
    }
    return number;
  };

  const styleOfCell = () => cell.StyleID ?? rowStyle ?? columnStyles[column] ?? tableStyle ?? 'Default';
  const openRow = (attributes: Attributes) => {
    const number = count(attributes.Index, 1, maxRow) ?? rowNumber + repeated + 1;
    if (number <= rowNumber || number > maxRow)
      throw damaged(`a sheet has a row ${number} after row ${rowNumber}`);
    rowNumber = number;
    repeated = count(attributes.Span, 0, maxRow) ?? 0;
    rowStyle = attributes.StyleID;
    nextColumn = 0;
    spans.startRow(rowNumber);
    row = isTrue(attributes.Hidden) ? { rowNumber, cells: [], hidden: true } : { rowNumber, cells: [] };
  };
  const closeRow = () => {
    const done = row!;
    row = undefined;
    if (isBlankRow(done)) return;
    spans.fill(done);
    onRow(tables.length - 1, done);
  };
  const openCell = (attributes: Attributes) => {
    cell = attributes;
    type = undefined;
    text = undefined;
    comment = undefined;
    column = (count(cell.Index, 1, maxColumn) ?? nextColumn + 1) - 1;
    if (column < nextColumn) throw inRow('a cell twice or out of order');
  };
  const closeCell = () => {
    const right = column + (count(cell.MergeAcross, 0, maxColumn) ?? 0);
    const bottom = rowNumber + (count(cell.MergeDown, 0, maxRow) ?? 0);
    if (spans.covers(column, right)) throw inRow('a cell that a merged cell covers');
    nextColumn = right + 1;
    if (column >= maxColumns) return;
    const value = values.read({
      type,
      text,
      formula: cell.Formula !== undefined,
      style: styleOfCell(),
      inRow,
    });
    putCell(row!, column, value);
    if (comment !== undefined) row!.annotations = [...(row!.annotations ?? []), commentOn(column, comment)];
    if (bottom > rowNumber) {
      spans.add({ left: column, right, bottom, text: value.text, annotation: value.annotation });
    }
  };
  const openColumn = ({ Index, Span, Width, Hidden, StyleID }: Attributes) => {
    const from = (count(Index, 1, maxColumn) ?? shapes.length + 1) - 1;
    const last = Math.min(from + (count(Span, 0, maxColumn) ?? 0), maxColumns - 1);
    const width = Number(Width) / pointsPerCharacter;
    for (let at = from; at <= last; at += 1) {
      while (shapes.length < at) shapes.push({});
      shapes[at] = {
        ...(width > 0 && width <= 255 ? { width: Math.round(width * 100) / 100 } : {}),
        ...(isTrue(Hidden) ? { hidden: true } : {}),
      };
      columnStyles[at] = StyleID;
    }
  };
  const openSheet = ({ Name }: Attributes) => {
    const name = Name ?? `Sheet${tables.length + 1}`;
    if (tables.some((table) => table.name === name)) throw damaged('it has two sheets of one name');
    tables.push({ name, hidden: false });
    spans = createSpans();
    shapes = [];
    columnStyles = [];
    rowNumber = 0;
    repeated = 0;
  };

  const openElement = (name: string, attributes: Attributes) => {
    const parent = path.at(-1);
    path.push(name);
    const depth = path.length;
    if (depth === 1 && name !== 'Workbook') {
      throw new FileRefused('not_a_purchase_file', 'The file is an XML document, not a workbook of Excel.');
    }
    if (depth === 2 && name === 'Worksheet') openSheet(attributes);
    else if (depth === 3 && name === 'Table' && parent === 'Worksheet') {
      if (tables.at(-1)!.shapes) throw damaged('a sheet has its rows twice');
      tables.at(-1)!.shapes = shapes;
      tableStyle = attributes.StyleID;
    } else if (depth === 3 && name === 'Style') {
      style = attributes.ID ?? '';
      if (attributes.Parent !== undefined) values.inherit(style, attributes.Parent);
    } else if (depth === 4 && name === 'NumberFormat') values.setFormat(style, attributes.Format);
    else if (depth === 4 && path[2] === 'Table' && name === 'Column') openColumn(attributes);
    else if (depth === 4 && path[2] === 'Table' && name === 'Row') openRow(attributes);
    else if (depth === 5 && path[3] === 'Row' && name === 'Cell') openCell(attributes);
    else if (depth === 6 && path[4] === 'Cell' && name === 'Data') {
      if (text !== undefined) throw inRow('a cell with two values');
      type = attributes.Type;
      text = '';
    } else if (depth === 6 && path[4] === 'Cell' && name === 'Comment') comment = '';
  };
  const closeElement = () => {
    const name = path.pop();
    if (path.length === 4 && name === 'Cell' && row) closeCell();
    else if (path.length === 3 && name === 'Row' && row) closeRow();
  };
  const addText = (more: string) => {
    if (path.length >= 6 && path[5] === 'Data' && path[4] === 'Cell') text += more;
    else if (path.length >= 7 && path[5] === 'Comment' && path[4] === 'Cell') comment += more;
    else if (path.length === 3 && path[2] === 'x:Date1904') values.setDate1904(more.trim() !== '0');
    else if (path[3] === 'x:Visible' && path[1] === 'Worksheet' && /hidden/i.test(more)) {
      tables.at(-1)!.hidden = true;
    }
  };

  const parser = new SaxesParser({ position: false, xmlns: true });
  const notXml = (error: Error): never => {
    throw damaged(
      rowNumber > 0
        ? `its XML is not well-formed in or after row ${rowNumber}`
        : 'its XML is not well-formed',
      error,
    );
  };
  parser.on('doctype', () => notXml(new Error('document type')));
  parser.on('error', notXml);
  parser.on('opentag', (tag) => {
    const name = nameOf(tag.uri, tag.local);
    openElement(name, own(tag.attributes));
    if (name === 'x:Date1904' && path[1] === 'x:ExcelWorkbook') values.setDate1904(true);
  });
  parser.on('closetag', closeElement);
  parser.on('text', addText);
  parser.on('cdata', addText);
  return { tables, write: (piece) => void parser.write(piece), end: () => void parser.close() };
};
