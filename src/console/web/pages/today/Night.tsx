import type { TodayAnswer } from '../../../../api-contract/today.ts';
import { TablePanel } from '../../components/DataTable.tsx';
import { LastRun } from '../../components/LastRun.tsx';
import { Panel } from '../../components/page-parts.tsx';
import { AccountLink, Time, UntrustedText } from '../../components/text.tsx';
import { formatDuration } from '../../data/format.ts';
import { scheduleTasks } from '../../data/schedule-tasks.ts';

const duration = (ms: number | null): string => (ms === null ? '–' : formatDuration(ms));

/** Changing calls of the last 24 hours by account. */
export const ServiceCalls = ({ calls }: { calls: TodayAnswer['calls'] }) => (
  <TablePanel
    title="Calls to the service"
    note="24 hours"
    caption="Calls that change something at the service, by account"
    rows={calls}
    keyOf={({ account }) => account}
    columns={[
      { title: 'Account', lead: true, cell: ({ account }) => <AccountLink account={account} /> },
      { title: 'Calls', count: (row) => row.calls },
      { title: 'Unclear', count: (row) => row.unclear },
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
);

/** The last and next runs of schedules. */
export const ScheduledRuns = ({ today: { schedules } }: { today: TodayAnswer }) => (
  <Panel title="Schedules" flush={schedules.length > 0}>
    {schedules.length === 0 ? (
      <p className="dim">No schedule is set.</p>
    ) : (
      <ul>
        {schedules.map((one) => (
          <li key={`${one.account} ${one.kind}`} className="spread padded">
            <div>
              {scheduleTasks[one.kind]}
              <span className="dim small">
                {' '}
                · <UntrustedText text={one.account} />
              </span>
              <div className="dim small">
                Last: <LastRun account={one.account} run={one} />
              </div>
            </div>
            <span className="right" title={one.timing}>
              {one.nextAt ? (
                <Time at={one.nextAt} account={one.account} relative />
              ) : (
                <span className="dim">{one.timing}</span>
              )}
            </span>
          </li>
        ))}
      </ul>
    )}
  </Panel>
);
