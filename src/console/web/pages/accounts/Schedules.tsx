import { Button } from '@mantine/core';
import { useState } from 'react';
import type { AccountActionAnswer, AccountDetail } from '../../../api/schemas/accounts.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { LastRun } from '../../components/LastRun.tsx';
import { NoteDialog } from '../../components/NoteDialog.tsx';
import { Panel } from '../../components/Panel.tsx';
import { Time } from '../../components/Time.tsx';
import { UntrustedText } from '../../components/UntrustedText.tsx';
import { request } from '../../data/request.ts';
import { scheduleTasks } from '../../data/schedule-tasks.ts';
import { useMayAct } from '../../data/session.ts';

type Kind = AccountDetail['schedules'][number]['kind'];

/** When the account's schedules ran and run, and a way to run one now. */
export const Schedules = ({ one: { account, schedules } }: { one: AccountDetail }) => {
  const [kind, setKind] = useState<Kind>();
  const mayAct = useMayAct();
  return (
    <Panel title="Schedules" flush>
      <DataTable
        caption="Schedules"
        rows={schedules}
        keyOf={(schedule) => schedule.kind}
        columns={[
          { title: 'What', lead: true, cell: (schedule) => scheduleTasks[schedule.kind] },
          { title: 'When', cell: ({ timing }) => <UntrustedText text={timing} /> },
          { title: 'Last', cell: (schedule) => <LastRun account={account} run={schedule} /> },
          { title: 'Next', cell: ({ nextAt }) => <Time at={nextAt} account={account} relative /> },
          ...(mayAct
            ? [
                {
                  title: 'Run now',
                  act: true,
                  align: 'right' as const,
                  cell: (schedule: AccountDetail['schedules'][number]) => (
                    <Button size="compact-xs" variant="default" onClick={() => setKind(schedule.kind)}>
                      Run now …
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
      {kind ? (
        <NoteDialog
          title={`${scheduleTasks[kind]} now?`}
          confirm={`${scheduleTasks[kind]} now`}
          act={(note) =>
            request<AccountActionAnswer>(`/accounts/${encodeURIComponent(account)}/run`, {
              method: 'POST',
              body: { kind, ...(note ? { note } : {}) },
            })
          }
          onClose={() => setKind(undefined)}
        >
          It runs as soon as a worker is free. The schedule stays as it is.
        </NoteDialog>
      ) : null}
    </Panel>
  );
};
