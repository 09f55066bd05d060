import type { ReactNode } from 'react';
import css from './DataTable.module.css';

export interface Column<Row> {
  /** Also the key; shown as the heading, and beside the value on a narrow page. */
  title: string;
  /** What a cell shows: one of these. `text` and `line` are not written by the console; a line is cut where it does not fit. */
  cell?: (row: Row) => ReactNode;
  text?: (row: Row) => string | null;
  line?: (row: Row) => string | null;
  /** On the right, as the next two. Without a value there is a dash. */
  count?: (row: Row) => number | null;
  money?: (row: Row) => string | null;
  /** How long ago something was; without a time: never. */
  ago?: (row: Row) => string | null;
  /** Of text. */
  mono?: boolean;
  /** False: the table does without it. */
  when?: boolean;
  align?: 'right';
  /** The first line of the card on a narrow page, without its title. */
  lead?: boolean;
  /** Takes the room that the others leave, and cuts what does not fit. */
  grow?: boolean;
  /** Left out below 1100 px; cards have it. */
  wide?: boolean;
  /** One of the facts of a card that has not been opened; without any, these are the first three. */
  fact?: boolean;
  /** Buttons: on every card. */
  act?: boolean;
  /** By what the list can be sorted, and in which order first. */
  sort?: { key: string; first: 'newest' | 'oldest' };
}

export interface Selection<Row> {
  has: (row: Row) => boolean;
  toggle: (row: Row) => void;
  toggleAll: (rows: readonly Row[]) => void;
  /** What the checkbox of a row is for, for screen readers. */
  nameOf: (row: Row) => string;
}

export interface Sorting {
  /** As in the page's address: `rows` is the largest first, `rows.oldest` the smallest. */
  by: string;
  onSort: (by: string) => void;
}

export const classOf = <Row,>({ align, count, money, ago, grow, wide, lead }: Column<Row>): string =>
  [(align || count || money || ago) && css.right, grow && css.grow, wide && css.wide, lead && css.lead]
    .filter(Boolean)
    .join(' ');

const factsOfCard = 3;

/** The columns that a card shows only after it was opened. */
export const hiddenOnCards = <Row,>(columns: readonly Column<Row>[]): ReadonlySet<Column<Row>> => {
  const others = columns.filter(({ lead, act }) => !lead && !act);
  const chosen = others.some(({ fact }) => fact)
    ? others.filter(({ fact }) => fact)
    : others.slice(0, factsOfCard);
  return new Set(others.filter((column) => !chosen.includes(column)));
};

/** The heading of a column; one that the list can be sorted by is a button. */
const Heading = <Row,>({ column, sorting }: { column: Column<Row>; sorting: Sorting | undefined }) => {
  const { title, sort } = column;
  if (!sorting || !sort)
    return (
      <th scope="col" className={classOf(column)}>
        {title}
      </th>
    );
  const [key, order] = sorting.by.split('.');
  const isAscending = order === 'oldest';
  const isSorted = key === sort.key;
  const next = isSorted ? !isAscending : sort.first === 'oldest';
  return (
    <th
      scope="col"
      className={classOf(column)}
      aria-sort={isSorted ? (isAscending ? 'ascending' : 'descending') : 'none'}
    >
      <button
        type="button"
        className={css.sort}
        onClick={() => sorting.onSort(next ? `${sort.key}.oldest` : sort.key)}
      >
        {title}
        <span aria-hidden="true">{isSorted ? (isAscending ? '↑' : '↓') : '↕'}</span>
      </button>
    </th>
  );
};

interface TableHeadProps<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  selection: Selection<Row> | undefined;
  sorting: Sorting | undefined;
}

export const TableHead = <Row,>({ columns, rows, selection, sorting }: TableHeadProps<Row>) => {
  const selected = selection ? rows.filter(selection.has).length : 0;
  return (
    <thead>
      <tr>
        {selection ? (
          <th className={css.check} scope="col">
            <label>
              <input
                type="checkbox"
                aria-label="Select all rows on this page"
                checked={rows.length > 0 && selected === rows.length}
                ref={(box) => {
                  if (box) box.indeterminate = selected > 0 && selected < rows.length;
                }}
                onChange={() => selection.toggleAll(rows)}
              />
            </label>
          </th>
        ) : null}
        {columns.map((column) => (
          <Heading key={column.title} column={column} sorting={sorting} />
        ))}
      </tr>
    </thead>
  );
};
