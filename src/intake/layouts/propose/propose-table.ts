import type { CodeLists } from '../../../contract/carts.ts';
import {
  type FieldName,
  fieldOfHeader,
  headerKey,
  requiredFields,
  requiredInFile,
} from '../../columns/fields.ts';
import { knownColumns, neededFields } from '../../columns/find-doubts.ts';
import { findHeader } from '../../columns/find-header.ts';
import { headerTexts } from '../../columns/header-rows.ts';
import { columnsByPosition, matchHeader } from '../../columns/match-header.ts';
import { namesBelow, otherQuantityAbove } from '../../columns/two-row-header.ts';
import { weighColumns } from '../../columns/weigh-columns.ts';
import type { IntakeOptions } from '../../options.ts';
import { withoutNames } from '../../rows/item-codes.ts';
import { createStateCodes } from '../../rows/state-names.ts';
import { canHoldNumbers, type RawRow, type Table, type TableSource } from '../../types.ts';
import { guessDecimal } from './guess-decimal.ts';
import { proposePoSource } from './propose-po-source.ts';
import type { Proposed, ProposedColumn, ProposedSettings } from './proposed-map.ts';
import { sampleLines } from './sample-lines.ts';
import { bareName, weighBare } from './weigh-bare.ts';

/** A table with its header row, if it has one. */
export interface Headed {
  table: Table;
  header: RawRow | undefined;
}

const byAccount = 'set by the account';
const valueCount = 3;

/** The headers of a table; `column 3` for a column without one. */
const headersOf = ({ table, header }: Headed, width: number, options: IntakeOptions): string[] =>
  (header ? headerTexts(table.head, header, options) : Array.from({ length: width }, () => '')).map(
    (cell, at) => {
      const text = cell.replace(/^\ufeff/, '').trim();
      return text === '' ? bareName(at) : text;
    },
  );

/** The account's mapping of columns by position. Its headers (`PO`, `No`) are not column letters. */
const knownPositions = (width: number, options: IntakeOptions): Map<number, FieldName | null> => {
  const own = Object.entries(options.columns);
  const columns =
    options.header === 'none'
      ? options.columns
      : Object.fromEntries(own.filter(([name]) => /^column \d+$/.test(name)));
  const { columns: mapped } = columnsByPosition(width, { ...options, columns });
  return new Map(mapped.flatMap(({ field }, at) => (field === null ? [] : [[at, field] as const])));
};

const isBlank = (row: RawRow, column: number): boolean => (row.cells[column] ?? '').trim() === '';

/**
 * Whether rows without a PO number continue the PO above: their other PO-level cells are blank as well. If the number is missing by
 * mistake, the other cells of the row are filled.
 */
const areContinued = (rows: readonly RawRow[], po: number, item: number): boolean => {
  const lines = rows.filter((row) => !isBlank(row, item));
  const first = lines.filter((row) => !isBlank(row, po));
  const further = lines.filter((row) => isBlank(row, po));
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  return (
    further.length > 0 &&
    !isBlank(rows[0]!, po) &&
    Array.from({ length: width }, (_, at) => at).some(
      (at) =>
        at !== po && first.every((row) => !isBlank(row, at)) && further.every((row) => isBlank(row, at)),
    )
  );
};

/** The proposal for one table. Pure. */
export const proposeTable = (
  headed: Headed,
  options: IntakeOptions,
  lists: CodeLists,
  { fileName, source }: { fileName: string; source: TableSource },
): Proposed => {
  const { table, header } = headed;
  const above = header?.rowNumber ?? options.skipRows;
  const rows = table.head.filter((row) => row.rowNumber > above);
  const cells = rows.map((row) => row.cells);
  const headers = headersOf(headed, Math.max(0, ...cells.map((row) => row.length)), options);
  const known = header ? knownColumns(headers, options) : knownPositions(headers.length, options);
  const needed = neededFields(known, options);
  const weighed = header ? weighColumns(headers, cells, known, needed) : weighBare(cells, known, needed);
  const times = new Map<string, number>();
  for (const name of headers) times.set(headerKey(name), (times.get(headerKey(name)) ?? 0) + 1);
  const { doubts } = weighed;
  const found = weighed.columns.filter(({ column, field }) => {
    if (times.get(headerKey(headers[column]!)) === 1) return true;
    const required = requiredFields.find((one) => one === field);
    if (required)
      doubts[required] = `several columns are named "${headers[column]}"; give them different names`;
    return false;
  });
  const columns = headers.map((name, at): ProposedColumn => {
    const values = rows
      .map((row) => row.cells[at] ?? '')
      .filter((value) => value.trim() !== '')
      .slice(0, valueCount);
    const field = known.get(at);
    const one = field ? { field, why: byAccount, certain: true } : found.find(({ column }) => column === at);
    return { header: name, field: one?.field ?? null, why: one?.why, certain: one?.certain ?? true, values };
  });
  const has = new Set(columns.map(({ field }) => field));
  const missing = new Set(requiredInFile.filter((names) => !names.some((one) => has.has(one))).flat());
  const map: Record<string, FieldName | 'ignore'> = {};
  for (const [at, { header: name, field }] of columns.entries()) {
    if (known.has(at) || times.get(headerKey(name))! > 1) continue;
    const usual = fieldOfHeader(name) ?? null;
    // A doubtful recognised name is read only once the account maps it. If the person still has to choose a column for the field, the
    // doubtful one must not be ignored.
    const isMissing = field === null && usual !== null && missing.has(usual);
    if (!isMissing && (usual !== field || !columns[at]!.certain)) map[name] = field ?? 'ignore';
  }
  const settings: ProposedSettings = header ? {} : { header: 'none' };
  const at = (field: FieldName) => columns.findIndex((column) => column.field === field);
  const numeric = [at('quantity'), at('expected_price')].filter((one) => one >= 0);
  const decimal = options.decimal ?? guessDecimal(headers, rows, numeric, !canHoldNumbers(source.format));
  if (options.decimal === undefined && decimal) settings.decimal = decimal;
  const [po, item] = [at('po_number'), Math.max(at('item_sku'), at('item_id'))];
  const continues =
    po >= 0 && item >= 0 && source.combined?.kind !== 'joined' && areContinued(rows, po, item);
  if (continues && !options.continuationRows) settings.continuationRows = true;
  const items = item < 0 ? [] : rows.map((row) => row.cells[item] ?? '');
  if (!options.itemInBrackets && withoutNames(items) !== items) settings.itemInBrackets = true;
  const state = at('ship_state');
  const codeOf = createStateCodes(options);
  if (rows.some((row) => codeOf((row.cells[state] ?? '').trim()).advised !== undefined))
    settings.stateNames = 'convert';
  const rowsAbove = table.head.filter((row) => row.rowNumber < (header?.rowNumber ?? above + 1));
  const poSource =
    needed.has('po_number') && po < 0
      ? proposePoSource({ fileName, sheet: table.name, rowsAbove }, options)
      : undefined;
  if (poSource && !options.poNumberFrom) settings.poNumberFrom = poSource.from;
  const constants = { ...options.constants, ...(poSource && { po_number: poSource.poNumber }) };
  const asProposed = { ...options, ...settings, constants };
  return {
    kind: 'proposed',
    sheet: table.name,
    headerRow: header?.rowNumber ?? null,
    columns,
    map,
    settings,
    poSource,
    missing: requiredFields.filter(
      (field) => needed.has(field) && doubts[field] !== undefined && !(field === 'po_number' && poSource),
    ),
    doubts,
    candidates: Object.fromEntries(
      Object.entries(weighed.candidates).map(([field, found]) => [
        field,
        found.map((one) => headers[one]!).filter((name) => times.get(headerKey(name)) === 1),
      ]),
    ),
    samples: sampleLines(rows, { columns, format: source.format }, asProposed, lists),
    decisions: source.decisions,
  };
};

/** Two or more names, or one that starts further right than a title. */
const hasGroups = ({ cells }: RawRow): boolean => {
  const named = cells.flatMap((cell, at) => (/\p{L}/u.test(cell) ? [at] : []));
  return named.length >= 2 || (named[0] ?? 0) > 0;
};

/**
 * The proposal for a two-row header, if the lower row alone names too little or the wrong quantity and both together name everything; or if
 * the row below a header is part of it.
 */
export const proposeTwoRows = (
  { table, header }: { table: Table; header: RawRow },
  options: IntakeOptions,
  lists: CodeLists,
  file: { fileName: string; source: TableSource },
): Proposed => {
  const propose = (row: RawRow, own: IntakeOptions) => proposeTable({ table, header: row }, own, lists, file);
  const setting = options.headerRows === 2 ? {} : ({ headerRows: 2 } as const);
  const both: IntakeOptions = { ...options, headerRows: 2 };
  const { columns: matched } = matchHeader(headerTexts(table.head, header, options), options);
  const lower = namesBelow(table.head, header, matched);
  if (lower) {
    const two = propose(lower, both);
    // A header that an import recognises needs no setting.
    const isRead = findHeader(table, options).kind === 'found';
    return isRead ? two : { ...two, settings: { ...two.settings, ...setting } };
  }
  const one = propose(header, options);
  const above = table.head.find(({ rowNumber }) => rowNumber === header.rowNumber - 1);
  if (options.headerRows === 2 || !above || !hasGroups(above)) return one;
  const wrong = otherQuantityAbove(table.head, header, matched, options) !== undefined;
  if (one.missing.length === 0 && !wrong) return one;
  const two = propose(header, both);
  if (two.missing.length > 0 && !wrong) return one;
  // The upper row may be a title, so a person must agree.
  const columns = two.columns.map((column) => ({
    ...column,
    certain:
      column.certain && (column.why === byAccount || !requiredFields.some((field) => field === column.field)),
  }));
  const doubtful = columns.flatMap(({ header, field, certain }) =>
    field && !certain ? [[header, field] as const] : [],
  );
  const map = { ...two.map, ...Object.fromEntries(doubtful) };
  return { ...two, columns, map, settings: { ...two.settings, ...setting } };
};
