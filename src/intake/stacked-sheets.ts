import { FileRefused } from '../errors.ts';
import { headerKey } from './columns/fields.ts';
import { findLayout } from './columns/find-layout.ts';
import { afterCells, besideTables } from './join-rows.ts';
import type { IntakeOptions } from './options.ts';
import { refuseOtherPo } from './po-labels.ts';
import { findPoNumber } from './po-number-source.ts';
import { listed } from './quoted.ts';
import { type Combined, headRows, type RawRow, type Table, type TableSource } from './types.ts';

type Stacked = Extract<Combined, { kind: 'stacked' }>;

const override = 'intake.poNumberFrom';
const quote = (text: string) => `"${text}"`;

/** The header of the added column with the sheets' PO numbers. */
const poHeader = 'PO Number';

const headerOf = (table: Table, headerRow: number): string[] =>
  table.head.find(({ rowNumber }) => rowNumber === headerRow)!.cells;

const keysOf = (cells: readonly string[]): string => cells.map(headerKey).join('\t').trimEnd();

/**
 * The sheets that hold orders, if the PO number is the name of the sheet and there are several of them.
 *
 * @throws FileRefused `sheets_differ`, `po_number_ambiguous`, and the codes of `findPoNumber`
 */
const stackFor = (source: TableSource, account: IntakeOptions): Stacked | undefined => {
  if (source.format === 'csv' || account.sheet !== undefined) return undefined;
  const fits = source.tables.flatMap((table) => {
    const { search, options } = findLayout(table, account);
    if (search.kind !== 'found' || table.hidden || search.header.headerRow === null) return [];
    const { headerRow, columns } = search.header;
    const from = options.poNumberFrom;
    const named = from && 'sheetName' in from && !columns.some(({ field }) => field === 'po_number');
    const filled = table.head.some((row) => row.rowNumber > headerRow);
    return named && filled ? [{ table, headerRow, options }] : [];
  });
  const [first] = fits;
  if (!first || fits.length < 2) return undefined;
  const sheets = fits.map(({ table, headerRow, options }) => {
    const { poNumber, decision } = findPoNumber({ fileName: '', sheet: table.name, rowsAbove: [] }, options);
    const rowsAbove = table.head.filter(({ rowNumber }) => rowNumber < headerRow);
    refuseOtherPo(rowsAbove, poNumber, decision.why);
    return { name: table.name!, headerRow, poNumber };
  });
  const columns = keysOf(headerOf(first.table, first.headerRow));
  const other = fits.find(({ table, headerRow }) => keysOf(headerOf(table, headerRow)) !== columns);
  if (other)
    throw new FileRefused(
      'sheets_differ',
      `Each sheet is a PO (${override}), but the columns of sheet ${quote(other.table.name!)} are not those of sheet ${quote(first.table.name!)}. Give all sheets the same columns in the same order, or send one sheet per file.`,
    );
  for (const [at, sheet] of sheets.entries()) {
    const before = sheets.findIndex(({ poNumber }) => poNumber === sheet.poNumber);
    if (before === at) continue;
    throw new FileRefused(
      'po_number_ambiguous',
      `Sheets ${quote(sheets[before]!.name)} and ${quote(sheet.name)} would both be PO ${sheet.poNumber} (${override}). Rename one of them, or put all lines of the PO into one sheet.`,
    );
  }
  return { kind: 'stacked', sheets };
};

/**
 * Stacks several sheets of orders, each named after its PO, into one table with the PO number as its first column. The rows of the first
 * sheet keep their numbers; those of the others follow and carry their place in the file, because a line is identified by its import and
 * row number. Without several such sheets, the source is returned unchanged. The new head may be shorter than that of one table.
 *
 * @param recorded the sheets of an earlier reading of the file
 * @throws FileRefused `sheets_differ`, `po_number_ambiguous`, `sheet_missing`, and the codes of `findPoNumber`
 */
export const stackSheets = (source: TableSource, options: IntakeOptions, recorded?: Stacked): TableSource => {
  const stack = recorded ?? stackFor(source, options);
  if (!stack) return source;
  const parts = stack.sheets.map((sheet) => {
    const at = source.tables.findIndex(({ name }) => name === sheet.name);
    const table = source.tables[at];
    if (!table)
      throw new FileRefused('sheet_missing', `The file no longer has the sheet ${quote(sheet.name)}.`);
    return { ...sheet, at, table };
  });
  const [first] = parts as [(typeof parts)[number]];
  const place = (part: (typeof parts)[number], row: RawRow, above: number): RawRow | undefined => {
    const { headerRow, name } = part;
    const cell = row.rowNumber > headerRow ? part.poNumber : row.rowNumber === headerRow ? poHeader : '';
    const placed = afterCells(row, { cells: [cell] }, 1);
    if (part === first) return placed;
    if (row.rowNumber <= headerRow) return undefined;
    const from = `Sheet ${quote(name)}, row ${row.rowNumber}`;
    return { ...placed, rowNumber: above + row.rowNumber - headerRow, from };
  };
  const placeAll = (part: (typeof parts)[number], batch: readonly RawRow[], above: number) =>
    batch.flatMap((row) => place(part, row, above) ?? []);

  const head: RawRow[] = [];
  for (const part of parts) {
    head.push(...placeAll(part, part.table.head, head.at(-1)?.rowNumber ?? 0));
    // The next row number is known only if this is the whole sheet.
    if (part.table.head.length >= headRows) break;
  }

  async function* rows(): AsyncGenerator<RawRow[]> {
    let last = 0;
    for (const part of parts) {
      const above = last;
      for await (const batch of source.rows(part.at)) {
        const placed = placeAll(part, batch, above);
        last = placed.at(-1)?.rowNumber ?? last;
        if (placed.length > 0) yield placed;
      }
    }
  }
  const { shapes, ...table } = first.table;
  const named = stack.sheets.map(({ name, poNumber }) => `${poNumber} from ${quote(name)}`);
  return {
    ...source,
    combined: stack,
    beside: besideTables(source, parts.slice(1), [first.table]),
    decisions: [
      ...source.decisions,
      {
        what: 'po_number',
        decided: `each of ${stack.sheets.length} sheets is a PO`,
        why: `by their names: ${listed(named, 8)}; the rows are counted on from sheet to sheet`,
        override,
      },
    ],
    tables: [{ ...table, head: head.slice(0, headRows), ...(shapes ? { shapes: [{}, ...shapes] } : {}) }],
    rows,
  };
};
