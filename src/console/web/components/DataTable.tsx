import type { ReactNode } from 'react';
import css from './DataTable.module.css';

export interface Column<Row> {
  /** Also the key; shown as the heading, and beside the value on a narrow page. */
  title: string;
  cell: (row: Row) => ReactNode;
  align?: 'right';
  /** The first line of the card on a narrow page, without its title. */
  lead?: boolean;
  /** Takes the room that the others leave, and cuts what does not fit. */
  grow?: boolean;
  /** Left out below 1100 px; cards have it. */
  wide?: boolean;
}

export interface Selection<Row> {
  has: (row: Row) => boolean;
  toggle: (row: Row) => void;
  toggleAll: (rows: readonly Row[]) => void;
  /** What the checkbox of a row is for, for screen readers. */
  nameOf: (row: Row) => string;
}

interface DataTableProps<Row> {
  /** What the table shows, for screen readers. */
  caption: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  selection?: Selection<Row> | undefined;
}

const classOf = <Row,>({ align, grow, wide, lead }: Column<Row>): string =>
  [align && css.right, grow && css.grow, wide && css.wide, lead && css.lead].filter(Boolean).join(' ');

/** A dense table whose rows become cards on a narrow page. */
export const DataTable = <Row,>({ caption, columns, rows, keyOf, selection }: DataTableProps<Row>) => {
  const selected = selection ? rows.filter(selection.has).length : 0;
  return (
    <table className={css.table}>
      <caption className="hidden-text">{caption}</caption>
      <thead>
        <tr>
          {selection ? (
            <th className={css.check} scope="col">
              <input
                type="checkbox"
                aria-label="Select all rows on this page"
                checked={rows.length > 0 && selected === rows.length}
                ref={(box) => {
                  if (box) box.indeterminate = selected > 0 && selected < rows.length;
                }}
                onChange={() => selection.toggleAll(rows)}
              />
            </th>
          ) : null}
          {columns.map((column) => (
            <th key={column.title} scope="col" className={classOf(column)}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} data-selected={selection?.has(row) || undefined}>
            {selection ? (
              <td className={css.check}>
                <input
                  type="checkbox"
                  aria-label={`Select ${selection.nameOf(row)}`}
                  checked={selection.has(row)}
                  onChange={() => selection.toggle(row)}
                />
              </td>
            ) : null}
            {columns.map((column) => (
              <td
                key={column.title}
                className={classOf(column)}
                data-title={column.lead ? undefined : column.title}
              >
                <div className={css.cell}>{column.cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};
