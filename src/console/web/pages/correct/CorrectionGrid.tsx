import { memo, useId, useMemo } from 'react';
import type { CorrectionColumn, MarkedCell } from '../../../../api-contract/corrections.ts';
import { Icon } from '../../components/Icon.tsx';
import { UntrustedText, visibleText } from '../../components/text.tsx';
import { formatCount } from '../../data/format.ts';
import css from './CorrectionGrid.module.css';
import { type CellActions, GridCell } from './GridCell.tsx';
import type { CellsOfFile, GridRow } from './grid-rows.ts';

const noMarks: readonly MarkedCell[] = [];

/** Props that every row gets from the grid. */
interface OfGrid {
  /** The number of the very first row. */
  firstRow: number;
  columns: readonly CorrectionColumn[];
  /** Positions of the shown columns. */
  shown: readonly number[];
  actions: CellActions;
  onRemove: (at: number) => void;
}

interface GridLineProps extends OfGrid {
  row: GridRow;
  at: number;
  lists: ReadonlyMap<number, string>;
  marks: readonly MarkedCell[];
  /** Cells as in the file; undefined: the row is new. */
  before: readonly string[] | undefined;
}

const GridLine = memo(
  ({ row, at, firstRow, columns, shown, lists, marks, before, actions, onRemove }: GridLineProps) => {
    // The row number used in messages.
    const nth = formatCount(at + firstRow);
    const name = `row ${nth}`;
    const ofRow = marks.filter(({ column }) => column === null || !shown.includes(column));
    return (
      <tr>
        <th scope="row" className={css.rowHead}>
          <span className="row">
            {nth}
            <button
              type="button"
              className="icon-button"
              aria-label={`Remove ${name}`}
              title={`Remove ${name}`}
              onClick={() => onRemove(at)}
            >
              <Icon name="cross" size={12} />
            </button>
          </span>
          <span className={css.from}>
            {row.rowNumber === null ? 'new' : `row ${formatCount(row.rowNumber)} of the file`}
          </span>
          {ofRow.map(({ message }) => (
            <p key={message} className={css.why}>
              {visibleText(message)}
            </p>
          ))}
        </th>
        {shown.map((column) => {
          const own = marks.filter((mark) => mark.column === column);
          return (
            <GridCell
              key={column}
              row={at}
              column={column}
              about={columns[column]!}
              text={row.cells[column]!}
              before={before && (before[column] ?? '')}
              rowName={name}
              listId={lists.get(column)}
              marks={own.length > 0 ? own : noMarks}
              actions={actions}
            />
          );
        })}
      </tr>
    );
  },
);

interface CorrectionGridProps extends OfGrid {
  rows: readonly GridRow[];
  /** The index of the first of these rows among all rows. */
  from: number;
  /** By row key. */
  marks: ReadonlyMap<string, readonly MarkedCell[]>;
  ofFile: CellsOfFile;
}

/** Rows of a file as a table in which every cell can be corrected. */
export const CorrectionGrid = ({ rows, from, marks, ofFile, ...ofGrid }: CorrectionGridProps) => {
  const { columns, shown } = ofGrid;
  const id = useId();
  const lists = useMemo(
    () =>
      new Map(
        shown.flatMap((at): [number, string][] =>
          columns[at]!.choices.length > 0 ? [[at, `${id}-${at}`]] : [],
        ),
      ),
    [columns, shown, id],
  );
  return (
    <section className={css.scroll} aria-label="Rows to correct">
      {[...lists].map(([at, listId]) => (
        <datalist key={listId} id={listId}>
          {columns[at]!.choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      ))}
      <div className={css.wide}>
        <table className={css.grid}>
          <caption className="hidden-text">Rows to correct</caption>
          <thead>
            <tr>
              <th scope="col">Row</th>
              {shown.map((at) => {
                const { header, label } = columns[at]!;
                return (
                  <th key={at} scope="col">
                    <UntrustedText as="line" text={header} />
                    <span className="dim small">{label ?? 'not read'}</span>
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <GridLine
                key={row.key}
                row={row}
                at={from + at}
                lists={lists}
                marks={marks.get(row.key) ?? noMarks}
                before={ofFile.get(row.key)}
                {...ofGrid}
              />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
};
