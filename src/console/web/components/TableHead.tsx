import css from './DataTable.module.css';
import { type Column, classOf, type Selection, type Sorting } from './table-columns.ts';

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
