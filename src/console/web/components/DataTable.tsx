import { Button } from '@mantine/core';
import { useMediaQuery, useSet } from '@mantine/hooks';
import { useEffect, useId, useRef, useState } from 'react';
import { formatCount, formatMoney } from '../data/format.ts';
import css from './DataTable.module.css';
import { PartPager } from './Pager.tsx';
import { Panel, type PanelProps } from './page-parts.tsx';
import {
  type Column,
  classOf,
  hiddenOnCards,
  type Selection,
  type Sorting,
  TableHead,
} from './table-head.tsx';
import { dash, Time, type TimeProps, UntrustedText } from './text.tsx';

/** As in the style sheets: below it, rows become cards. */
const narrow = '(max-width: 699px)';

export interface DataTableProps<Row> {
  /** The caption for screen readers. */
  caption: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  selection?: Selection<Row> | undefined;
  /** Without it no column can be sorted. */
  sorting?: Sorting | undefined;
  /** The time zone of its times. */
  times?: Pick<TimeProps, 'account' | 'column'>;
  /** Rows per page of the table. */
  pageSize?: number;
  /** The key of a row to scroll to, and the visit that asked for it, so that a link can be followed again. */
  goTo?: { key: string | undefined; visit: string } | undefined;
}

/** The start of the shown page of rows; moves to the page of a row when it is asked for. */
const usePart = <Row,>({ rows, keyOf, pageSize, goTo }: DataTableProps<Row>) => {
  const [from, setFrom] = useState(0);
  const target = useRef<HTMLTableRowElement>(null);
  const at = goTo?.key === undefined ? -1 : rows.findIndex((row) => keyOf(row) === goTo.key);
  const part = at < 0 || pageSize === undefined ? 0 : at - (at % pageSize);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when a row is asked for, not when rows are refetched.
  useEffect(() => {
    if (at < 0) return;
    setFrom(part);
    // After rendering.
    const frame = requestAnimationFrame(() => {
      target.current?.scrollIntoView({ block: 'center' });
      target.current?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [goTo?.key, goTo?.visit, at < 0]);
  // The number of rows can shrink.
  const shown = from < rows.length ? from : 0;
  return { from: shown, setFrom, target, targetKey: at < 0 ? undefined : goTo?.key };
};

interface ContentProps<Row> extends Pick<DataTableProps<Row>, 'times'> {
  column: Column<Row>;
  row: Row;
}

const Content = <Row,>({ column, row, times }: ContentProps<Row>) => {
  const { cell, text, line, count, money, ago, mono } = column;
  const words = (text ?? line)?.(row);
  if (words === null) return null;
  if (words !== undefined) return <UntrustedText as={line ? 'line' : 'inline'} text={words} mono={mono} />;
  if (ago) return <Time at={ago(row)} relative none="never" {...times} />;
  if (cell) return cell(row);
  const number = count?.(row);
  const amount = money?.(row);
  return number != null ? formatCount(number) : amount != null ? formatMoney(amount) : dash;
};

/** A dense table whose rows become cards on a narrow page: a card shows three facts, and the others once it is opened. */
export const DataTable = <Row,>(props: DataTableProps<Row>) => {
  const { caption, rows, keyOf, selection, sorting, times, pageSize } = props;
  const columns = props.columns.filter(({ when = true }) => when);
  const { from, setFrom, target, targetKey } = usePart(props);
  const opened = useSet<string>();
  const base = useId();
  const hidden = hiddenOnCards(columns);
  const isNarrow = useMediaQuery(narrow, false, { getInitialValueInEffect: false }) && hidden.size > 0;
  const part = pageSize === undefined ? rows : rows.slice(from, from + pageSize);
  return (
    <>
      <table className={css.table}>
        <caption className="hidden-text">{caption}</caption>
        <TableHead columns={columns} rows={part} selection={selection} sorting={sorting} />
        <tbody>
          {part.map((row, at) => {
            const key = keyOf(row);
            const isOpen = opened.has(key);
            const isTarget = key === targetKey;
            return (
              <tr
                key={key}
                data-selected={selection?.has(row) || undefined}
                data-open={isOpen || undefined}
                data-target={isTarget || undefined}
                ref={isTarget ? target : undefined}
                tabIndex={isTarget ? -1 : undefined}
              >
                {selection ? (
                  <td className={css.check}>
                    <label>
                      <input
                        type="checkbox"
                        aria-label={`Select ${selection.nameOf(row)}`}
                        checked={selection.has(row)}
                        onChange={() => selection.toggle(row)}
                      />
                    </label>
                  </td>
                ) : null}
                {columns.map((column) => (
                  <td
                    key={column.title}
                    id={isNarrow && column.lead ? `${base}lead${at}` : undefined}
                    className={`${classOf(column)} ${hidden.has(column) ? css.more : ''}`}
                    data-title={column.lead ? undefined : column.title}
                  >
                    <div className={css.cell}>
                      <Content column={column} row={row} times={times} />
                    </div>
                  </td>
                ))}
                {isNarrow ? (
                  <td className={css.opener}>
                    <Button
                      size="compact-sm"
                      variant="default"
                      id={`${base}more${at}`}
                      aria-labelledby={`${base}more${at} ${base}lead${at}`}
                      aria-expanded={isOpen}
                      onClick={() => opened.delete(key) || opened.add(key)}
                    >
                      {isOpen ? 'Less' : 'More'}
                    </Button>
                  </td>
                ) : null}
              </tr>
            );
          })}
        </tbody>
      </table>
      {pageSize !== undefined && rows.length > pageSize ? (
        <PartPager label={caption} from={from} size={pageSize} total={rows.length} onFrom={setFrom} />
      ) : null}
    </>
  );
};

type TablePanelProps<Row> = DataTableProps<Row> & Omit<PanelProps, 'flush' | 'children'>;

/** A panel with a table. */
export const TablePanel = <Row,>({ title, aside, note, ...table }: TablePanelProps<Row>) => (
  <Panel title={title} aside={aside} note={note} flush>
    <DataTable {...table} />
  </Panel>
);
