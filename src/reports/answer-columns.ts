/** What a column of ours tells of a row. */
export type AnswerName =
  | 'poState'
  | 'lineState'
  | 'issue'
  | 'cartNumber'
  | 'orderNumbers'
  | 'available'
  | 'backorder'
  | 'price'
  | 'whatToDo'
  | 'asOf';

export interface AnswerColumn {
  name: AnswerName;
  header: string;
  numeric: boolean;
  /** In characters, as spreadsheets count it. */
  width: number;
}

const column = (name: AnswerName, title: string, width: number, numeric = false): AnswerColumn => ({
  name,
  // Keeps them apart from any column of the dealer's (Price, Available, Order number).
  header: `Cartwright: ${title}`,
  numeric,
  width,
});

/** Our columns in a result file, at the right of the dealer's own. Their headers are part of the interface. */
export const answerColumns: readonly AnswerColumn[] = [
  column('poState', 'PO state', 14),
  column('lineState', 'line state', 20),
  column('issue', 'issue', 60),
  column('cartNumber', 'cart number', 16),
  column('orderNumbers', 'order number', 18),
  column('available', 'available', 12, true),
  column('backorder', 'backorder', 12, true),
  column('price', 'price', 12, true),
  column('whatToDo', 'what to do', 50),
  column('asOf', 'as of', 20),
];

/** The name of the sheet that one sees first; the second where the dealer's own sheet has the first. */
export const summaryNames = ['Summary', 'Cartwright summary'] as const;

const keyOf = (header: string): string => header.toLowerCase().replace(/[^a-z]+/g, '');
const ours: ReadonlySet<string> = new Set(answerColumns.map(({ header }) => keyOf(header)));

/**
 * Whether a header is one of ours, without case, spaces and punctuation: such a column of a result file that comes
 * back says nothing about what is to be ordered.
 */
export const isAnswerHeader = (header: string): boolean => ours.has(keyOf(header));
