import { type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes, defaultTreeAdapter } from 'parse5';
import { ParserStream } from 'parse5-parser-stream';
import { FileRefused } from '../../../errors.ts';
import type { RawRow } from '../../types.ts';
import { type CellText, isBlankRow, putCell } from './cell-text.ts';
import { attributeOf, hasText, isFlat, isHidden, isStruck, shownText } from './html-cell.ts';
import { addStyles, cellValue, type PageStyles } from './html-value.ts';
import type { MarkupScan, ScanRequest } from './open-markup.ts';
import { createSpans } from './spans.ts';

type Element = DefaultTreeAdapterTypes.Element;

interface OpenTable {
  at: number;
  rowNumber: number;
  spans: ReturnType<typeof createSpans>;
  row: Element | undefined;
  cell: Element | undefined;
  /** The finished cells of the row. */
  cells: { element: Element; value: CellText }[];
  /** The open cell has a table with text in it. */
  nested: boolean;
  filled: boolean;
}

const maxColspan = 1000;
const maxRowspan = 65_534;
const htmlNamespace = 'http://www.w3.org/1999/xhtml';
/** After one of these end tags a table is complete, even without its own end tag. */
const endOfPage = /<\/(?:body|html)\s*>/i;
const tailLength = 2000;

const spanOf = (cell: Element, name: string, most: number): number => {
  const number = Number.parseInt(attributeOf(cell, name) ?? '1', 10);
  return Number.isNaN(number) || number < 0 ? 1 : Math.min(number, most);
};

/**
 * Reads the tables of a web page as a browser forms them: unclosed tags, tables in cells, cells that span columns and rows. Rows are passed
 * on and not kept, so memory does not grow with the table.
 *
 * A table that cannot be read with certainty, because text is outside its cells, cells overlap, or its end is missing,
 * gets a refusal, which counts only if the table is chosen.
 *
 * @see https://html.spec.whatwg.org/multipage/tables.html#forming-a-table
 */
export const scanHtml = ({ onRow, maxColumns, formatter, before }: ScanRequest): MarkupScan => {
  const styles: PageStyles = (before?.styles as PageStyles | undefined) ?? {
    formats: new Map(),
    hidden: new Set(),
    struck: new Set(),
  };
  const tables: MarkupScan['tables'] = [];
  const stack: OpenTable[] = [];
  const fostered = new Set<unknown>();
  let templates = 0;
  let tail = '';

  const refuse = (table: OpenTable, what: string) => {
    tables[table.at]!.refusal ??= new FileRefused(
      'unclear_table',
      `The table of this web page cannot be read with certainty: ${what}. Open the file in a spreadsheet program, check the table, save it as an Excel workbook (.xlsx), and send that file.`,
    );
  };
  const refuseStray = () => {
    const table = stack.at(-1);
    if (table)
      refuse(
        table,
        table.row
          ? `row ${table.rowNumber} has text outside its cells`
          : `it has text outside its cells after row ${table.rowNumber}`,
      );
  };

  const endCell = (table: OpenTable) => {
    const element = table.cell!;
    table.cell = undefined;
    const shown = shownText(element, styles.hidden, styles.struck);
    const isOut = shown.text !== '' && [element, table.row!].some((one) => isStruck(one, styles.struck));
    const value = cellValue(
      element,
      { ...shown, unclear: shown.unclear || table.nested || isOut },
      styles,
      formatter,
    );
    table.filled ||= table.nested || shown.text !== '';
    table.cells.push({ element, value });
    element.childNodes = [];
  };
  const endRow = (table: OpenTable) => {
    const { spans, rowNumber } = table;
    const row: RawRow =
      isHidden(table.row!, styles.hidden) || isFlat(table.row!)
        ? { rowNumber, cells: [], hidden: true }
        : { rowNumber, cells: [] };
    let column = 0;
    for (const { element, value } of table.cells) {
      column = spans.nextFree(column);
      if (column >= maxColumns) break;
      const right = Math.min(column + Math.max(1, spanOf(element, 'colspan', maxColspan)), maxColumns) - 1;
      const rows = spanOf(element, 'rowspan', maxRowspan);
      if (spans.covers(column, right)) refuse(table, `row ${rowNumber} has overlapping cells`);
      putCell(row, column, value);
      if (rows !== 1) {
        const bottom = rows === 0 ? Number.POSITIVE_INFINITY : rowNumber + rows - 1;
        spans.add({ left: column, right, bottom, text: value.text, annotation: value.annotation });
      }
      column = right + 1;
    }
    const parent = table.row!.parentNode;
    if (parent) parent.childNodes = [];
    table.row = undefined;
    table.cells = [];
    if (isBlankRow(row)) return;
    spans.fill(row);
    onRow(table.at, row);
  };

  const opened = (element: Element) => {
    const table = stack.at(-1);
    if (element.tagName === 'template') templates += 1;
    else if (templates > 0 || element.namespaceURI !== htmlNamespace) return;
    else if (element.tagName === 'table') {
      stack.push({
        at: tables.length,
        rowNumber: 0,
        spans: createSpans(),
        row: undefined,
        cell: undefined,
        cells: [],
        nested: false,
        filled: false,
      });
      tables.push({ name: undefined, hidden: false });
    } else if (!table) return;
    else if (element.tagName === 'tr') {
      table.rowNumber += 1;
      table.row = element;
      table.spans.startRow(table.rowNumber);
    } else if (element.tagName === 'td' || element.tagName === 'th') {
      table.cell = element;
      table.nested = false;
    }
  };
  const closed = (element: Element) => {
    const table = stack.at(-1);
    const { tagName } = element;
    if (tagName === 'style')
      addStyles(styles, element.childNodes.map((node) => ('value' in node ? node.value : '')).join(''));
    if (fostered.delete(element) && hasText(element)) refuseStray();
    if (tagName === 'template') templates -= 1;
    if (!table || templates > 0 || element.namespaceURI !== htmlNamespace) return;
    if (element === table.cell) endCell(table);
    else if (element === table.row) endRow(table);
    else if (tagName === 'tbody' || tagName === 'thead' || tagName === 'tfoot') table.spans.clear();
    else if (tagName === 'table') {
      stack.pop();
      const outer = stack.at(-1);
      if (outer) outer.nested ||= table.filled;
    }
  };
  const stream = new ParserStream<DefaultTreeAdapterMap>({
    scriptingEnabled: false,
    treeAdapter: {
      ...defaultTreeAdapter,
      onItemPush: opened,
      onItemPop: closed,
      insertBefore: (parent, node, reference) => {
        fostered.add(node);
        defaultTreeAdapter.insertBefore(parent, node, reference);
      },
      insertTextBefore: (parent, text, reference) => {
        if (text.trim() !== '') refuseStray();
        defaultTreeAdapter.insertTextBefore(parent, text, reference);
      },
    },
  });
  let failure: Error | undefined;
  stream.on('error', (error) => {
    failure = error;
  });
  return {
    tables,
    styles,
    write: (text) => {
      tail = (tail + text).slice(-tailLength);
      stream.write(text);
      if (failure) throw failure;
    },
    end: () => {
      stream.end();
      if (failure) throw failure;
      const complete = endOfPage.test(tail);
      for (let table = stack.pop(); table; table = stack.pop()) {
        if (!complete) {
          refuse(table, `the file ends in the middle of it, in or after row ${table.rowNumber}`);
          continue;
        }
        if (table.cell) endCell(table);
        if (table.row) endRow(table);
        const outer = stack.at(-1);
        if (outer) outer.nested ||= table.filled;
      }
    },
  };
};
