import { useSearch } from '@tanstack/react-router';
import type { ImportSummary, ImportsAnswer } from '../../../../api-contract/imports.ts';
import { ImportBadge } from '../../components/badges.tsx';
import {
  AccountFilter,
  FilterBar,
  FilterSelect,
  FilterText,
  isFiltered,
  useSorting,
} from '../../components/FilterBar.tsx';
import { ListPage } from '../../components/ListPage.tsx';
import { Empty } from '../../components/page-parts.tsx';
import { addedUp, StateBar } from '../../components/StateBar.tsx';
import type { Column } from '../../components/table-head.tsx';
import { dash, ImportLink, Time, UntrustedText } from '../../components/text.tsx';
import { formatDuration } from '../../data/format.ts';
import { apiUrl, usePage } from '../../data/request.ts';
import { sinceOf, spans } from '../../data/spans.ts';
import { useColumnZone } from '../../data/zones.tsx';

const outcomes: [string, string][] = [
  ['reading', 'Being read'],
  ['waiting', 'Waiting for its meaning'],
  ['placing', 'Being placed'],
  ['finished', 'Finished, with any outcome'],
  ['complete', 'Complete'],
  ['partly_ordered', 'Partly ordered'],
  ['held', 'Waiting for you: all held'],
  ['nothing_ordered', 'Nothing ordered'],
  ['not_needed', 'Not needed'],
  ['refused', 'Refused'],
  ['repeated', 'Repeated'],
];

const sorts: [string, string][] = [
  ['received.oldest', 'Earliest first'],
  ['file.oldest', 'File name, ascending'],
  ['file', 'File name, descending'],
  ['pos', 'Most purchase orders first'],
  ['pos.oldest', 'Fewest purchase orders first'],
  ['rows', 'Most rows first'],
  ['rows.oldest', 'Fewest rows first'],
];

const columnsIn = (column: { zone: string | undefined; name: string }): Column<ImportSummary>[] => [
  {
    title: 'File',
    lead: true,
    grow: true,
    sort: { key: 'file', first: 'oldest' },
    cell: ({ id, fileName }) => <ImportLink id={id} name={fileName} as="line" />,
  },
  { title: 'Outcome', fact: true, cell: ({ outcome }) => <ImportBadge outcome={outcome} /> },
  {
    title: 'Purchase orders',
    fact: true,
    sort: { key: 'pos', first: 'newest' },
    cell: ({ states, elsewhere, reasonText, poCount }) =>
      poCount === 0 && reasonText ? (
        <UntrustedText as="line" text={reasonText} />
      ) : (
        <StateBar states={addedUp(states, elsewhere)} />
      ),
  },
  {
    title: 'Rows',
    wide: true,
    sort: { key: 'rows', first: 'newest' },
    count: ({ rowCount }) => rowCount,
  },
  { title: 'Issues', wide: true, count: ({ issueCount }) => issueCount || null },
  { title: 'Account', wide: true, line: ({ account }) => account },
  {
    title: 'From',
    wide: true,
    line: ({ source, uploadedBy: who }) =>
      who
        ? `${source === 'correction' ? 'Corrected by ' : ''}${who}`
        : source === 'upload'
          ? 'Upload'
          : 'Folder',
  },
  {
    title: 'Took',
    align: 'right',
    wide: true,
    cell: ({ durationMs }) => (durationMs === null ? dash : formatDuration(durationMs)),
  },
  {
    title: `Received (${column.name})`,
    align: 'right',
    fact: true,
    sort: { key: 'received', first: 'newest' },
    cell: ({ takenAt }) => <Time at={takenAt} column={column} />,
  },
];

/** All imports. */
const ImportsPage = () => {
  const search = useSearch({ from: '/imports' });
  const { account, outcome, file, from } = search;
  const filter = { account, outcome, file, from: sinceOf(from) };
  const column = useColumnZone(account);
  const sorting = useSorting(search, 'received');
  const [sort, order] = (search.sort ?? '').split('.');
  const query = { ...filter, sort, order };
  const list = usePage<ImportsAnswer>('imports', '/imports', { ...query, cursor: search.cursor, limit: 50 });
  return (
    <ListPage
      title="Imports"
      lead="Every purchase file that came in"
      list={list}
      views={{ page: 'imports', search }}
      csv={apiUrl('/imports', { ...query, format: 'csv' })}
      filters={
        <FilterBar search={search}>
          <FilterText name="file" label="Part of the file name" />
          <AccountFilter />
          <FilterSelect name="outcome" label="Outcome" all="All outcomes" choices={outcomes} />
          <FilterSelect name="from" label="Received" all="Any time" choices={spans} />
          <FilterSelect name="sort" label="Sorted" all="Latest first" choices={sorts} />
        </FilterBar>
      }
      empty={
        <Empty icon="imports" title={isFiltered(search) ? 'No import matches' : 'No files yet'}>
          {isFiltered(search)
            ? 'Remove a filter to see more.'
            : 'Put a purchase file into the inbox of an account, or upload one here.'}
        </Empty>
      }
      table={{ keyOf: ({ id }) => id, columns: columnsIn(column), sorting }}
    />
  );
};

export default ImportsPage;
