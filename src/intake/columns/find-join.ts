import { cleanCell } from '../rows/clean-cell.ts';
import { headRows, type RawRow, type Table } from '../types.ts';
import { headerKey } from './fields.ts';
import { guessHeaders } from './guess-header.ts';
import { rankName, rankOthers } from './name-ranks.ts';
import { isOnly, readHeader } from './read-header.ts';

/** A table with its header. */
export interface HeadedTable {
  table: Table;
  header: RawRow;
}

/** A sheet of orders to which the lines of another sheet belong. */
export interface FoundJoin {
  orders: HeadedTable;
  by: { orders: string; lines: string };
  /** The column of the orders whose name fits a PO number better than any column of the lines; undefined: none. */
  poColumn: string | undefined;
}

interface Key {
  name: string;
  key: string;
  values: string[];
  rank: number;
}

/** In a sheet of orders, `No` or `ID` alone is the order number. */
const isBareNumber = (name: string): boolean => isOnly(readHeader(name), 'number', 'id');

/** A hostile header must not cost time. */
const mostKeys = 30;

/** The columns whose names can mean an order. */
const keysOf = ({ table, header }: HeadedTable): Key[] => {
  const times = new Map<string, number>();
  for (const cell of header.cells) times.set(headerKey(cell), (times.get(headerKey(cell)) ?? 0) + 1);
  const keys: Key[] = [];
  for (const [at, cell] of header.cells.entries()) {
    const [name, key] = [cell.trim(), headerKey(cell)];
    const rank = rankName(name).po_number;
    if (key === '' || times.get(key)! > 1 || (rank === 0 && !isBareNumber(name))) continue;
    const values = table.head
      .filter((row) => row.rowNumber > header.rowNumber)
      .map((row) => cleanCell(row.cells[at] ?? '', 'identifier').text)
      .filter((value) => value !== '');
    if (values.length > 0) keys.push({ name, key, values, rank });
    if (keys.length === mostKeys) break;
  }
  return keys;
};

/** Lowest rank of a name that can identify the order of a line. */
const leastRank = 2.5;

const areSame = (orders: Key, lines: Key): boolean =>
  orders.key === lines.key
    ? lines.rank > 0
    : lines.rank >= leastRank && (orders.rank >= leastRank || isBareNumber(orders.name));

/** Whether the key is unique per order, and the lines use its values. */
const fits = (orders: Key, lines: Key, cut: boolean): boolean => {
  const known = new Set(orders.values);
  const used = new Set(lines.values);
  if (known.size < orders.values.length) return false;
  const shared = [...used].filter((value) => known.has(value)).length;
  // A line without its order is an issue of the line. Of a large sheet, only the first rows are known here.
  return cut ? shared > 0 : shared * 2 > used.size;
};

const bestPo = (table: HeadedTable, without: string): { name: string; rank: number } | undefined =>
  keysOf(table)
    .filter(({ name, rank }) => rank >= 6 && name !== without)
    .sort((a, b) => b.rank - a.rank)[0];

const hasAddress = ({ header }: HeadedTable): boolean =>
  header.cells.some((cell) => rankOthers(cell).some(({ field }) => field.startsWith('ship_')));

/**
 * Finds the sheet of orders that a sheet of lines belongs to: it has a column with a different value in each row, the lines
 * have these values under a name for an order, and it adds a PO number or an address. Pure.
 *
 * @param others the other visible sheets
 */
export const findJoin = (lines: HeadedTable, others: readonly HeadedTable[]): FoundJoin | undefined => {
  const ofLines = keysOf(lines);
  const found = others.flatMap((orders) => {
    const cut = orders.table.head.length >= headRows;
    const ofOrders = keysOf(orders);
    return ofLines.flatMap((line) =>
      ofOrders
        .filter((order) => areSame(order, line) && fits(order, line, cut))
        .map((order) => ({ orders, order, line, sameName: order.key === line.key })),
    );
  });
  const [best] = found.toSorted(
    (a, b) =>
      Number(b.sameName) - Number(a.sameName) || b.line.rank + b.order.rank - a.line.rank - a.order.rank,
  );
  if (!best) return undefined;
  const { orders, order, line } = best;
  const po = bestPo(orders, order.name);
  const own = Math.max(0, ...ofLines.map(({ rank }) => rank));
  const poColumn = po && po.rank >= own ? po.name : undefined;
  if (poColumn === undefined && !(hasAddress(orders) && !hasAddress(lines))) return undefined;
  return { orders, by: { orders: order.name, lines: line.name }, poColumn };
};

/**
 * Why a sheet with lines must not be read alone: another visible sheet has their orders. Undefined if it may be. Pure.
 *
 * @param file as the command line names it
 */
export const whyNotAlone = (
  table: Table,
  headerRow: number | null,
  tables: readonly Table[],
  file: string,
): string | undefined => {
  const header = table.head.find(({ rowNumber }) => rowNumber === headerRow);
  if (!header) return undefined;
  const others = tables.flatMap((other): HeadedTable[] => {
    const guess = other === table || other.hidden ? undefined : guessHeaders(other.head)[0];
    return guess ? [{ table: other, header: guess.row }] : [];
  });
  const found = findJoin({ table, header }, others);
  if (!found) return undefined;
  const adds =
    found.poColumn === undefined ? 'the addresses of their orders' : `the column "${found.poColumn}"`;
  return `Sheet "${table.name}" has the lines, but sheet "${found.orders.table.name}" has ${adds}, and "${found.by.lines}" says which lines belong to which order. Run \`cartwright map ${file} --write\` to join the two sheets. To read the lines alone, set intake.sheet of the account to "${table.name}".`;
};
