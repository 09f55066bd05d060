import type { DetectedColumn, RawRow, Table } from './types.ts';

interface Column<Name extends string> {
  name: Name;
  header: string;
  /** Description for docs/results.md. */
  meaning: string;
  numeric: boolean;
  /** In characters, the unit of spreadsheets. */
  width: number;
}

const column = <Name extends string>(
  name: Name,
  title: string,
  width: number,
  meaning: string,
  numeric = false,
): Column<Name> => ({
  name,
  meaning,
  // The prefix prevents confusion with columns of the dealer (Price, Available, Order number).
  header: `Cartwright: ${title}`,
  numeric,
  width,
});

/** Our columns in a result file, to the right of the dealer's own. Their headers are part of the interface. */
export const answerColumns = [
  column('poState', 'PO state', 14, 'The state of the PO of this row (see below); blank in a row of no PO.'),
  column('lineState', 'line state', 20, 'The outcome of this row (see below).'),
  column(
    'issue',
    'issue',
    60,
    'Why the row or its PO was not ordered, what a person corrected, and notes; several are separated by “ | ”.',
  ),
  column('cartNumber', 'cart number', 16, 'The cart of the PO at the service.'),
  column('orderNumbers', 'order number', 18, 'Its orders at the service, separated by commas.'),
  column(
    'available',
    'available',
    12,
    'Pieces of the line that the service had, when its cart was filled.',
    true,
  ),
  column('backorder', 'backorder', 12, 'Pieces of the line that are back-ordered.', true),
  column('price', 'price', 12, 'The service’s price for one piece.', true),
  column('whatToDo', 'what to do', 50, 'What a person can do; blank where nothing is to be done.'),
  column('asOf', 'as of', 20, 'When the ledger had this content, in UTC.'),
] as const;

export type AnswerColumn = (typeof answerColumns)[number];
export type AnswerName = AnswerColumn['name'];

/** The name of our first sheet in a result workbook; the second name is used if the dealer's sheet has the first. */
export const summaryNames = ['Summary', 'Cartwright summary'] as const;

/** The first text of the guide sheet of a template. */
export const guideTitle = 'How to fill in this template';

/** Whether Cartwright wrote this sheet: the summary of a result file or the guide of a template. */
export const isOwnSheet = ({ name, head }: Pick<Table, 'name' | 'head'>): boolean =>
  summaryNames.some((ours) => ours === name) ||
  head[0]?.cells.find((cell) => cell.trim() !== '') === guideTitle;

const keyOf = (header: string): string => header.toLowerCase().replace(/[^a-z]+/g, '');
const ours: ReadonlySet<string> = new Set(answerColumns.map(({ header }) => keyOf(header)));

/**
 * Whether a header is one of ours, ignoring case, spaces and punctuation. In a result file sent as a purchase file, such columns do not
 * affect the order.
 */
export const isAnswerHeader = (header: string): boolean => ours.has(keyOf(header));

/**
 * Blanks our columns in the rows of a result file sent as a purchase file, and drops rows that are then blank. The other cells keep their
 * positions.
 */
export const withoutAnswers = (columns: readonly DetectedColumn[]): ((rows: RawRow[]) => RawRow[]) => {
  const ours = new Set(columns.flatMap(({ header }, at) => (isAnswerHeader(header) ? [at] : [])));
  if (ours.size === 0) return (rows) => rows;
  return (rows) => {
    for (const row of rows) {
      for (const at of ours) if (at < row.cells.length) row.cells[at] = '';
      if (row.annotations) row.annotations = row.annotations.filter(({ column }) => !ours.has(column));
    }
    return rows.filter((row) => row.annotations?.length || row.cells.some((cell) => cell.trim() !== ''));
  };
};
