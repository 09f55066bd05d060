import { Button } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReportsAnswer } from '../../../api/schemas/reports.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { Empty } from '../../components/Empty.tsx';
import { AccountFilter, FilterBar, FilterSelect, useFilters } from '../../components/FilterBar.tsx';
import { Foreign } from '../../components/Foreign.tsx';
import { ListPage } from '../../components/ListPage.tsx';
import { NoteDialog } from '../../components/NoteDialog.tsx';
import { Time } from '../../components/Time.tsx';
import { apiUrl, request } from '../../data/request.ts';
import { useMayAct } from '../../data/session.ts';
import { sinceOf, spans } from '../../data/spans.ts';
import { usePage } from '../../data/use-page.ts';
import { useAccounts, useColumnZone } from '../../data/zones.tsx';

/** Written result files and status reports, and the orders of a range as a sheet. */
const ReportsPage = () => {
  const search = useSearch({ from: '/reports' });
  const set = useFilters(search);
  const { account, from } = search;
  const filter = { account, from: sinceOf(from) };
  const list = usePage<ReportsAnswer>('reports', '/reports', { ...filter, cursor: search.cursor, limit: 50 });
  const column = useColumnZone(account);
  const accounts = useAccounts();
  const mayAct = useMayAct();
  const [writing, setWriting] = useState<string>();
  const one = account ?? (accounts.length === 1 ? accounts[0]!.account : undefined);
  return (
    <>
      <ListPage
        title="Reports"
        lead="Result files and status reports that were written"
        list={list}
        csv={apiUrl('/reports/orders', filter)}
        csvLabel="Orders of this selection as CSV"
        actions={
          mayAct && one ? (
            <Button variant="default" onClick={() => setWriting(one)}>
              Write the status report of {one.slice(0, 40)} …
            </Button>
          ) : null
        }
        filters={
          <FilterBar search={search}>
            <AccountFilter value={account} onChange={(value) => set({ account: value })} />
            <FilterSelect
              label="Time"
              all="Any time"
              value={from}
              choices={spans}
              onChange={(value) => set({ from: value })}
            />
          </FilterBar>
        }
        empty={
          <Empty icon="reports" title="No reports yet">
            A result file is written for each import, and a status report by the schedule of each account.
          </Empty>
        }
      >
        {({ items }) => (
          <DataTable
            caption="Reports"
            rows={items}
            keyOf={({ kind, account: name, importId, fileName }) => `${kind} ${name} ${importId} ${fileName}`}
            columns={[
              {
                title: 'File',
                lead: true,
                grow: true,
                cell: ({ fileName }) => <Foreign as="line" text={fileName} />,
              },
              {
                title: 'Kind',
                cell: ({ kind }) => (kind === 'result' ? 'Result file' : 'Status report'),
              },
              { title: 'Account', cell: (row) => <Foreign as="line" text={row.account} /> },
              {
                title: 'Of the file',
                wide: true,
                cell: ({ importId, sourceName }) =>
                  importId && sourceName ? (
                    <Link to="/imports/$id" params={{ id: importId }}>
                      <Foreign as="line" text={sourceName} />
                    </Link>
                  ) : (
                    <span className="dim">–</span>
                  ),
              },
              {
                title: `Written (${column.name})`,
                align: 'right',
                cell: ({ writtenAt, due }) => (
                  <>
                    <Time at={writtenAt} column={column} none="not yet" />
                    {due ? <span className="dim"> (written again soon)</span> : null}
                  </>
                ),
              },
              {
                title: 'Download',
                align: 'right',
                cell: ({ href, available, why, fileName }) =>
                  available ? (
                    <a href={href} download aria-label={`Download ${fileName.slice(0, 80)}`}>
                      Download
                    </a>
                  ) : (
                    <span className="dim" title={why ?? undefined}>
                      not here
                    </span>
                  ),
              },
            ]}
          />
        )}
      </ListPage>
      {writing ? (
        <NoteDialog
          title={`Write the status report of ${writing} now?`}
          confirm="Write it now"
          act={(note) =>
            request<{ sentence: string }>('/reports', {
              method: 'POST',
              body: { account: writing, ...(note ? { note } : {}) },
            })
          }
          onClose={() => setWriting(undefined)}
        >
          It replaces the last status report of the account. The schedule stays as it is.
        </NoteDialog>
      ) : null}
    </>
  );
};

export default ReportsPage;
