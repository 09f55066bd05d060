import type { CodeLists } from '../../contract/carts.ts';
import { FileRefused } from '../../errors.ts';
import { askedTable } from '../chosen-table.ts';
import { withoutKeys } from '../joined-tables.ts';
import type { IntakeOptions } from '../options.ts';
import { openSource } from '../read-purchase-file.ts';
import { withoutNames } from '../rows/item-codes.ts';
import { createStateCodes } from '../rows/state-names.ts';
import { canHoldNumbers, type Decision, type RawRow, type TableSource } from '../types.ts';
import { type Chosen, chooseHeader } from './choose-header.ts';
import { type FieldName, fieldOfHeader, headerKey } from './fields.ts';
import { knownColumns, neededFields } from './find-doubts.ts';
import { howToNumber } from './find-header.ts';
import { guessDecimal } from './guess-decimal.ts';
import { headerTexts } from './header-rows.ts';
import { withoutItemAttributes } from './item-attributes.ts';
import type { VitalField } from './name-ranks.ts';
import { type ProposedPoSource, proposePoSource } from './propose-po-source.ts';
import { type SampleRow, sampleLines } from './sample-lines.ts';
import { weighColumns } from './weigh-columns.ts';

export interface ProposedColumn {
  header: string;
  field: FieldName | null;
  /** Why it holds this field, as a phrase for a person; undefined without a field. */
  why: string | undefined;
  /** False when a person has to confirm the field. True for a column without a field. */
  certain: boolean;
  /** The first few values. */
  values: string[];
}

/** Settings of `intake` that such files need besides the columns. */
export interface ProposedSettings {
  decimal?: 'comma' | 'point';
  continuationRows?: true;
  itemInBrackets?: true;
  headerRows?: 2;
  stateNames?: 'convert';
  poNumberFrom?: ProposedPoSource['from'];
}

export type ProposedMap =
  | {
      kind: 'proposed';
      sheet: string | undefined;
      headerRow: number;
      columns: ProposedColumn[];
      /** The entries that `intake.columns` of the account needs; headers that are recognised need none. */
      map: Record<string, FieldName | 'ignore'>;
      settings: ProposedSettings;
      /** Where the PO number of the whole file is, if no column has it. */
      poSource: ProposedPoSource | undefined;
      /** Vital fields that were not found. */
      missing: VitalField[];
      /** For each of them what was seen, and why it was not taken. */
      doubts: Partial<Record<VitalField, string>>;
      /** For each of them the headers that a person may have meant, the likeliest first. */
      candidates: Partial<Record<VitalField, string[]>>;
      samples: SampleRow[];
      decisions: Decision[];
    }
  | { kind: 'refused'; code: string; message: string };

type Proposed = Extract<ProposedMap, { kind: 'proposed' }>;

const byAccount = 'set by the account';
const valueCount = 3;
const vitalFields: readonly VitalField[] = ['po_number', 'item_sku', 'quantity'];

const proposeTable = (
  { table, header }: Chosen,
  options: IntakeOptions,
  lists: CodeLists,
  { fileName, source }: { fileName: string; source: TableSource },
): Proposed => {
  const inSheet = source.format !== 'csv';
  const cellsAreNumbers = canHoldNumbers(source.format);
  const rows = table.head.filter((row) => row.rowNumber > header.rowNumber);
  const headers = headerTexts(table.head, header, options).map((cell, at) => {
    const text = cell.replace(/^\ufeff/, '').trim();
    return text === '' ? `column ${at + 1}` : text;
  });
  const known = knownColumns(headers, options);
  const needed = neededFields(known, options);
  const weighed = weighColumns(
    headers,
    rows.map((row) => row.cells),
    known,
    needed,
  );
  const times = new Map<string, number>();
  for (const name of headers) times.set(headerKey(name), (times.get(headerKey(name)) ?? 0) + 1);
  const { doubts } = weighed;
  const found = weighed.columns.filter(({ column, field }) => {
    if (times.get(headerKey(headers[column]!)) === 1) return true;
    const vital = vitalFields.find((one) => one === field);
    if (vital) doubts[vital] = `several columns are named "${headers[column]}"; give them different names`;
    return false;
  });
  const proposed = headers.map((name, at): ProposedColumn => {
    const values = rows
      .map((row) => row.cells[at] ?? '')
      .filter((value) => value.trim() !== '')
      .slice(0, valueCount);
    const own = known.get(at);
    if (own) return { header: name, field: own, why: byAccount, certain: true, values };
    const one = found.find(({ column }) => column === at);
    if (!one) return { header: name, field: null, why: undefined, certain: true, values };
    return { header: name, field: one.field, why: one.why, certain: one.certain, values };
  });
  // What an import does not read is not shown as read.
  const read = withoutItemAttributes(proposed, rows, options, lists).columns;
  const columns = proposed.map(
    (column, at): ProposedColumn =>
      read[at]!.field === column.field ? column : { ...column, field: null, why: undefined, certain: true },
  );
  const map: Record<string, FieldName | 'ignore'> = {};
  for (const [at, { header: name, field }] of columns.entries()) {
    if (known.has(at) || proposed[at]!.field !== field || times.get(headerKey(name))! > 1) continue;
    const usual = fieldOfHeader(name) ?? null;
    // A recognised name that is in doubt is read only once the account maps it.
    if (usual !== field || !columns[at]!.certain) map[name] = field ?? 'ignore';
  }
  const settings: ProposedSettings = {};
  const at = (field: FieldName) => columns.findIndex((column) => column.field === field);
  const numeric = [at('quantity'), at('expected_price')].filter((one) => one >= 0);
  const decimal = options.decimal ?? guessDecimal(headers, rows, numeric, !cellsAreNumbers);
  if (options.decimal === undefined && decimal) settings.decimal = decimal;
  const [po, item] = [at('po_number'), Math.max(at('item_sku'), at('item_id'))];
  const blank = (row: RawRow, column: number) => (row.cells[column] ?? '').trim() === '';
  const continues =
    po >= 0 &&
    item >= 0 &&
    rows.length > 0 &&
    !blank(rows[0]!, po) &&
    rows.some((row) => blank(row, po) && !blank(row, item));
  if (continues && !options.continuationRows) settings.continuationRows = true;
  const items = item < 0 ? [] : rows.map((row) => row.cells[item] ?? '');
  if (!options.itemInBrackets && withoutNames(items) !== items) settings.itemInBrackets = true;
  const state = at('ship_state');
  const codeOf = createStateCodes(options);
  if (rows.some((row) => codeOf((row.cells[state] ?? '').trim()).advised !== undefined))
    settings.stateNames = 'convert';
  const rowsAbove = table.head.filter((row) => row.rowNumber < header.rowNumber);
  const poSource =
    needed.has('po_number') && po < 0
      ? proposePoSource({ fileName, sheet: table.name, rowsAbove, inSheet }, options, lists)
      : undefined;
  if (poSource && !options.poNumberFrom) settings.poNumberFrom = poSource.from;
  const constants = { ...options.constants, ...(poSource && { po_number: poSource.poNumber }) };
  return {
    kind: 'proposed',
    sheet: table.name,
    headerRow: header.rowNumber,
    columns,
    map,
    settings,
    poSource,
    missing: vitalFields.filter(
      (field) => needed.has(field) && doubts[field] !== undefined && !(field === 'po_number' && poSource),
    ),
    doubts,
    candidates: Object.fromEntries(
      Object.entries(weighed.candidates).map(([field, found]) => [
        field,
        found.map((one) => headers[one]!).filter((name) => times.get(headerKey(name)) === 1),
      ]),
    ),
    samples: sampleLines(rows, columns, { ...options, ...settings, constants }, lists, cellsAreNumbers),
    decisions: source.decisions,
  };
};

/** The proposal for a header of two rows, if the lower one alone names too little and both together name everything. */
const proposeTwoRows = (
  chosen: Chosen,
  one: Proposed,
  options: IntakeOptions,
  propose: (options: IntakeOptions) => Proposed,
): Proposed => {
  const above = chosen.table.head.find(({ rowNumber }) => rowNumber === chosen.header.rowNumber - 1);
  const groups = above?.cells.filter((cell) => /\p{L}/u.test(cell)).length ?? 0;
  if (one.missing.length === 0 || options.headerRows === 2 || groups < 2) return one;
  const two = propose({ ...options, headerRows: 2 });
  if (two.missing.length > 0) return one;
  // The row above may be a title, so a person has to agree.
  const columns = two.columns.map((column) => ({
    ...column,
    certain:
      column.certain && (column.why === byAccount || !vitalFields.some((field) => field === column.field)),
  }));
  const doubtful = columns.flatMap(({ header, field, certain }) =>
    field && !certain ? [[header, field] as const] : [],
  );
  const map = { ...two.map, ...Object.fromEntries(doubtful) };
  return { ...two, columns, map, settings: { ...two.settings, headerRows: 2 } };
};

/**
 * Proposes which column holds which field, by the names and the values of the columns together, with the settings that such
 * files need and the first lines as they would be ordered. What is not certain is marked, and what is too doubtful is not
 * proposed but explained. Writes and sends nothing.
 *
 * @see docs/decisions/026-column-evidence.md
 */
export const proposeMap = async (request: {
  path: string;
  fileName: string;
  options: IntakeOptions;
  codeLists: CodeLists;
  signal?: AbortSignal;
}): Promise<ProposedMap> => {
  try {
    const source = await openSource(request);
    const options = withoutKeys(source, request.options);
    try {
      const inSheet = source.format !== 'csv';
      const tables =
        options.sheet !== undefined && inSheet && !source.combined
          ? askedTable(source.tables, options.sheet)
          : source.tables;
      if (tables.every((table) => table.head.length === 0))
        throw new FileRefused('no_rows', 'The file has no rows.');
      const best = tables
        .flatMap((table) => chooseHeader(table, options) ?? [])
        .toSorted((a, b) => Number(a.table.hidden) - Number(b.table.hidden) || b.score - a.score)[0];
      if (!best)
        throw new FileRefused(
          'no_header',
          `No row was found that looks like a header: none names a PO number, an item or a quantity. If the file has no header, set intake.header of the account to none and map its columns by number in intake.columns${howToNumber(tables.find(({ head }) => head.length > 0)!.head)}`,
        );
      const { fileName, codeLists } = request;
      const propose = (own: IntakeOptions) => proposeTable(best, own, codeLists, { fileName, source });
      return proposeTwoRows(best, propose(options), options, propose);
    } finally {
      source.close();
    }
  } catch (error) {
    if (error instanceof FileRefused) return { kind: 'refused', code: error.code, message: error.message };
    throw error;
  }
};
