import type { ImportProgress, StateCounts } from '../../ledger/import-progress.ts';
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
}

/** @see Tally */
export const tallyOf = (counts: StateCounts): Tally => {
  const of = (...states: PurchaseOrderState[]) =>
    states.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
  return {
    ordered: of('ordered', 'closed'),
    underWay: of('ready', 'cart_created', 'items_added', 'submitting', 'verifying'),
    held: of('held'),
    rejected: of('rejected'),
    failed: of('failed'),
    cancelled: of('cancelled'),
  };
};

/** Everything that an import's file asks for, whichever import has it. */
export const askedTally = ({ counts, repeatedCounts }: ImportProgress): Tally => {
  const states = [
    ...new Set([...Object.keys(counts), ...Object.keys(repeatedCounts)]),
  ] as PurchaseOrderState[];
  return tallyOf(
    Object.fromEntries(states.map((state) => [state, (counts[state] ?? 0) + (repeatedCounts[state] ?? 0)])),
  );
};

const sumOf = (tally: Tally): number => Object.values(tally).reduce((sum, n) => sum + n, 0);

/** Whether all that an import's file asks for was ordered, or quoted. */
export const isAllWell = (one: ImportProgress): boolean => {
  if (one.answeredByState !== 'read') return false;
  const tally = askedTally(one);
  return sumOf(tally) === (one.quoteOnly ? one.quotedCount : tally.ordered);
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

const words: [keyof Tally, string][] = [
  ['ordered', 'ordered'],
  ['underWay', 'in progress'],
  ['held', 'held'],
  ['rejected', 'rejected'],
  ['failed', 'failed'],
  ['cancelled', 'cancelled'],
];

/** How many POs another import has, and where they are. */
const repeatedText = (counts: StateCounts): string => {
  const tally = tallyOf(counts);
  const sum = sumOf(tally);
  if (sum === 0) return '';
  const parts = words.filter(([name]) => tally[name] > 0).map(([name, word]) => `${tally[name]} ${word}`);
  return `${sum} already imported, no changes (${parts.join(', ')})`;
};

const remarkOf = (one: ImportProgress): string => {
  const { state, reasonText, repeatedCounts, correctedCount, quoteOnly, counts } = one;
  const parts = [
    state === 'taken' ? 'not read yet' : '',
    state === 'refused' ? `refused: ${reasonText ?? ''}` : '',
    state === 'repeated' ? (reasonText ?? 'repeated') : '',
    repeatedText(repeatedCounts),
    correctedCount > 0 ? `${correctedCount} corrected in a later file` : '',
    quoteOnly ? 'quote only' : '',
    counts.cancelled ? `${counts.cancelled} cancelled` : '',
    one.warning ?? '',
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
