import type { CodeLists } from '../../contract/carts.ts';
import { FileRefused } from '../../errors.ts';
import type { IntakeOptions } from '../options.ts';
import { askedTable, openSource } from '../read-purchase-file.ts';
import { createRowCheck } from '../rows/check-row.ts';
import type { Decision, DetectedColumn, RawRow, RowIssue, Table } from '../types.ts';
import type { FieldName } from './fields.ts';
import { guessColumns } from './guess-columns.ts';
import { matchHeader } from './match-header.ts';

export interface ProposedColumn {
  header: string;
  field: FieldName | null;
  /** Why it holds this field, as a phrase for a person; undefined without a field. */
  why: string | undefined;
  /** `header`: needs no entry in the configuration. `content`: a guess that a person must confirm. */
  by: 'header' | 'content' | undefined;
  /** The first few values. */
  values: string[];
}

export interface SampleRow {
  rowNumber: number;
  /** What the service would receive, by API names (spec 2.1 and 2.3). */
  cart: Record<string, string | boolean>;
  item: Record<string, string | number>;
  issues: RowIssue[];
}

export type ProposedMap =
  | {
      kind: 'proposed';
      sheet: string | undefined;
      headerRow: number;
      columns: ProposedColumn[];
      /** The entries that `intake.columns` of the account needs; headers that are recognised need none. */
      map: Record<string, FieldName | 'ignore'>;
      /** Required fields for which no column was found. */
      missing: string[];
      samples: SampleRow[];
      decisions: Decision[];
    }
  | { kind: 'refused'; code: string; message: string };

const sampleRows = 5;
const valueCount = 3;
const looksLikeHeader = (row: RawRow) => {
  const filled = row.cells.filter((cell) => cell.trim() !== '');
  return filled.length >= 2 && filled.every((cell) => /\p{L}/u.test(cell) && cell.length <= 60);
};

/** The row with the most recognised fields; without any, the first row that has words in all its cells. */
const headerOf = (table: Table, options: IntakeOptions) => {
  const rows = table.head.filter((row) => row.rowNumber > options.skipRows);
  const ranked = rows
    .map((row) => ({ row, match: matchHeader(row.cells, options) }))
    .toSorted((a, b) => b.match.matched - a.match.matched || a.row.rowNumber - b.row.rowNumber);
  const best = ranked[0];
  if (!best) return undefined;
  return best.match.matched > 0 ? best : (ranked.find(({ row }) => looksLikeHeader(row)) ?? best);
};

const sample = (
  rows: RawRow[],
  columns: DetectedColumn[],
  options: IntakeOptions,
  lists: CodeLists,
  inSheet: boolean,
): SampleRow[] => {
  const { check, optionDefaults } = createRowCheck(columns, options, lists, inSheet);
  return rows.slice(0, sampleRows).map((raw) => {
    const { row, issues } = check(raw);
    const cart = { po_number: row.poNumber, ...optionDefaults, ...JSON.parse(row.options) };
    const item = { item_sku: row.itemSku, item_id: row.itemId, quantity: row.quantity, note: row.note };
    const given = <T>(values: object) =>
      Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
    return { rowNumber: raw.rowNumber, cart: given(cart), item: given(item), issues };
  });
};

/**
 * Proposes which column holds which field: by header text, and for required fields also by the values. Includes sample
 * rows as the service would receive them. Writes and sends nothing; a person confirms the proposal.
 */
export const proposeMap = async (request: {
  path: string;
  fileName: string;
  options: IntakeOptions;
  codeLists: CodeLists;
  signal?: AbortSignal;
}): Promise<ProposedMap> => {
  const { options } = request;
  try {
    const source = await openSource(request);
    try {
      const asked = options.sheet !== undefined && source.format !== 'csv';
      const candidates = (asked ? askedTable(source.tables, options.sheet!) : source.tables)
        .flatMap((table) => {
          const header = headerOf(table, options);
          return header ? [{ table, ...header }] : [];
        })
        .toSorted((a, b) => b.match.matched - a.match.matched);
      const best = candidates[0];
      if (!best) throw new FileRefused('no_rows', 'The file has no rows.');
      const { table, row: header, match } = best;
      const rows = table.head.filter((row) => row.rowNumber > header.rowNumber);
      // Of two columns for one field the first is proposed; the person sees both and may choose the other.
      const seen = new Set<FieldName>();
      const detected = match.columns.map((column): DetectedColumn => {
        if (!column.field || seen.has(column.field)) return { ...column, field: null };
        seen.add(column.field);
        return column;
      });
      const has = (field: FieldName) => seen.has(field) || options.constants[field] !== undefined;
      const needed = [
        ...(has('po_number') ? [] : (['po_number'] as const)),
        ...(has('quantity') ? [] : (['quantity'] as const)),
        ...(has('item_sku') || has('item_id') ? [] : (['item_sku'] as const)),
      ];
      const known = new Set(detected.flatMap((column, at) => (column.field ? [at] : [])));
      const headers = detected.map((column) => column.header);
      const guesses = guessColumns(
        headers,
        rows.map((row) => row.cells),
        known,
        needed,
      );
      const columns = detected.map((column, at): ProposedColumn => {
        const guess = guesses.find((one) => one.column === at);
        const values = rows
          .map((row) => row.cells[at] ?? '')
          .filter((value) => value.trim() !== '')
          .slice(0, valueCount);
        if (guess)
          return { header: column.header, field: guess.field, why: guess.why, by: 'content', values };
        const why = column.field ? 'by its header' : undefined;
        return {
          header: column.header,
          field: column.field,
          why,
          by: column.field ? 'header' : undefined,
          values,
        };
      });
      const map: Record<string, FieldName | 'ignore'> = {};
      for (const [at, column] of columns.entries()) {
        if (column.by === 'content') map[column.header] = column.field!;
        else if (!column.field && match.columns[at]?.field) map[column.header] = 'ignore';
      }
      const twice = columns.find((column) => column.field && map[column.header] === 'ignore');
      if (twice && match.kind === 'ambiguous') throw new FileRefused('columns_ambiguous', match.message);
      return {
        kind: 'proposed',
        sheet: table.name,
        headerRow: header.rowNumber,
        columns,
        map,
        missing: needed.filter((field) => !guesses.some((guess) => guess.field === field)),
        samples: sample(rows, columns, options, request.codeLists, source.format !== 'csv'),
        decisions: source.decisions,
      };
    } finally {
      source.close();
    }
  } catch (error) {
    if (error instanceof FileRefused) return { kind: 'refused', code: error.code, message: error.message };
    throw error;
  }
};
