import type { ReactNode } from 'react';
import css from './DataTable.module.css';

export interface Column<Row> {
  /** The heading and key; shown beside the value on a narrow page. */
  title: string;
  /** The content of a cell: one of these. `text` and `line` are untrusted; a `line` is truncated to fit. */
  cell?: (row: Row) => ReactNode;
  text?: (row: Row) => string | null;
  line?: (row: Row) => string | null;
  /** Right-aligned, like the next two. A dash if there is no value. */
  count?: (row: Row) => number | null;
  money?: (row: Row) => string | null;
  /** Relative time; null: never. */
  ago?: (row: Row) => string | null;
  /** Monospaced text. */
  mono?: boolean;
  /** False: the column is omitted. */
  when?: boolean;
  align?: 'right';
  /** First line of the card on a narrow page, without title. */
  lead?: boolean;
  /** Takes the remaining width, and truncates its content. */
  grow?: boolean;
  /** Hidden below 1100 px, except on cards. */
  wide?: boolean;
  /** Shown on collapsed cards; if no column has this, the first three are. */
  fact?: boolean;
  /** Buttons, shown on every card. */
  act?: boolean;
  /** Sort key of the list, and its first order. */
  sort?: { key: string; first: 'newest' | 'oldest' };
}

export interface Selection<Row> {
  has: (row: Row) => boolean;
  toggle: (row: Row) => void;
  toggleAll: (rows: readonly Row[]) => void;
  /** Accessible name of a row's checkbox. */
  nameOf: (row: Row) => string;
}

export interface Sorting {
  /** As in the page's address: `rows` means largest first, `rows.oldest` smallest first. */
  by: string;
  onSort: (by: string) => void;
}

export const classOf = <Row,>({ align, count, money, ago, grow, wide, lead }: Column<Row>): string =>
  [(align || count || money || ago) && css.right, grow && css.grow, wide && css.wide, lead && css.lead]
    .filter(Boolean)
    .join(' ');

const factsOfCard = 3;

/** The columns hidden on collapsed cards. */
export const hiddenOnCards = <Row,>(columns: readonly Column<Row>[]): ReadonlySet<Column<Row>> => {
  const others = columns.filter(({ lead, act }) => !lead && !act);
  const chosen = others.some(({ fact }) => fact)
    ? others.filter(({ fact }) => fact)
    : others.slice(0, factsOfCard);
  return new Set(others.filter((column) => !chosen.includes(column)));
};

/** The heading of a column; a button if the list can be sorted by it. */
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
