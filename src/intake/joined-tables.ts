import { FileRefused } from '../errors.ts';
import { fieldOfHeader, headerKey } from './columns/fields.ts';
import { afterCells, besideTables } from './join-rows.ts';
import type { IntakeOptions } from './options.ts';
import { isAnswerHeader } from './own-columns.ts';
import { cleanCell } from './rows/clean-cell.ts';
import type { Combined, RawRow, Table, TableSource } from './types.ts';

type Joined = Extract<Combined, { kind: 'joined' }>;

/** All orders are kept in memory while the lines are read. */
const mostOrders = 200_000;

const override = 'intake.join';
const quote = (text: string) => `"${text}"`;

interface Keyed {
  table: Table;
  at: number;
  headerRow: RawRow;
  /** Position of the column that both tables have. */
  keyAt: number;
  keyName: string;
}

const keyed = (source: TableSource, name: string, by: string): Keyed => {
  const at = source.tables.findIndex((table) => table.name === name);
  const table = source.tables[at]!;
  const positions = (row: RawRow) =>
    row.cells.flatMap((cell, position) => (headerKey(cell) === headerKey(by) ? [position] : []));
  const headerRow = table.head.find((row) => positions(row).length > 0);
  if (!headerRow)
    throw new FileRefused(
      'join_column_missing',
      `Sheet ${quote(name)} has no column ${quote(by)}, which says which lines belong to which order (${override}). Correct the header, or the setting in the account.`,
    );
  const [keyAt, second] = positions(headerRow) as [number, number?];
  if (second !== undefined)
    throw new FileRefused(
      'join_ambiguous',
      `Sheet ${quote(name)} has two columns ${quote(by)}, which says which lines belong to which order (${override}). Rename one of them.`,
    );
  return { table, at, headerRow, keyAt, keyName: headerRow.cells[keyAt]!.trim() };
};

const keyOf = (row: RawRow, at: number): string => cleanCell(row.cells[at] ?? '', 'identifier').text;

interface Order {
  row: RawRow;
  used: boolean;
}

const readOrders = async (source: TableSource, orders: Keyed): Promise<[Map<string, Order>, RawRow[]]> => {
  const byKey = new Map<string, Order>();
  const withoutKey: RawRow[] = [];
  const name = quote(orders.table.name!);
  for await (const batch of source.rows(orders.at)) {
    for (const row of batch) {
      if (row.rowNumber <= orders.headerRow.rowNumber) continue;
      const key = keyOf(row, orders.keyAt);
      const before = byKey.get(key)?.row;
      if (key === '') withoutKey.push(row);
      else if (!before) byKey.set(key, { row, used: false });
      else if (before.cells.join('\t').trimEnd() !== row.cells.join('\t').trimEnd())
        throw new FileRefused(
          'join_ambiguous',
          `Rows ${before.rowNumber} and ${row.rowNumber} of sheet ${name} both have the ${quote(orders.keyName)} ${quote(key)} (${override}), but other values differ. Remove one of them.`,
        );
      if (byKey.size + withoutKey.length > mostOrders)
        throw new FileRefused(
          'join_too_large',
          `Sheet ${name} has more than ${mostOrders} orders. Split the file.`,
        );
    }
  }
  return [byKey, withoutKey];
};

/** The names of the join columns. Pure. */
export const joinColumns = (by: string | { orders: string; lines: string }) =>
  typeof by === 'string' ? { orders: by, lines: by } : by;

/** The columns by which tables were joined, as settings: what they say is said by the join. Pure. */
export const ignoredJoinKeys = (combined: Combined | undefined): Record<string, 'ignore'> =>
  combined?.kind === 'joined'
    ? {
        [combined.by.orders]: 'ignore',
        [`${combined.orders} ${combined.by.orders}`]: 'ignore',
        [combined.by.lines]: 'ignore',
      }
    : {};

/** A result file of ours already has the columns of both sheets in one. Returns the headers of its key. */
const keysOfAnswers = (source: TableSource, { join }: Pick<IntakeOptions, 'join'>): string[] | undefined => {
  const answered = source.tables.some(
    ({ name, head }) => name === join?.lines && head.some((row) => row.cells.some(isAnswerHeader)),
  );
  if (!join || !answered) return undefined;
  const { orders, lines } = joinColumns(join.by);
  return [`${join.orders} ${orders}`, orders, lines];
};

/** The join of an account for this file; undefined for a file with neither of its sheets. @throws FileRefused */
const joinFor = (source: TableSource, { join }: Pick<IntakeOptions, 'join'>): Joined | undefined => {
  if (!join || source.format === 'csv') return undefined;
  const { orders, lines, by } = join;
  const has = (name: string) => source.tables.some((table) => table.name === name);
  if (!has(orders) && !has(lines)) return undefined;
  const missing = [orders, lines].find((name) => !has(name));
  if (missing !== undefined)
    throw new FileRefused(
      'sheet_missing',
      `The workbook has no sheet ${quote(missing)}, and the account joins the sheets ${quote(orders)} and ${quote(lines)} (${override}). Add the sheet, or send the whole orders as one table.`,
    );
  return { kind: 'joined', orders, lines, by: joinColumns(by) };
};

/**
 * The account's settings for a joined table: the key is not the PO number if another column is, by its header or by the account's settings.
 * Pure.
 */
export const withoutKeys = (source: TableSource, options: IntakeOptions): IntakeOptions => {
  const { keys } = source;
  if (!keys) return options;
  const ofKeys = new Set(keys.map(headerKey));
  const mapped = new Map(Object.entries(options.columns).map(([name, field]) => [headerKey(name), field]));
  const isPo = (cell: string) =>
    !ofKeys.has(headerKey(cell)) && (mapped.get(headerKey(cell)) ?? fieldOfHeader(cell)) === 'po_number';
  if (!source.tables.some(({ head }) => head.some(({ cells }) => cells.some(isPo)))) return options;
  const ignored = Object.fromEntries(keys.map((key) => [key, 'ignore' as const]));
  return { ...options, columns: { ...ignored, ...options.columns } };
};

/**
 * Joins a sheet of orders and a sheet of their lines: one table with the rows of the lines, each with the cells of its order before its
 * own. An order without lines follows as a row of its own, so that nothing is dropped silently. Without a join for this file, the source is
 * returned unchanged. Only sheets of one file are joined, never two files, because a line could be joined with another order's address.
 *
 * @param recorded the join of an earlier reading of the file
 * @throws FileRefused `sheet_missing`, `join_column_missing`, `join_ambiguous`, `join_too_large`
 */
export const joinTables = async (
  source: TableSource,
  options: Pick<IntakeOptions, 'join'>,
  recorded?: Joined,
): Promise<TableSource> => {
  const keys = keysOfAnswers(source, options);
  if (keys && !recorded) return { ...source, keys };
  const join = recorded ?? joinFor(source, options);
  if (!join) return source;
  const orders = keyed(source, join.orders, join.by.orders);
  const lines = keyed(source, join.lines, join.by.lines);
  const [byKey, withoutKey] = await readOrders(source, orders);
  const [ordersName, linesName] = [quote(join.orders), quote(join.lines)];

  const width = Math.max(orders.headerRow.cells.length, ...orders.table.head.map((row) => row.cells.length));
  const taken = new Set(lines.headerRow.cells.map(headerKey));
  const headers = Array.from({ length: width }, (_, at) => {
    const header = orders.headerRow.cells[at]?.trim() ?? '';
    return header !== '' && taken.has(headerKey(header)) ? `${join.orders} ${header}` : header;
  });
  const blank: RawRow = { rowNumber: 0, cells: [] };
  const joined = (row: RawRow): RawRow => {
    if (row.rowNumber < lines.headerRow.rowNumber) return afterCells(row, blank, width);
    // Skips repeated headers as well.
    if (row.cells.join('\t') === lines.headerRow.cells.join('\t'))
      return afterCells(row, { ...blank, cells: headers }, width);
    const key = keyOf(row, lines.keyAt);
    const order = byKey.get(key);
    if (order) {
      order.used = true;
      return afterCells(row, order.row, width);
    }
    const without = afterCells(row, blank, width);
    const filled = row.cells.some((cell) => cell.trim() !== '');
    if (!filled) return without;
    if (key === '')
      return {
        ...without,
        unjoined: `This line has no ${quote(lines.keyName)}, so its order is not known. Fill in the cell, or remove the line.`,
      };
    const unjoined = `No row of sheet ${ordersName} has the ${quote(orders.keyName)} ${quote(key)} of this line, so its order is not known. Add the order, or remove the line.`;
    return { ...without, unjoined };
  };

  const whyAlone = (key: string): string =>
    key === ''
      ? `The order has no ${quote(orders.keyName)}, so its lines are not known. Fill in the cell, or remove the order.`
      : `No row of sheet ${linesName} has the ${quote(lines.keyName)} ${quote(key)} of this order, so it has no lines. Add its lines, or remove the order.`;

  async function* rows(): AsyncGenerator<RawRow[]> {
    let last = lines.headerRow.rowNumber;
    for await (const batch of source.rows(lines.at)) {
      last = batch.at(-1)?.rowNumber ?? last;
      yield batch.map(joined);
    }
    const unused = [...byKey.values()].filter(({ used }) => !used).map(({ row }) => row);
    const left = [...unused, ...withoutKey].sort((a, b) => a.rowNumber - b.rowNumber);
    const alone = left.map(
      (row, at): RawRow => ({
        ...afterCells(blank, row, width),
        rowNumber: last + 1 + at,
        from: `Sheet ${ordersName}, row ${row.rowNumber}`,
        unjoined: whyAlone(keyOf(row, orders.keyAt)),
      }),
    );
    if (alone.length > 0) yield alone;
  }
  const shapes = lines.table.shapes && [...Array.from({ length: width }, () => ({})), ...lines.table.shapes];
  const by = join.by.orders === join.by.lines ? [join.by.lines] : [join.by.orders, join.by.lines];
  return {
    ...source,
    combined: join,
    beside: besideTables(source, [{ ...orders, headerRow: orders.headerRow.rowNumber }], [lines.table]),
    keys: [headers[orders.keyAt]!, lines.keyName],
    decisions: [
      ...source.decisions,
      {
        what: 'join',
        decided: `sheets ${ordersName} and ${linesName}`,
        why: `set by the account, by ${by.map(quote).join(' and ')}; ${byKey.size} orders`,
        override,
      },
    ],
    tables: [
      { ...lines.table, head: lines.table.head.map(joined), hidden: false, ...(shapes ? { shapes } : {}) },
    ],
    rows,
  };
};
