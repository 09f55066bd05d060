import type { PurchaseOrderState } from '../placing/types.ts';
import { displayMoment, displayState } from './display-text.ts';
import type { ImportFacts, ImportTotals, StateCount } from './types.ts';
import { whatToDo } from './what-to-do.ts';
import type { Cell } from './workbook/cells.ts';
import type { Fill } from './workbook/styles.ts';
import { moneyCell } from './workbook/value-cells.ts';

export interface SummaryRow {
  cells: Cell[];
  bold?: boolean;
  fill?: Fill;
}

const stateTexts: Record<PurchaseOrderState, { text: string; fill: Fill }> = {
  ordered: { text: 'Ordered', fill: 'green' },
  closed: { text: 'Complete', fill: 'green' },
  ready: { text: 'Waiting to be ordered', fill: 'blue' },
  cart_created: { text: 'In progress', fill: 'blue' },
  items_added: { text: 'In progress', fill: 'blue' },
  submitting: { text: 'In progress', fill: 'blue' },
  verifying: { text: 'Verifying at the service', fill: 'blue' },
  held: { text: 'Held, needs a decision', fill: 'yellow' },
  rejected: { text: 'Rejected, rows have issues', fill: 'red' },
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
  const known = reasonCode === undefined ? undefined : reasonTexts[reasonCode];
  const shown = state === 'failed' && known ? 'Failed, corrected in a later file' : (known ?? text);
  const meaning = repeated
    ? 'Already imported with the same content; nothing is ordered again.'
    : state === 'held' && reasonCode === undefined
      ? 'You need to decide; the options for each PO are listed below.'
      : whatToDo({ state, reasonCode });
  return {
    fill: repeated ? 'grey' : fill,
    cells: [
      repeated ? `Already imported: ${shown.toLowerCase()}` : shown,
      count(poCount),
      count(lineCount),
      meaning,
    ],
  };
};

/** The summary sheet of an import: counts and sums by outcome, and the POs that need attention. Pure. */
export const summaryOf = (facts: ImportFacts, totals: ImportTotals): SummaryRow[] => {
  const all = (pick: (state: StateCount) => number) =>
    totals.states.reduce((sum, state) => sum + pick(state), 0);
  const sums: SummaryRow[] = [
    { cells: ['Orders at the service', count(totals.orderCount)] },
    ...(totals.pricedTotal === undefined
      ? []
      : [{ cells: ['Goods total (dealer prices)', moneyCell(totals.pricedTotal)] }]),
    ...(totals.orderTotal === undefined
      ? []
      : [{ cells: ['Order totals (with freight and charges)', moneyCell(totals.orderTotal)] }]),
    ...(totals.rowsWithoutPo > 0
      ? [
          {
            fill: 'red' as const,
            cells: ['Refused rows without a PO', count(totals.rowsWithoutPo)],
          },
        ]
      : []),
  ];
  const rest = totals.toDoCount - totals.toDo.length;
  return [
    { bold: true, cells: [facts.fileName] },
    {
      cells: [
        `Import ${facts.importId}, ${displayMoment(facts.takenAt)}${facts.quoteOnly ? ', quote only' : ''}`,
      ],
    },
    {
      cells: [
        `As of ${displayMoment(facts.asOf)}. This file is rewritten after each change: when no PO in it is in progress any more, after a status poll that found changes, and after each operator action.`,
      ],
    },
    { cells: [] },
    { bold: true, fill: 'header', cells: ['Outcome', 'POs', 'Lines', 'What to do'] },
    ...totals.states.map(stateRow),
    {
      bold: true,
      cells: ['Total', count(all(({ poCount }) => poCount)), count(all(({ lineCount }) => lineCount))],
    },
    { cells: [] },
    ...sums,
    { cells: [] },
    ...(totals.toDo.length === 0
      ? [{ bold: true, cells: ['Nothing to do.'] }]
      : [
          {
            bold: true,
            fill: 'header' as const,
            cells: ['POs that need you', 'State', 'First row', 'Reason', 'What to do'],
          },
          ...totals.toDo.map((po) => ({
            fill: stateTexts[po.state].fill,
            cells: [
              po.poNumber,
              displayState(po.state),
              count(po.firstRow),
              po.alarm ?? po.reasonText ?? '',
              whatToDo(po),
            ],
          })),
        ]),
    ...(rest > 0 ? [{ cells: [`and ${rest} more: filter the other sheet by colour`] }] : []),
  ];
};
