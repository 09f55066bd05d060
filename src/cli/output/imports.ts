import type { ImportProgress } from '../../ledger/import-progress.ts';
import type { PurchaseOrderState } from '../../placing/types.ts';
import { showFileName, showText } from './show-text.ts';
import { type Column, drawTable } from './table.ts';
import type { Terminal } from './terminal.ts';

/** How a person counts POs: what is under way is one thing, whatever step it is at. */
export interface Tally {
  ordered: number;
  underWay: number;
  held: number;
  rejected: number;
  failed: number;
  cancelled: number;
  repeated: number;
}

/** @see Tally */
export const tallyOf = (counts: Partial<Record<PurchaseOrderState, number>>, repeated = 0): Tally => {
  const of = (...states: PurchaseOrderState[]) =>
    states.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
  return {
    ordered: of('ordered', 'closed'),
    underWay: of('ready', 'cart_created', 'items_added', 'submitting', 'verifying'),
    held: of('held'),
    rejected: of('rejected'),
    failed: of('failed'),
    cancelled: of('cancelled'),
    repeated,
  };
};

/** Whether everything of an import that was waited for became orders. */
export const isAllWell = ({ state, counts, quoteOnly }: ImportProgress): boolean => {
  const { held, rejected, failed, underWay, cancelled } = tallyOf(counts);
  return state !== 'refused' && rejected + failed + underWay + (quoteOnly ? 0 : held + cancelled) === 0;
};

const columns: Column[] = [
  { head: 'Import', align: 'right' },
  { head: 'Account' },
  { head: 'File' },
  { head: 'Rows', align: 'right' },
  { head: 'Ordered', align: 'right' },
  { head: 'Under way', align: 'right' },
  { head: 'Held', align: 'right' },
  { head: 'Rejected', align: 'right' },
  { head: 'Failed', align: 'right' },
  { head: 'Remark', wraps: true },
];

const remarkOf = ({ state, reasonText, repeatedCount, quoteOnly, counts }: ImportProgress): string => {
  const parts = [
    state === 'taken' ? 'not read yet' : '',
    state === 'refused' ? `refused: ${reasonText ?? ''}` : '',
    state === 'repeated' ? (reasonText ?? 'repeated') : '',
    repeatedCount > 0 ? `${repeatedCount} came before, unchanged` : '',
    quoteOnly ? 'quote only' : '',
    counts.cancelled ? `${counts.cancelled} cancelled` : '',
  ];
  return showText(parts.filter((part) => part !== '').join('; '));
};

/** Imports as a table of counts. */
export const drawImports = (terminal: Terminal, imports: readonly ImportProgress[]): string => {
  const marked = (n: number, colour: 'red' | 'yellow' | 'green') =>
    n === 0 ? '0' : terminal.paint(colour, n.toLocaleString('en-US'));
  const rows = imports.map((one) => {
    const tally = tallyOf(one.counts);
    return [
      one.importId,
      one.account,
      showFileName(one.fileName),
      one.rowCount.toLocaleString('en-US'),
      marked(tally.ordered, 'green'),
      marked(tally.underWay, 'yellow'),
      marked(tally.held, 'yellow'),
      marked(tally.rejected, 'red'),
      marked(tally.failed, 'red'),
      remarkOf(one),
    ];
  });
  const used = columns.map(({ head }, at) => head !== 'Remark' || rows.some((row) => row[at] !== ''));
  return drawTable(
    terminal,
    columns.filter((_, at) => used[at]),
    rows.map((row) => row.filter((_, at) => used[at])),
  );
};
