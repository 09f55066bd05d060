import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { StatisticsAnswer, StatisticsPeriod } from '../../../api/schemas/statistics.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { Panel } from '../../components/page-parts.tsx';
import type { Column } from '../../components/table-head.tsx';
import { formatCount, plain } from '../../data/format.ts';
import css from './Chart.module.css';
import { Chart } from './Chart.tsx';
import { type Measure, periodName } from './measures.ts';

interface MeasurePanelProps {
  measure: Measure;
  answer: StatisticsAnswer;
  account: string | undefined;
  /** Address of the figures as CSV. */
  csv: string;
}

const states = { held: ['held'], failed: ['failed', 'rejected'] } as const;

/** The reasons of what was held, or failed and was rejected, each with a link to the POs that are so now. */
const Reasons = ({
  answer,
  which,
  account,
}: Pick<MeasurePanelProps, 'answer' | 'account'> & { which: keyof typeof states }) => {
  const found = answer.reasons.filter(({ state }) => (states[which] as readonly string[]).includes(state));
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
  ...measure.more.map(({ title, cell }): Column<StatisticsPeriod> => ({ title, align: 'right', cell })),
  ...(measure.key === 'held' || measure.key === 'failed'
    ? answer.reasons
        .filter(({ state }) =>
          (states[measure.key as keyof typeof states] as readonly string[]).includes(state),
        )
        .map(
          ({ state, reasonCode, periods }): Column<StatisticsPeriod> => ({
            title: `${reasonCode.replaceAll('_', ' ')}${state === 'rejected' ? ' (rejected)' : ''}`,
            align: 'right',
            cell: ({ from }) => formatCount(periods.find((one) => one.from === from)?.count ?? 0),
          }),
        )
    : []),
];

/** One measure: its sum, its chart, and its figures as a table. */
export const MeasurePanel = ({ measure, answer, account, csv }: MeasurePanelProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel title={measure.title} aside={<span className={css.sum}>{measure.show(answer.total)}</span>}>
      <div className="stack-tight">
        <p className="dim small">{measure.says}</p>
        <Chart measure={measure} answer={answer} />
        {measure.key === 'held' || measure.key === 'failed' ? (
          <Reasons answer={answer} which={measure.key} account={account} />
        ) : null}
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
