import type { Chosen } from './chosen-table.ts';
import { guessHeaders } from './columns/guess-header.ts';
import { clearName, rankName } from './columns/name-ranks.ts';
import { readHeader } from './columns/read-header.ts';
import { summaryNames } from './own-columns.ts';
import { namesChanges } from './title-words.ts';
import type { RawRow, Table } from './types.ts';

const cellAt = (row: RawRow, at: number) => (row.cells[at] ?? '').trim();
const amount = /^\d{1,6}(?:[.,]0+)?$/;
const mostRows = 20;
/** Rank of a name such as Product or Units. */
const leastRank = 3;

/** Whether the sheet has lines below no header of its own, in the same columns as the one that is read. */
const isContinuation = ({ head }: Table, { header }: Chosen): boolean => {
  const at = (...names: string[]) => header.columns.findIndex(({ field }) => names.includes(field ?? ''));
  const [po, item, quantity] = [at('po_number'), at('item_sku', 'item_id'), at('quantity')];
  if (po < 0 || item < 0 || quantity < 0 || head.length === 0) return false;
  return head
    .slice(0, mostRows)
    .every(
      (row) => /\d/.test(cellAt(row, po)) && cellAt(row, item) !== '' && amount.test(cellAt(row, quantity)),
    );
};

const isAmount = (header: string): boolean => {
  const { meanings } = readHeader(header);
  const says = (['amount', 'quantity', 'pieces', 'ordered'] as const).some((one) => meanings.has(one));
  const other = (['done', 'open', 'billed', 'stock', 'gone', 'price', 'cost'] as const).some((one) =>
    meanings.has(one),
  );
  return says && !other;
};

/** The names by which the columns of a sheet say that it has orders; undefined if they do not. */
const orderColumns = ({ head }: Table): string[] | undefined => {
  const header = guessHeaders(head)[0]?.row;
  if (!header || !head.some(({ rowNumber }) => rowNumber > header.rowNumber)) return undefined;
  const names = header.cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const po = names.find((name) => rankName(name).po_number >= clearName);
  const item = names.find((name) => name !== po && rankName(name).item_sku >= leastRank);
  const quantity = names.find(
    (name) => name !== po && name !== item && (rankName(name).quantity >= leastRank || isAmount(name)),
  );
  return po !== undefined && item !== undefined && quantity !== undefined ? [po, item, quantity] : undefined;
};

/** The sheet of a result file that sums it up. */
export const isSummary = ({ name }: Pick<Table, 'name'>) => summaryNames.some((one) => one === name);

/**
 * Why a sheet must not be read alone: another one that is shown seems to hold orders, too, and they would be lost. Undefined if there
 * is none. Pure.
 */
export const whyOthersAreLost = (chosen: Chosen, tables: readonly Table[]): string | undefined => {
  for (const table of tables) {
    if (table === chosen.table || table.hidden || isSummary(table)) continue;
    const [own, other] = [chosen.table.name, table.name].map((name) => `"${name?.slice(0, 40)}"`);
    const only = `If only sheet ${own} is to be ordered, set intake.sheet of the account to its name; otherwise`;
    if (isContinuation(table, chosen))
      return `Sheet ${other} has lines without a header, as if it went on where sheet ${own} ends. ${only} put all lines below one header, or give the other sheet the same header and send one sheet per file.`;
    if (namesChanges(table.name ?? '') && table.head.length > 0)
      return `Sheet ${other} is not read, but by its name it changes the orders of sheet ${own}. ${only} make the changes in sheet ${own}, and remove sheet ${other}.`;
    const names = orderColumns(table);
    if (names)
      return `Sheet ${other} seems to hold orders, too (${names.map((name) => `"${name.slice(0, 40)}"`).join(', ')}), but its columns are not recognised, and only sheet ${own} would be read. ${only} send one sheet per file.`;
  }
  return undefined;
};
