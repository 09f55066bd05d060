import { Button, Checkbox, NativeSelect } from '@mantine/core';
import type { RefObject } from 'react';
import type { CorrectionAnswer, MarkedCell } from '../../../../api-contract/corrections.ts';
import { Icon } from '../../components/Icon.tsx';
import { PartPager } from '../../components/Pager.tsx';
import { formatCountOf } from '../../data/format.ts';
import { addColumn, addRow, type Grid, type Place, poColumnOf } from './grid-rows.ts';

interface GridToolsProps {
  grid: Grid;
  marks: ReadonlyMap<string, readonly MarkedCell[]>;
  answer: CorrectionAnswer;
  page: number;
  pageSize: number;
  setPage: (page: number) => void;
  withUnread: boolean;
  setWithUnread: (withUnread: boolean) => void;
  change: (to: (before: Grid) => Grid) => void;
  focus: (place: Place) => void;
  /** The cell that was focused last. */
  last: RefObject<Place>;
}

/** The next cell to correct after the focused one, or the first one. */
const nextWrong = (grid: Grid, marks: GridToolsProps['marks'], from: Place): Place | undefined => {
  const poAt = poColumnOf(grid);
  const all = grid.rows.flatMap(({ key }, row) =>
    (marks.get(key) ?? [])
      .filter(({ kind }) => kind !== 'note')
      .map(({ column }) => ({ row, column: column ?? poAt }))
      .sort((one, other) => one.column - other.column),
  );
  return (
    all.find(({ row, column }) => row > from.row || (row === from.row && column > from.column)) ?? all[0]
  );
};

/** Tools for the whole grid. */
export const GridTools = ({ answer, grid, marks, change, focus, last, ...shown }: GridToolsProps) => {
  const { page, pageSize, setPage, withUnread, setWithUnread } = shown;
  const { rows, columns } = grid;
  const unread = columns.filter(({ field }) => field === null).length;
  const addable = answer.further.filter(({ field }) => !columns.some((one) => one.field === field));
  const go = () => {
    const next = nextWrong(grid, marks, last.current);
    if (next) focus(next);
  };
  return (
    <div className="stack-tight padded">
      <p className="dim small">
        Enter and the arrow keys move from cell to cell, and cells that you copied in a spreadsheet can be
        pasted. Each change is checked at once by the rules for files.
      </p>
      <div className="row">
        <Button size="xs" variant="default" leftSection={<Icon name="alert" />} onClick={go}>
          Next cell to correct
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={rows.length >= answer.mostRows}
          onClick={() => {
            change(addRow);
            focus({ row: rows.length, column: poColumnOf(grid) });
          }}
        >
          Add a row
        </Button>
        {addable.length > 0 ? (
          <NativeSelect
            size="xs"
            aria-label="Add a column"
            value=""
            data={[
              { value: '', label: 'Add a column …' },
              ...addable.map(({ header, label }) => ({ value: header, label: label ?? header })),
            ]}
            onChange={(event) => {
              const column = addable.find(({ header }) => header === event.currentTarget.value);
              if (column) change((before) => addColumn(before, column));
            }}
          />
        ) : null}
        {unread > 0 ? (
          <Checkbox
            label={`Show ${formatCountOf(unread, 'column that is not read', 'columns that are not read')}`}
            checked={withUnread}
            onChange={(event) => setWithUnread(event.currentTarget.checked)}
          />
        ) : null}
        {rows.length > pageSize ? (
          <PartPager
            label="the rows"
            words={['Rows before', 'Rows after']}
            from={page * pageSize}
            size={pageSize}
            total={rows.length}
            onFrom={(from) => setPage(from / pageSize)}
          />
        ) : null}
      </div>
    </div>
  );
};
