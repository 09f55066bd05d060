import { Button, NativeSelect } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReportsAnswer } from '../../../../api-contract/reports.ts';
import { useDialog } from '../../components/Dialog.tsx';
import { AccountFilter, FilterBar, FilterSelect } from '../../components/FilterBar.tsx';
import { ListPage } from '../../components/ListPage.tsx';
import { NoteDialog } from '../../components/NoteDialog.tsx';
import { Empty } from '../../components/page-parts.tsx';
import { dash, ImportLink, Time } from '../../components/text.tsx';
import { apiUrl, post, usePage } from '../../data/request.ts';
import { useMayAct } from '../../data/session.ts';
import { sinceOf, spans } from '../../data/spans.ts';
import { useAccounts, useColumnZone } from '../../data/zones.tsx';

const formatWords: Record<string, string> = {
  csv: 'CSV',
  'lines.csv': 'Lines as CSV',
  xlsx: 'XLSX',
  json: 'JSON',
};

interface WriteReportProps {
  /** Undefined: must be chosen. */
  account: string | undefined;
  onClose: () => void;
}

const WriteReport = ({ account: one, onClose }: WriteReportProps) => {
  const accounts = useAccounts();
  const [account, setAccount] = useState(one ?? '');
  return (
    <NoteDialog
      title={one ? `Write the status report of ${one} now?` : 'Write the status report of an account now?'}
      confirm="Write it now"
      ready={account !== ''}
      act={(note) => post('/reports', { account, note })}
      onClose={onClose}
    >
      {one ? null : (
        <NativeSelect
          label="Account"
          value={account}
          data={[
            { value: '', label: 'Choose an account' },
            ...accounts.map(({ account: name }) => ({ value: name, label: name })),
          ]}
          onChange={({ currentTarget }) => setAccount(currentTarget.value)}
        />
      )}
      It replaces the last status report of the account. The schedule stays as it is.
    </NoteDialog>
  );
};

/** Written result files and status reports, and the orders of a range as a sheet. */
const ReportsPage = () => {
  const search = useSearch({ from: '/reports' });
  const { account, from } = search;
  const filter = { account, from: sinceOf(from) };
  const list = usePage<ReportsAnswer>('reports', '/reports', { ...filter, cursor: search.cursor, limit: 50 });
  const column = useColumnZone(account);
  const accounts = useAccounts();
  const mayAct = useMayAct();
  const openDialog = useDialog();
  const one = account ?? (accounts.length === 1 ? accounts[0]!.account : undefined);
  return (
    <ListPage
      title="Reports"
      lead="Result files and status reports that were written"
      list={list}
      csv={apiUrl('/orders', { account, orderedFrom: filter.from?.slice(0, 10), format: 'csv' })}
      csvLabel="Orders of this selection as CSV"
      actions={
        mayAct && accounts.length > 0 ? (
          <Button
            variant="default"
            onClick={() => openDialog((close) => <WriteReport account={one} onClose={close} />)}
          >
            {one ? `Write the status report of ${one.slice(0, 40)} …` : 'Write a status report now …'}
          </Button>
        ) : null
      }
      filters={
        <FilterBar search={search}>
          <AccountFilter />
          <FilterSelect name="from" label="Time" all="Any time" choices={spans} />
        </FilterBar>
      }
      empty={
        <Empty icon="reports" title="No reports yet">
          A result file is written for each import, and a status report by the schedule of each account.
        </Empty>
      }
      table={{
        keyOf: ({ kind, account: name, importId, fileName }) => `${kind} ${name} ${importId} ${fileName}`,
        columns: [
          { title: 'File', lead: true, grow: true, line: ({ fileName }) => fileName },
          { title: 'Kind', cell: ({ kind }) => (kind === 'result' ? 'Result file' : 'Status report') },
          { title: 'Account', line: (row) => row.account },
          {
            title: 'Of the file',
            wide: true,
            cell: ({ importId, sourceName }) =>
              importId && sourceName ? <ImportLink id={importId} name={sourceName} as="line" /> : dash,
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
            act: true,
            align: 'right',
            cell: ({ href, available, why, fileName, others }) =>
              available || others.length > 0 ? (
                <span className="row">
                  {[...(available ? [{ format: undefined, fileName, href }] : []), ...others].map((file) => (
                    <a
                      key={file.href}
                      href={file.href}
                      download
                      aria-label={`Download ${file.fileName.slice(0, 80)}`}
                    >
                      {file.format === undefined ? 'Download' : (formatWords[file.format] ?? file.format)}
                    </a>
                  ))}
                </span>
              ) : (
                <span className="dim" title={why ?? undefined}>
                  not here
                </span>
              ),
          },
        ],
      }}
    />
  );
};

export default ReportsPage;
