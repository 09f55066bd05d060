import { FileRefused } from '../errors.ts';
import type { FoundHeader } from './columns/find-header.ts';
import { whyNotAlone } from './columns/find-join.ts';
import { findLayout, type LayoutSearch } from './columns/find-layout.ts';
import { given } from './file-mapping.ts';
import type { Layout } from './layouts/layout.ts';
import { decisionOf } from './layouts/layout-words.ts';
import type { FileIdentity } from './made-po-number.ts';
import type { IntakeOptions } from './options.ts';
import { answerColumns, isAnswerHeader, summaryNames } from './own-columns.ts';
import { refuseOtherPo } from './po-labels.ts';
import { findPoNumber } from './po-number-source.ts';
import { listed, quoted } from './quoted.ts';
import { createStateCodes } from './rows/state-names.ts';
import type { Decision, Detection, Table, TableSource } from './types.ts';

/** The table of a file that holds its purchase orders. */
export interface TableToRead {
  at: number;
  table: Table;
  header: FoundHeader;
  /** The account's settings merged with those of the matching layout. */
  options: IntakeOptions;
}

/**
 * The dealer's sheet in a result file of ours that is sent as a purchase file. Our summary sheet may shift its position, so the account's
 * sheet number may not match. Undefined if the workbook has any other sheets.
 */
const sheetOfResult = (tables: Table[]): Table | undefined => {
  const summary = tables.find((table) => (summaryNames as readonly unknown[]).includes(table.name));
  if (tables.length !== 2 || !summary) return undefined;
  return tables.find(
    (table) =>
      table !== summary &&
      table.head.some((row) => row.cells.filter(isAnswerHeader).length >= answerColumns.length),
  );
};

const mostNames = 8;
const listNames = (tables: Table[]) =>
  listed(
    tables.map(({ name }) => quoted(String(name))),
    mostNames,
  );

/** The sheet that the account asks for by name or number. @throws FileRefused `sheet_missing` */
export const askedTable = (tables: Table[], sheet: string | number): Table[] => {
  const asked =
    typeof sheet === 'number'
      ? (sheetOfResult(tables) ?? tables[sheet - 1])
      : tables.find((table) => table.name === sheet);
  if (asked) return [asked];
  throw new FileRefused(
    'sheet_missing',
    `The workbook has no sheet ${JSON.stringify(sheet)}, which the account reads (intake.sheet). It has ${listNames(tables) || 'no sheets'}.`,
  );
};

const hasRows = ({ table, header }: TableToRead) =>
  table.head.some((row) => row.rowNumber > (header.headerRow ?? 0));

/** Cover sheets have few rows with several cells; tables have many. */
const tableRows = (table: Table) =>
  table.head.filter((row) => row.cells.filter((cell) => cell.trim() !== '').length >= 3).length;

/**
 * The sheet that holds the purchase orders: the only one with the needed columns, or the one that the account asks for. Empty sheets are
 * ignored if there are several. Pure.
 *
 * @param file as the command line names it
 * @throws FileRefused `sheet_ambiguous`, `sheet_hidden`, `sheets_not_joined`, `sheet_missing`, `no_rows`, and the codes of `findHeader`
 */
export const chooseTable = (
  source: Pick<TableSource, 'format' | 'tables' | 'combined'>,
  options: IntakeOptions,
  file: string,
): TableToRead => {
  const { tables } = source;
  const asked = options.sheet !== undefined && source.format !== 'csv' && !source.combined;
  const candidates = asked ? askedTable(tables, options.sheet!) : tables;
  const searched = candidates.map((table) => ({ table, ...findLayout(table, options) }));
  const fits = searched.flatMap(({ table, search, options: own }) =>
    search.kind === 'found'
      ? [{ at: tables.indexOf(table), table, header: search.header, options: own }]
      : [],
  );
  const shown = fits.filter(({ table }) => !table.hidden);
  const possible = shown.length > 0 ? shown : fits;
  const filled = possible.filter(hasRows);
  const choices = filled.length > 0 ? filled : possible;
  const [first, second] = choices;
  if (first && second)
    throw new FileRefused(
      'sheet_ambiguous',
      `Several sheets could hold the purchase orders: ${listNames(choices.map((fit) => fit.table))}. Set intake.sheet of the account to one of these names, or send one sheet per file.`,
    );
  if (first?.table.hidden && !asked)
    throw new FileRefused(
      'sheet_hidden',
      `The only sheet that could hold the purchase orders, ${listNames([first.table])}, is hidden, and a hidden sheet is not ordered unseen. If it is the right one, unhide it in a spreadsheet program and save the file, or set intake.sheet of the account to its name.`,
    );
  if (first) {
    const own = first.header.columns.find(({ field }) => field === 'po_number')?.header;
    // Columns that the account maps and sheets that it names are decided.
    const decided = asked || source.combined || (own !== undefined && own in options.columns);
    const why = decided ? undefined : whyNotAlone(first.table, first.header.headerRow, tables, file);
    if (why) throw new FileRefused('sheets_not_joined', why);
    return first;
  }
  const [best] = searched.toSorted(
    (a, b) =>
      matchedOf(b.search) - matchedOf(a.search) ||
      Number(a.table.hidden) - Number(b.table.hidden) ||
      tableRows(b.table) - tableRows(a.table),
  );
  if (!best || best.search.kind === 'found')
    throw new FileRefused('no_rows', 'The workbook has no sheet with rows.');
  const where = best.table.name === undefined ? '' : `Sheet "${best.table.name}": `;
  const others = searched.map(({ table }) => table).filter((table) => table !== best.table);
  // Not intake.sheet: a sheet with only lines may use the row number of another sheet as its PO number.
  const choose =
    others.length === 0
      ? ''
      : ` The file also has ${others.length === 1 ? 'the sheet' : 'the sheets'} ${listNames(others)}.`;
  throw new FileRefused(best.search.code, `${where}${best.search.explain(file)}${choose}`);
};

const matchedOf = (search: LayoutSearch['search']) =>
  search.kind === 'found' ? search.header.matched : search.matched;

const withDecision = (chosen: TableToRead, decision: Decision): TableToRead => ({
  ...chosen,
  header: { ...chosen.header, decisions: [...chosen.header.decisions, decision] },
});

/** Adds the decision about which state names become codes. */
export const withStates = (chosen: TableToRead): TableToRead => {
  const { header, table, options } = chosen;
  const at = header.columns.findIndex(({ field }) => field === 'ship_state');
  if (at < 0) return chosen;
  const codeOf = createStateCodes(options);
  const converted = table.head.flatMap(({ rowNumber, cells }) => {
    const text = (cells[at] ?? '').trim();
    const { code } = codeOf(text);
    return rowNumber > (header.headerRow ?? 0) && code !== text ? [`"${text}" → ${code}`] : [];
  });
  if (converted.length === 0) return chosen;
  return withDecision(chosen, {
    what: 'states',
    decided: 'names to codes',
    why: `set by the account, for example ${[...new Set(converted)].slice(0, 3).join(', ')}`,
    override: 'intake.stateNames',
  });
};

/**
 * Adds the PO number of the whole file as a constant, if no column has it and the account says where it is.
 *
 * @throws FileRefused with the codes of `findPoNumber`
 */
export const withPoNumber = (
  chosen: TableToRead,
  fileName: string,
  combined: TableSource['combined'],
  identity?: FileIdentity,
): TableToRead => {
  const { header, table, options } = chosen;
  if (!options.poNumberFrom || combined?.kind === 'stacked') return chosen;
  if ('typed' in options.poNumberFrom && options.constants.po_number !== undefined) return chosen;
  const own = header.columns.find(({ field }) => field === 'po_number');
  if (own) {
    return withDecision(chosen, {
      what: 'po_number',
      decided: `column "${own.header}"`,
      why: 'the file has this column, so intake.poNumberFrom is not used',
      override: 'intake.columns',
    });
  }
  const firstRow = header.headerRow ?? options.skipRows + 1;
  const rowsAbove = table.head.filter(({ rowNumber }) => rowNumber < firstRow);
  const file = { fileName, sheet: table.name, rowsAbove, identity };
  const { poNumber, decision } = findPoNumber(file, options);
  if (!('cell' in options.poNumberFrom) && !('made' in options.poNumberFrom))
    refuseOtherPo(rowsAbove, poNumber, decision.why);
  const constants = { ...options.constants, po_number: poNumber };
  return withDecision({ ...chosen, options: { ...options, constants } }, decision);
};

/**
 * The table of an earlier reading, whatever the account's present settings.
 *
 * @throws FileRefused `sheet_missing`
 */
export const recordedTable = (
  source: TableSource,
  recorded: Detection,
  account: IntakeOptions,
): TableToRead => {
  const at = source.format === 'csv' ? 0 : source.tables.findIndex((table) => table.name === recorded.sheet);
  const table = source.tables[at];
  if (!table) throw new FileRefused('sheet_missing', `The file no longer has the sheet "${recorded.sheet}".`);
  const { headerRow, columns } = recorded;
  const titleRows = table.head.filter((row) => headerRow !== null && row.rowNumber < headerRow);
  const options = { ...account, skipRows: recorded.skipRows ?? account.skipRows };
  return { at, table, header: { headerRow, columns, titleRows, matched: 0, decisions: [] }, options };
};

/** The detection to store with the import: enough to read the file again in the same way, and each decision with its reason. */
export const detectionOf = (
  source: TableSource,
  { table, header, options }: TableToRead,
  layout?: Layout,
): Detection => ({
  format: source.format,
  ...given({ encoding: source.encoding, doubt: source.doubt, delimiter: source.delimiter }),
  ...given({ quoted: source.quoted, sheet: table.name }),
  headerRow: header.headerRow,
  skipRows: options.skipRows,
  columns: header.columns,
  ...(source.combined ? { combined: source.combined } : {}),
  ...(layout ? { layout: { id: layout.id, name: layout.name, version: layout.version } } : {}),
  decisions: [
    { what: 'format', decided: source.format, why: 'by content', override: undefined },
    ...(layout ? [decisionOf(layout)] : []),
    ...source.decisions,
    ...(table.name === undefined || source.combined
      ? []
      : [
          {
            what: 'sheet' as const,
            decided: table.name,
            why:
              options.sheet !== undefined
                ? table === sheetOfResult(source.tables)
                  ? 'the workbook is a result file of Cartwright'
                  : 'set by the account'
                : source.tables.length === 1
                  ? 'the only sheet'
                  : `the only ${source.tables.some(({ hidden }) => hidden) ? 'visible ' : ''}one of ${source.tables.length} sheets with the required columns`,
            override: 'intake.sheet',
          },
        ]),
    ...header.decisions,
  ],
});
