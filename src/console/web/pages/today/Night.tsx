import { Link } from '@tanstack/react-router';
import type { TodayAnswer } from '../../../api/schemas/today.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { Foreign } from '../../components/Foreign.tsx';
import { Panel } from '../../components/Panel.tsx';
import { Time } from '../../components/Time.tsx';
import { formatCount, formatDuration } from '../../data/format.ts';
import css from './Night.module.css';

const duration = (ms: number | null): string => (ms === null ? '–' : formatDuration(ms));

/** Changing calls of the last 24 hours by account. */
export const ServiceCalls = ({ calls }: { calls: TodayAnswer['calls'] }) => (
  <Panel title="Calls to the service" aside={<span className="dim small">24 hours</span>} flush>
    <DataTable
      caption="Calls that change something at the service, by account"
      rows={calls}
      keyOf={({ account }) => account}
      columns={[
        {
          title: 'Account',
          lead: true,
          cell: ({ account }) => (
            <Link to="/accounts/$account" params={{ account }}>
              <Foreign text={account} />
            </Link>
          ),
        },
        { title: 'Calls', align: 'right', cell: (row) => formatCount(row.calls) },
        { title: 'Unclear', align: 'right', cell: (row) => formatCount(row.unclear) },
        {
          title: 'Took (95 %)',
          align: 'right',
          cell: (row) => (
            <span
              title={`Half of the calls took at most ${duration(row.p50Ms)}, 95 % at most ${duration(row.p95Ms)}`}
            >
              {duration(row.p95Ms)}
            </span>
          ),
        },
      ]}
    />
  </Panel>
);

const works = {
  poll: 'Fetch order statuses',
  report: 'Write the status report',
  take_files: 'Pick up files',
};

/** When the schedules run next. */
export const NextRuns = ({ today: { nextRuns } }: { today: TodayAnswer }) => (
  <Panel title="Next runs" flush={nextRuns.length > 0}>
    {nextRuns.length === 0 ? (
      <p className="dim">No schedule is set.</p>
    ) : (
      <ul className={css.runs}>
        {nextRuns.map(({ account, what, at, timing }) => (
          <li key={`${account} ${what}`} className={css.run}>
            <span>
              {works[what]}
              <span className="dim small">
                {' '}
                · <Foreign text={account} />
              </span>
            </span>
            <span className={css.when} title={timing}>
              {at ? <Time at={at} account={account} relative /> : <span className="dim">{timing}</span>}
            </span>
          </li>
        ))}
      </ul>
    )}
  </Panel>
);
