import { SaxesParser } from 'saxes';
import type { CellAnnotationKind, RawRow } from '../../types.ts';
import type { OpenWorkbook } from './open-xlsx.ts';
import { damaged } from './refused-workbook.ts';
import type { ZipParts } from './zip-parts.ts';

type Mark = Extract<CellAnnotationKind, 'struck' | 'raised'>;

/** Rows from 1, both ends included; columns from 0. */
interface MarkedRows {
  from: number;
  to: number;
  hidden: boolean;
  cells: { from: number; to: number; mark: Mark }[];
}

/** Facts about a sheet in the XML of an ODS workbook that SheetJS does not report. */
interface SheetMarks {
  hidden: boolean;
  /** The rows with marks, in order. */
  rows: MarkedRows[];
  /** Conditional formatting may strike out cells. */
  strikesByCondition: boolean;
}

interface Style {
  parent: string | undefined;
  mark?: Mark | 'none';
  hidden?: boolean;
  /** Styles of conditional formatting. */
  conditional: string[];
}

type Attributes = Record<string, string>;

const count = (text: string | undefined) => Math.max(1, Math.min(Number(text ?? 1) || 1, 1 << 20));

const markOf = (attributes: Attributes): Style['mark'] => {
  const line = attributes['style:text-line-through-style'] ?? attributes['style:text-line-through-type'];
  if (line !== undefined && line !== 'none') return 'struck';
  const position = attributes['style:text-position'];
  if (position !== undefined && !/^0%/.test(position)) return 'raised';
  return line === undefined ? undefined : 'none';
};

/** Parses a part as a stream. Names keep their prefixes, because office programs use the usual ones. */
const parse = async (
  zip: ZipParts,
  part: string,
  on: {
    open(name: string, attributes: Attributes): void;
    close(name: string): void;
    text(text: string): void;
  },
): Promise<void> => {
  const parser = new SaxesParser({ position: false });
  parser.on('error', (error) => {
    throw damaged(`its part ${part} is not well-formed XML`, error);
  });
  parser.on('opentag', (tag) => on.open(tag.name, tag.attributes as Attributes));
  parser.on('closetag', (tag) => on.close(tag.name));
  parser.on('text', on.text);
  for await (const text of zip.pieces(part)) parser.write(text);
  parser.close();
};

/** Reads the styles of a part into `styles`, by family and name. */
const createStyleReader = (styles: Map<string, Style>) => {
  let current: Style | undefined;
  return {
    open: (name: string, attributes: Attributes) => {
      if (name === 'style:style') {
        current = { parent: attributes['style:parent-style-name'], conditional: [] };
        styles.set(`${attributes['style:family']} ${attributes['style:name']}`, current);
      } else if (!current) return;
      else if (name === 'style:text-properties') {
        const mark = markOf(attributes);
        if (mark !== undefined) current.mark = mark;
      } else if (name === 'style:table-properties') current.hidden = attributes['table:display'] === 'false';
      else if (name === 'style:map') current.conditional.push(attributes['style:apply-style-name'] ?? '');
    },
    close: (name: string) => {
      if (name === 'style:style') current = undefined;
    },
  };
};

const createMarks =
  (styles: Map<string, Style>) =>
  (family: string, name: string | undefined): Mark | undefined => {
    let at = name;
    for (let depth = 0; at !== undefined && depth < 20; depth += 1) {
      const style = styles.get(`${family} ${at}`);
      if (style?.mark !== undefined) return style.mark === 'none' ? undefined : style.mark;
      at = style?.parent;
    }
    return undefined;
  };

/**
 * Reads which sheets and rows of an ODS workbook are hidden, and which cells are struck out or have footnotes.
 *
 * @throws FileRefused `damaged_workbook`
 */
export const readOdsMarks = async (zip: ZipParts): Promise<Map<string, SheetMarks>> => {
  const styles = new Map<string, Style>();
  const reader = createStyleReader(styles);
  const markByStyle = createMarks(styles);
  if (zip.has('styles.xml')) await parse(zip, 'styles.xml', { ...reader, text: () => {} });
  const sheets = new Map<string, SheetMarks>();
  let sheet: SheetMarks | undefined;
  let depth = 0;
  let row: MarkedRows | undefined;
  let rowStyle: string | undefined;
  let nextRow = 1;
  let nextColumn = 0;
  let columns: { to: number; style: string | undefined }[] = [];
  let cell: MarkedRows['cells'][number] | undefined;
  let cellMark: Mark | undefined;
  let notes = 0;
  const spans: (Mark | undefined)[] = [];

  const openCell = (attributes: Attributes) => {
    const to = nextColumn + count(attributes['table:number-columns-repeated']) - 1;
    const style =
      attributes['table:style-name'] ?? rowStyle ?? columns.find((column) => nextColumn <= column.to)?.style;
    cellMark = markByStyle('table-cell', style);
    cell = { from: nextColumn, to, mark: cellMark ?? 'struck' };
    nextColumn = to + 1;
    const conditional = styles.get(`table-cell ${style}`)?.conditional ?? [];
    if (conditional.some((name) => markByStyle('table-cell', name) === 'struck'))
      sheet!.strikesByCondition = true;
  };
  const open = (name: string, attributes: Attributes) => {
    reader.open(name, attributes);
    if (name === 'table:table') {
      depth += 1;
      if (depth > 1) return;
      const { hidden = false } = styles.get(`table ${attributes['table:style-name']}`) ?? {};
      sheet = { hidden, rows: [], strikesByCondition: false };
      sheets.set(attributes['table:name'] ?? '', sheet);
      nextRow = 1;
      columns = [];
    } else if (!sheet || depth > 1) return;
    else if (name === 'office:annotation') notes += 1;
    else if (name === 'table:table-column')
      columns.push({
        to: (columns.at(-1)?.to ?? -1) + count(attributes['table:number-columns-repeated']),
        style: attributes['table:default-cell-style-name'],
      });
    else if (name === 'table:table-row') {
      const visibility = attributes['table:visibility'];
      const to = nextRow + count(attributes['table:number-rows-repeated']) - 1;
      const hidden = visibility !== undefined && visibility !== 'visible';
      row = { from: nextRow, to, hidden, cells: [] };
      rowStyle = attributes['table:default-cell-style-name'];
      nextRow = to + 1;
      nextColumn = 0;
    } else if (row && (name === 'table:table-cell' || name === 'table:covered-table-cell'))
      openCell(attributes);
    else if (cell && name === 'text:span') spans.push(markByStyle('text', attributes['text:style-name']));
  };
  const text = (more: string) => {
    if (cell && notes === 0 && more.trim() !== '') cellMark ??= spans.find((mark) => mark !== undefined);
  };
  const close = (name: string) => {
    reader.close(name);
    if (name === 'table:table') {
      depth -= 1;
      if (depth === 0) sheet = undefined;
    } else if (!sheet || depth > 1) return;
    else if (name === 'office:annotation') notes -= 1;
    else if (name === 'text:span') spans.pop();
    else if (cell && (name === 'table:table-cell' || name === 'table:covered-table-cell')) {
      if (cellMark !== undefined) row!.cells.push({ ...cell, mark: cellMark });
      cell = undefined;
    } else if (row && name === 'table:table-row') {
      if (row.hidden || row.cells.length > 0) sheet.rows.push(row);
      row = undefined;
    }
  };
  await parse(zip, 'content.xml', { open, close, text });
  return sheets;
};

const marked = (row: RawRow, { hidden, cells }: MarkedRows): RawRow => {
  const found = cells.flatMap(({ from, to, mark }) =>
    row.cells.flatMap((text, column) =>
      column >= from && column <= to && text.trim() !== '' ? [{ column, kind: mark }] : [],
    ),
  );
  const others = (row.annotations ?? []).filter(({ column }) => found.every((one) => one.column !== column));
  const annotations = [...others, ...found];
  return {
    ...row,
    ...(hidden ? { hidden: true as const } : {}),
    ...(annotations.length > 0 ? { annotations } : {}),
  };
};

/** Adds the marks of the XML to the rows of a sheet. Rows must come in order. */
const createMarking = (rows: readonly MarkedRows[]) => {
  let next = 0;
  return (row: RawRow): RawRow => {
    while (next < rows.length && rows[next]!.to < row.rowNumber) next += 1;
    const here = rows[next];
    return here && here.from <= row.rowNumber ? marked(row, here) : row;
  };
};

/** A workbook with the marks of its XML added to sheets, rows and cells. */
export const withOdsMarks = (
  workbook: OpenWorkbook,
  marks: ReadonlyMap<string, SheetMarks>,
): OpenWorkbook => {
  const of = (at: number) => marks.get(workbook.tables[at]!.name ?? '');
  async function* rows(at: number): AsyncGenerator<RawRow[]> {
    const mark = createMarking(of(at)?.rows ?? []);
    for await (const batch of workbook.rows(at)) yield batch.map(mark);
  }
  return {
    ...workbook,
    rows,
    tables: workbook.tables.map((table, at) => ({
      ...table,
      hidden: table.hidden || of(at)?.hidden === true,
      head: table.head.map(createMarking(of(at)?.rows ?? [])),
      ...(of(at)?.strikesByCondition ? { unseenStrike: 'condition' as const } : {}),
    })),
  };
};
