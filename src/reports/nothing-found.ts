import { type LeftOutCode, leftOutCodes } from '../intake/rows/row-issue.ts';
import { activeStates, type PurchaseOrderState } from '../placing/types.ts';

/** Facts about an import without any PO of its own. */
export interface NothingFound {
  /** POs that earlier files contain with the same content, by state. */
  repeated: Partial<Record<PurchaseOrderState, number>>;
  /** Number of skipped rows, by the code of their note. */
  leftOut: Partial<Record<LeftOutCode, number>>;
  /** Rows with issues that belong to no PO. */
  issueCount: number;
}

const leftOutWords: Record<LeftOutCode, [one: string, several: string]> = {
  totals_row: ['total', 'totals'],
  header_again: ['repeated header', 'repeated headers'],
  no_order_row: ['row without a PO number and an item', 'rows without a PO number and an item'],
  left_out: ['row skipped as a person decided', 'rows skipped as a person decided'],
};

const stateWords: [word: string, states: PurchaseOrderState[]][] = [
  ['ordered', ['ordered', 'closed']],
  ['in progress', [...activeStates]],
  ['held', ['held']],
  ['rejected', ['rejected']],
  ['failed', ['failed']],
  ['cancelled', ['cancelled']],
];

const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((all, n) => all + n, 0);

/** The text about a file's rows that belong to no PO. Pure. */
export const withoutPoText = (rows: number): string =>
  `${rows.toLocaleString('en-US')} row${rows === 1 ? '' : 's'} without a PO number not ordered`;

/** The text about a file's rows that a person chose not to order; blank if there are none. Pure. */
export const skippedText = ({ left_out: rows = 0 }: NothingFound['leftOut']): string =>
  rows > 0 ? `${rows.toLocaleString('en-US')} ${leftOutWords.left_out[rows === 1 ? 0 : 1]}` : '';

/** Why a file had nothing new to order, with numbers. Pure. */
export const whyNothingFound = ({ repeated, leftOut, issueCount }: NothingFound): string => {
  const before = sum(repeated);
  if (before > 0) {
    const states = stateWords.flatMap(([word, of]) => {
      const count = of.reduce((all, state) => all + (repeated[state] ?? 0), 0);
      return count > 0 ? [`${count.toLocaleString('en-US')} ${word}`] : [];
    });
    return `${before === 1 ? 'Its PO' : `All its ${before.toLocaleString('en-US')} POs`} came before in earlier files: ${states.join(', ')}.`;
  }
  const rows = sum(leftOut);
  const kinds = leftOutCodes
    .flatMap((code) => {
      const count = leftOut[code] ?? 0;
      return count > 0 ? [`${count.toLocaleString('en-US')} ${leftOutWords[code][count === 1 ? 0 : 1]}`] : [];
    })
    .join(', ');
  const reasons = [
    ...(rows > 0
      ? [`${rows.toLocaleString('en-US')} row${rows === 1 ? ' was' : 's were'} left out (${kinds})`]
      : []),
    ...(issueCount > 0
      ? [
          `${issueCount.toLocaleString('en-US')} issue${issueCount === 1 ? '' : 's'} in rows without a PO number`,
        ]
      : []),
  ];
  return `No order was found in this file: ${reasons.length > 0 ? reasons.join(', ') : 'it has no rows below its header'}. The result file has each row with its reason.`;
};
