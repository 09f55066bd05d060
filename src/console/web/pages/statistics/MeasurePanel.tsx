import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import type { StatisticsAnswer, StatisticsPeriod } from '../../../../api-contract/statistics.ts';
import bars from '../../components/bars.module.css';
import { DataTable } from '../../components/DataTable.tsx';
import { Panel } from '../../components/page-parts.tsx';
import type { Column } from '../../components/table-head.tsx';
import { formatCount, plain } from '../../data/format.ts';
import { roundUp } from '../../data/round-up.ts';
import css from './Chart.module.css';
import { type Measure, periodName, shortName } from './measures.ts';

const width = 360;
const height = 96;
/** Space above the bars, for the highest value. */
const head = 16;
const foot = 18;

interface ChartProps {
  measure: Measure;
  answer: StatisticsAnswer;
}

/** Bars of one measure, in one colour. An unfinished period is hatched; a period without a value yet is a dot. */
const Chart = ({ measure, answer: { periods, by, total } }: ChartProps) => {
  const hatch = useId();
  const values = periods.map(measure.value);
  const highest = Math.max(0, ...values.map((value) => value ?? 0));
  const top = measure.top ?? roundUp(highest);
  const step = width / periods.length;
  const bar = Math.max(1, step - Math.min(3, step / 4));
  const at = highest === 0 ? -1 : values.lastIndexOf(highest);
  const peak = periods[at];
  const says = `${measure.title}: ${measure.show(total)} in all${peak ? `; the most, ${measure.show(peak)}, ${periodName(peak, by)}` : ''}`;
  const ticks = periods.length < 3 ? [0] : [0, Math.floor(periods.length / 2), periods.length - 1];
  const anchor = (index: number) => (index === 0 ? 'start' : index === periods.length - 1 ? 'end' : 'middle');
  return (
    <svg
      className={`${bars.chart} ${css.chart}`}
      viewBox={`0 0 ${width} ${head + height + foot}`}
      role="img"
      aria-label={says}
    >
      <defs>
        <pattern id={hatch} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect className={css.ground} width="4" height="4" />
          <rect className={bars.bar} width="1.6" height="4" />
        </pattern>
      </defs>
      <line className={css.grid} x1="0" x2={width} y1={head} y2={head} />
      <line className={css.grid} x1="0" x2={width} y1={head + height / 2} y2={head + height / 2} />
      <line className={bars.axis} x1="0" x2={width} y1={head + height + 0.5} y2={head + height + 0.5} />
      {periods.map((period, index) => {
        const value = values[index]!;
        const tall = value === null || value === 0 ? 0 : Math.max(2, (value / top) * height);
        const x = index * step + (step - bar) / 2;
        return (
          <g key={period.from}>
            <title>{`${periodName(period, by)}: ${value === null ? 'nothing can be said yet' : measure.show(period)}`}</title>
            <rect className={bars.hit} x={index * step} y={head} width={step} height={height} />
            {value === null ? (
              <circle className={css.dot} cx={x + bar / 2} cy={head + height - 2} r="1" />
            ) : (
              <rect
                className={period.isRunning ? css.running : bars.bar}
                fill={period.isRunning ? `url(#${hatch})` : undefined}
                x={x}
                y={head + height - tall}
                width={bar}
                height={tall}
              />
            )}
          </g>
        );
      })}
      {peak ? (
        <text
          className={css.peak}
          x={Math.min(width - 1, Math.max(1, (at + 0.5) * step))}
          y={head + height - (highest / top) * height - 3}
          textAnchor={at < periods.length / 4 ? 'start' : at > (periods.length * 3) / 4 ? 'end' : 'middle'}
        >
          {measure.show(peak)}
        </text>
      ) : null}
      {/* The scale, on the side that the highest bar leaves free. */}
      <text
        className={bars.label}
        x={at < periods.length / 2 ? width : 0}
        y={head - 4}
        textAnchor={at < periods.length / 2 ? 'end' : 'start'}
      >
        {measure.showTop(top)}
      </text>
      {ticks.map((index) => (
        <text
          key={index}
          className={bars.label}
          x={index === 0 ? 0 : index === periods.length - 1 ? width : (index + 0.5) * step}
          y={head + height + 13}
          textAnchor={anchor(index)}
        >
          {shortName(periods[index]!, by)}
        </text>
      ))}
    </svg>
  );
};

interface MeasurePanelProps {
  measure: Measure;
  answer: StatisticsAnswer;
  account: string | undefined;
  /** Address of the figures as CSV. */
  csv: string;
}

const reasonsOf = ({ states = [] }: Measure, { reasons }: StatisticsAnswer) =>
  reasons.filter(({ state }) => states.includes(state));

/** The hold or failure reasons, each with a link to the POs that have it now. */
const Reasons = ({ answer, measure, account }: Omit<MeasurePanelProps, 'csv'>) => {
  const found = reasonsOf(measure, answer);
  if (found.length === 0) return null;
  return (
    <ul className={css.reasons} aria-label="By reason">
      {found.map(({ state, reasonCode, meaning, count }) => (
        <li key={`${state} ${reasonCode}`}>
          <strong>{formatCount(count)}</strong>: {plain(meaning)}{' '}
          <Link to="/purchase-orders" search={{ account, state, reason: reasonCode }}>
            Those {state} now
          </Link>
        </li>
      ))}
    </ul>
  );
};

const columnsOf = (measure: Measure, answer: StatisticsAnswer): Column<StatisticsPeriod>[] => [
  {
    title: 'Period',
    lead: true,
    cell: (period) => <span className="no-wrap">{periodName(period, answer.by)}</span>,
  },
  { title: measure.top === 1 ? 'Share' : measure.title, align: 'right', cell: measure.show },
  ...(measure.more ?? []),
  ...reasonsOf(measure, answer).map(
    ({ state, reasonCode, periods }): Column<StatisticsPeriod> => ({
      title: `${reasonCode.replaceAll('_', ' ')}${state === 'rejected' ? ' (rejected)' : ''}`,
      count: ({ from }) => periods.find((one) => one.from === from)?.count ?? 0,
    }),
  ),
];

/** One measure: its sum, its chart, and its figures as a table. */
export const MeasurePanel = ({ measure, answer, account, csv }: MeasurePanelProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel title={measure.title} aside={<span className={css.sum}>{measure.show(answer.total)}</span>}>
      <div className="stack-tight">
        <p className="dim small">{measure.says}</p>
        <Chart measure={measure} answer={answer} />
        <Reasons answer={answer} measure={measure} account={account} />
        <details className={css.figures} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{measure.title} as a table</summary>
          {isOpen ? (
            <>
              <p>
                <a href={csv} download>
                  Download the figures as CSV
                </a>
              </p>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
              <section className={css.table} tabIndex={0} aria-label={`Figures: ${measure.title}`}>
                <DataTable
                  caption={measure.title}
                  rows={answer.periods.toReversed()}
                  keyOf={({ from }) => from}
                  columns={columnsOf(measure, answer)}
                />
              </section>
            </>
          ) : null}
        </details>
      </div>
    </Panel>
  );
};
