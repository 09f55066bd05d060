import { plainCause } from '../../errors.ts';
import type { ImportCounts, NotOrderedPo, StateCounts } from '../../ledger/import-counts.ts';
import { activeStates } from '../../placing/types.ts';
import { skippedText, whyNothingFound, withoutPoText } from '../../reports/nothing-found.ts';
import { adviceBeside } from './hold-advice.ts';
import { shorten, showFileName, showText, showTime } from './show-text.ts';
import { type Column, drawTable, right, wrapping } from './table.ts';
import type { Terminal } from './terminal.ts';

/** The possible outcomes of a PO, in words, with the states that count towards them. */
const outcomes = {
  ordered: { word: 'ordered', states: ['ordered', 'closed'] },
  /** All that have a next step. */
  inProgress: { word: 'in progress', states: activeStates },
  held: { word: 'held', states: ['held'] },
  rejected: { word: 'rejected', states: ['rejected'] },
  failed: { word: 'failed', states: ['failed'] },
  cancelled: { word: 'cancelled', states: ['cancelled'] },
  /** Failed or rejected, and corrected by a later file. */
  corrected: { word: 'corrected in a later file', states: ['corrected'] },
  /** Failed or rejected, and marked as not needed by a person. */
  notNeeded: { word: 'not needed', states: ['not_needed'] },
} as const satisfies Record<string, { word: string; states: readonly (keyof StateCounts)[] }>;
const outcomeNames = Object.keys(outcomes) as (keyof typeof outcomes)[];

/** POs by outcome. */
type Tally = Record<keyof typeof outcomes, number>;

/** @see Tally */
export const tallyOf = (counts: StateCounts): Tally => {
  const numberOf = (states: readonly (keyof StateCounts)[]) =>
    states.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
  return Object.fromEntries(outcomeNames.map((name) => [name, numberOf(outcomes[name].states)])) as Tally;
};

/** All POs in an import's file, including those that belong to other files. */
export const askedTally = ({ counts, elsewhereCounts }: ImportCounts): Tally => {
  const states = [
    ...new Set([...Object.keys(counts), ...Object.keys(elsewhereCounts)]),
  ] as (keyof StateCounts)[];
  return tallyOf(
    Object.fromEntries(states.map((state) => [state, (counts[state] ?? 0) + (elsewhereCounts[state] ?? 0)])),
  );
};

const sumOf = (tally: Tally): number => Object.values(tally).reduce((sum, n) => sum + n, 0);

/** Whether every PO in an import's file was ordered, or quoted, and every row belongs to one. */
export const isAllWell = (one: ImportCounts): boolean => {
  if (one.answeredByState !== 'read' || one.rowsWithoutPo > 0) return false;
  const tally = askedTally(one);
  return sumOf(tally) > 0 && sumOf(tally) === (one.quoteOnly ? one.quotedCount : tally.ordered);
};

const columns: Column[] = [
  right('Import'),
  { head: 'Account' },
  wrapping('File'),
  right('Rows'),
  right('Ordered'),
  right('In progress'),
  right('Held'),
  right('Rejected'),
  right('Failed'),
  wrapping('Note'),
];

/** The POs that belong to other files. */
const elsewhereText = (counts: StateCounts): string => {
  const tally = tallyOf(counts);
  const sum = sumOf(tally);
  if (sum === 0) return '';
  const parts = outcomeNames
    .filter((name) => tally[name] > 0)
    .map((name) => `${tally[name]} ${outcomes[name].word}`);
  return `${sum} in ${sum === 1 ? 'another file' : 'other files'} (${parts.join(', ')})`;
};

/** The file was read but contains no order. */
const isEmpty = (one: ImportCounts): boolean => one.state === 'read' && sumOf(askedTally(one)) === 0;

const noteOf = (one: ImportCounts): string => {
  const { state, reasonText, elsewhereCounts, quoteOnly, counts, cameAgain, takenAt } = one;
  const parts = [
    state === 'taken' ? `waiting for a worker to read it (imported ${showTime(takenAt)})` : '',
    state === 'waiting' ? `waits for somebody to say what it means: ${reasonText ?? ''}` : '',
    state === 'refused' ? `refused: ${reasonText ?? ''}` : '',
    state === 'repeated' ? (reasonText ?? 'repeated') : '',
    isEmpty(one) ? whyNothingFound({ repeated: {}, leftOut: one.leftOut, issueCount: one.issueCount }) : '',
    !isEmpty(one) && one.rowsWithoutPo > 0 ? `${withoutPoText(one.rowsWithoutPo)}, see the result file` : '',
    isEmpty(one) ? '' : skippedText(one.leftOut),
    elsewhereText(elsewhereCounts),
    quoteOnly ? 'quote only' : '',
    counts.cancelled
      ? `${counts.cancelled} cancelled${cameAgain > 0 ? ` (${cameAgain} came again in other files)` : ''}`
      : '',
    counts.corrected ? `${counts.corrected} corrected in a later file` : '',
    counts.not_needed ? `${counts.not_needed} not needed` : '',
  ];
  return showText(
    parts
      .filter((part) => part !== '')
      .map(plainCause)
      .join('; '),
  );
};

/** A terminal at least this wide has a column for notes. */
const notesBeside = 110;

/**
 * Imports as a table of counts, with warnings below it, because they are too long for a column.
 * @param more.isBrief true: omits notes that do not fit into a column
 */
export const drawImports = (
  terminal: Terminal,
  imports: readonly ImportCounts[],
  { isBrief = false }: { isBrief?: boolean } = {},
): string => {
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
      marked(tally.inProgress, 'yellow'),
      marked(tally.held, 'yellow'),
      marked(tally.rejected, 'red'),
      marked(tally.failed, 'red'),
      noteOf(one),
    ];
  });
  // The counts alone take most of a terminal's usual 80 columns, so columns that are all 0 are omitted.
  const isNarrow = terminal.columns < notesBeside;
  const isShown = (head: string, cells: readonly string[]) =>
    head === 'Note'
      ? !isNarrow && cells.some((cell) => cell !== '')
      : !isNarrow || head === 'Ordered' || cells.some((cell) => cell !== '0');
  const shown = columns.map(({ head }, at) =>
    isShown(
      head,
      rows.map((row) => row[at]!),
    ),
  );
  const table = drawTable(
    terminal,
    columns.filter((_, at) => shown[at]),
    rows.map((row) => row.filter((_, at) => shown[at])),
  );
  const notes = imports.flatMap((one) => {
    const note = isNarrow && !isBrief ? noteOf(one) : '';
    return note === '' ? [] : [terminal.wrap(`Import ${one.importId}: ${note}`)];
  });
  const warnings = imports.flatMap(({ importId, warning }) =>
    warning === undefined
      ? []
      : [terminal.wrap(terminal.paint('yellow', `Import ${importId}: ${showText(warning)}`))],
  );
  return [table, ...notes, ...warnings].join('\n');
};

const colourOf = { rejected: 'red', failed: 'red', held: 'yellow', cancelled: 'dim' } as const;

/** POs that were not ordered, each with its reason or with its row issues below it. */
export const drawNotOrdered = (terminal: Terminal, notOrdered: readonly NotOrderedPo[]): string =>
  notOrdered
    .map(({ poNumber, firstRow, state, reasonCode, reasonText, issues }) => {
      const advice = state === 'held' ? adviceBeside(reasonCode) : undefined;
      const head = `${terminal.paint(colourOf[state], state)}  ${terminal.paint('bold', showText(poNumber))} (row ${firstRow})${reasonText && issues.length === 0 ? `: ${showText(reasonText)}` : ''}${advice ? ` ${advice}` : ''}`;
      const rows = issues.map(
        ({ rowNumber, column, found, message }) =>
          `          row ${rowNumber}, ${showText(column)}${found === null ? ': ' : ` "${shorten(showText(found), 40)}": `}${showText(message)}`,
      );
      return [terminal.wrap(head, 10), ...rows.map((row) => terminal.wrap(row, 12))].join('\n');
    })
    .join('\n');
