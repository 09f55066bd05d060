import type { PurchaseOrderState } from '../placing/types.ts';
import { showMoment } from './row-answer.ts';
import type { ImportFacts, ImportTotals, StateCount } from './types.ts';
import { whatToDo } from './what-to-do.ts';
import { type Cell, decimal } from './workbook/cells.ts';
import type { Fill } from './workbook/styles.ts';

export interface SummaryRow {
  cells: Cell[];
  bold?: boolean;
  fill?: Fill;
}

const stateTexts: Record<PurchaseOrderState, { text: string; fill: Fill }> = {
  ordered: { text: 'Ordered', fill: 'green' },
  closed: { text: 'Ordered, shipped and invoiced', fill: 'green' },
  ready: { text: 'Waiting to be placed', fill: 'blue' },
  cart_created: { text: 'Being placed', fill: 'blue' },
  items_added: { text: 'Being placed', fill: 'blue' },
  submitting: { text: 'Being placed', fill: 'blue' },
  verifying: { text: 'Being verified at the service', fill: 'blue' },
  held: { text: 'Held, wait for a person', fill: 'yellow' },
  rejected: { text: 'Rejected, rows have mistakes', fill: 'red' },
  failed: { text: 'Refused by the service', fill: 'red' },
  cancelled: { text: 'Cancelled', fill: 'grey' },
};

const reasonTexts: Record<string, string> = {
  quoted: 'Quoted, nothing ordered',
  corrected: 'Rejected, corrected in a later file',
};

const count = (value: number): Cell => ({ number: String(value) });

const stateRow = ({ state, reasonCode, repeated, poCount, lineCount }: StateCount): SummaryRow => {
  const { text, fill } = stateTexts[state];
  const shown = (reasonCode !== undefined && reasonTexts[reasonCode]) || text;
  const meaning = repeated
    ? 'Came before with the same content; nothing was ordered again.'
    : state === 'held' && reasonCode === undefined
      ? 'A person has to decide; what can be done about each is listed below.'
      : whatToDo({ state, reasonCode });
  return {
    fill: repeated ? 'grey' : fill,
    cells: [repeated ? `Repeated: ${shown.toLowerCase()}` : shown, count(poCount), count(lineCount), meaning],
  };
};

/** What became of an import, for the first look: counts, sums, and what is to be done. Pure. */
export const summaryOf = (facts: ImportFacts, totals: ImportTotals): SummaryRow[] => {
  const all = (pick: (state: StateCount) => number) =>
    totals.states.reduce((sum, state) => sum + pick(state), 0);
  const sums: SummaryRow[] = [
    { cells: ['Orders at the service', count(totals.orderCount)] },
    ...(totals.pricedTotal === undefined
      ? []
      : [{ cells: ['Items at dealer prices', decimal(totals.pricedTotal)] }]),
    ...(totals.orderTotal === undefined
      ? []
      : [{ cells: ['Order totals with freight and charges', decimal(totals.orderTotal)] }]),
    ...(totals.rowsWithoutPo > 0
      ? [
          {
            fill: 'red' as const,
            cells: ['Rows without a PO that were refused', count(totals.rowsWithoutPo)],
          },
        ]
      : []),
  ];
  const rest = totals.toDoCount - totals.toDo.length;
  return [
    { bold: true, cells: [facts.fileName] },
    {
      cells: [
        `Import ${facts.importId}, taken ${showMoment(facts.takenAt)}${facts.quoteOnly ? ', prices asked only' : ''}`,
      ],
    },
    {
      cells: [
        `As of ${showMoment(facts.asOf)}. This file is written again after each change: when nothing of it is being placed any more, after a status poll that changed something, and after each decision of a person.`,
      ],
    },
    { cells: [] },
    { bold: true, fill: 'header', cells: ['What became of it', 'POs', 'Lines', 'What to do'] },
    ...totals.states.map(stateRow),
    {
      bold: true,
      cells: ['All', count(all(({ poCount }) => poCount)), count(all(({ lineCount }) => lineCount))],
    },
    { cells: [] },
    ...sums,
    { cells: [] },
    ...(totals.toDo.length === 0
      ? [{ bold: true, cells: ['Nothing is to be done.'] }]
      : [
          {
            bold: true,
            fill: 'header' as const,
            cells: ['PO that waits for you', 'State', 'First row', 'Why', 'What to do'],
          },
          ...totals.toDo.map((po) => ({
            fill: stateTexts[po.state].fill,
            cells: [po.poNumber, po.state, count(po.firstRow), po.alarm ?? po.reasonText ?? '', whatToDo(po)],
          })),
        ]),
    ...(rest > 0 ? [{ cells: [`and ${rest} more; filter the other sheet by its colours`] }] : []),
  ];
};
