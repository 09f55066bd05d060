import type { AccountDetail } from '../../../api/schemas/accounts.ts';
import { AskButton } from '../../components/AskButton.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { LastRun } from '../../components/LastRun.tsx';
import { Panel } from '../../components/Panel.tsx';
import { Time } from '../../components/Time.tsx';
import { post } from '../../data/request.ts';
import { scheduleTasks } from '../../data/schedule-tasks.ts';
import { useMayAct } from '../../data/session.ts';

/** When the account's schedules ran and run, and a way to run one now. */
export const Schedules = ({ one: { account, schedules } }: { one: AccountDetail }) => {
  const mayAct = useMayAct();
  return (
    <Panel title="Schedules" flush>
      <DataTable
        caption="Schedules"
        rows={schedules}
        keyOf={(schedule) => schedule.kind}
        columns={[
          { title: 'What', lead: true, cell: (schedule) => scheduleTasks[schedule.kind] },
          { title: 'When', text: ({ timing }) => timing },
          { title: 'Last', cell: (schedule) => <LastRun account={account} run={schedule} /> },
          { title: 'Next', cell: ({ nextAt }) => <Time at={nextAt} account={account} relative /> },
          {
            title: 'Run now',
            when: mayAct,
            act: true,
            align: 'right',
            cell: ({ kind }) => (
              <AskButton
                word="Run now"
                size="compact-xs"
                title={`${scheduleTasks[kind]} now?`}
                confirm={`${scheduleTasks[kind]} now`}
                act={(note) => post(`/accounts/${encodeURIComponent(account)}/run`, { kind, note })}
              >
                It runs as soon as a worker is free. The schedule stays as it is.
              </AskButton>
            ),
          },
        ]}
      />
    </Panel>
  );
};
