import { useCallback, useMemo, useRef, useState } from 'react';
import type { CorrectionAnswer } from '../../../../api-contract/corrections.ts';
import { Panel, ProblemNote } from '../../components/page-parts.tsx';
import { UntrustedText } from '../../components/text.tsx';
import { formatCountOf } from '../../data/format.ts';
import { useKept } from '../../data/use-kept.ts';
import { ConfirmCorrection, CorrectionSummary } from './ConfirmCorrection.tsx';
import { CorrectionGrid } from './CorrectionGrid.tsx';
import type { CellActions } from './GridCell.tsx';
import { GridTools } from './GridTools.tsx';
import {
  acceptCell,
  cellsOfFile,
  changesOf,
  type Grid,
  type GridChanges,
  gridOf,
  pasteCells,
  removeRow,
  setCells,
} from './grid-rows.ts';
import { useCheck } from './use-check.ts';
import { useFocus } from './use-focus.ts';

const pageSize = 100;

interface EditorProps {
  answer: CorrectionAnswer;
  /** Storage key of unsaved input in this tab. */
  keptAs: string;
  /** Reads the rows again; false: they could not be read. */
  onReload: () => Promise<boolean>;
}

/** Stored input is usable only if the rows are still the same. */
const isOf = (grid: Grid | null, { columns, rows }: CorrectionAnswer): grid is Grid =>
  grid !== null &&
  columns.every(({ header }, at) => grid.columns[at]?.header === header) &&
  grid.rows.every(({ rowNumber }) => rowNumber === null || rows.some((one) => one.rowNumber === rowNumber));

const sayChanges = ({ cells, added, removed }: GridChanges): string =>
  [
    cells > 0 ? formatCountOf(cells, 'cell') : '',
    added > 0 ? `${formatCountOf(added, 'row')} added` : '',
    removed > 0 ? `${formatCountOf(removed, 'row')} removed` : '',
  ]
    .filter(Boolean)
    .join(', ');

/** A grid of rows that are checked while they are edited, with the outcome. */
export const CorrectionEditor = ({ answer, keptAs, onReload }: EditorProps) => {
  const kept = useKept<Grid | null>(keptAs, null);
  const [restored] = useState(() => (isOf(kept.value, answer) ? kept.value : undefined));
  const [grid, setGrid] = useState<Grid>(() => restored ?? gridOf(answer));
  const ofFile = useMemo(() => cellsOfFile(answer), [answer]);
  const changes = useMemo(() => sayChanges(changesOf(grid, ofFile)), [grid, ofFile]);
  const [revision, setRevision] = useState(restored ? 1 : 0);
  const [askedPage, setPage] = useState(0);
  const [withUnread, setWithUnread] = useState(false);
  const table = useRef<HTMLDivElement>(null);
  const { columns, rows } = grid;
  // The number of rows can shrink.
  const page = Math.min(askedPage, Math.max(0, Math.ceil(rows.length / pageSize) - 1));

  // Several cells may change before the next render.
  const latest = useRef({ grid, shown: [] as number[], keep: kept.keep });
  latest.current.keep = kept.keep;
  const change = useCallback((to: (before: Grid) => Grid) => {
    const next = to(latest.current.grid);
    if (next === latest.current.grid) return;
    latest.current.grid = next;
    setGrid(next);
    setRevision((before) => before + 1);
    latest.current.keep(next);
  }, []);
  const { check, marks, isChecking, isCurrent, error, again } = useCheck(answer, grid, revision);
  const marked = useMemo(() => new Set([...marks.values()].flat().map(({ column }) => column)), [marks]);
  const shown = useMemo(
    () => columns.flatMap(({ field }, at) => (field !== null || withUnread || marked.has(at) ? [at] : [])),
    [columns, withUnread, marked],
  );
  latest.current.shown = shown;
  const { focus, last } = useFocus({ table, page, setPage, pageSize });
  const actions = useMemo<CellActions>(
    () => ({
      write: (place, text) => change((before) => setCells(before, [{ ...place, text }])),
      paste: (place, pasted) =>
        change((before) => pasteCells(before, place, pasted, latest.current.shown, answer.mostRows)),
      accept: (place) => change((before) => acceptCell(before, place)),
      move: ({ row, column }, by) => {
        const next = latest.current.shown[latest.current.shown.indexOf(column) + by.column];
        if (next !== undefined && row + by.row >= 0 && row + by.row < latest.current.grid.rows.length)
          focus({ row: row + by.row, column: next });
      },
    }),
    [change, focus, answer.mostRows],
  );
  const remove = useCallback((at: number) => change((before) => removeRow(before, at)), [change]);

  const from = page * pageSize;
  const startOver = async () => {
    if (await onReload()) kept.forget();
  };
  const wrongCount = [...marks.values()].flat().filter(({ kind }) => kind !== 'note').length;
  return (
    <div className="stack">
      {answer.left > 0 ? (
        <Panel>
          <p>
            {formatCountOf(answer.left, 'more purchase order')} did not fit in here. Open the rest once these
            are ordered.
          </p>
        </Panel>
      ) : null}
      {restored && changes !== '' ? (
        <Panel>
          <p role="status">
            What you changed before is shown again, and was not ordered. “Start over” shows the rows as they
            are in the file.
          </p>
        </Panel>
      ) : null}
      {check.kind === 'read' ? <CorrectionSummary answer={answer} check={check} /> : null}
      <Panel
        title="Rows"
        aside={
          <span className="dim small" role="status">
            {isChecking
              ? 'Checking …'
              : wrongCount === 0
                ? 'No cell is marked.'
                : `${formatCountOf(wrongCount, 'cell')} to correct.`}
            {changes === '' ? '' : ` Changed: ${changes}.`}
          </span>
        }
        flush
      >
        <div ref={table}>
          <GridTools
            {...{ answer, grid, marks, page, pageSize, setPage, focus, last, change }}
            {...{ withUnread, setWithUnread }}
          />
          <CorrectionGrid
            {...{ columns, from, shown, ofFile, marks, actions }}
            rows={rows.slice(from, from + pageSize)}
            firstRow={answer.firstRow}
            onRemove={remove}
          />
        </div>
      </Panel>
      {check.kind === 'refused' ? (
        <Panel title="The rows cannot be read like this">
          <UntrustedText as="block" text={check.message} />
        </Panel>
      ) : null}
      {error ? <ProblemNote error={error} /> : null}
      <ConfirmCorrection
        {...{ answer, grid, check, isCurrent }}
        onDone={kept.forget}
        onConflict={again}
        onStartOver={startOver}
      />
    </div>
  );
};
