import { useSearch } from '@tanstack/react-router';
import type { ActivityAnswer, ActivityEntry } from '../../../../api-contract/activity.ts';
import { activityWords } from '../../../../api-contract/activity-words.ts';
import { AccountFilter, FilterBar, FilterSelect, FilterText } from '../../components/FilterBar.tsx';
import { ListPage } from '../../components/ListPage.tsx';
import { Empty } from '../../components/page-parts.tsx';
import { ActedOn, RunEntry } from '../../components/RunEntries.tsx';
import { Time, UntrustedText } from '../../components/text.tsx';
import { formatCountOf } from '../../data/format.ts';
import { apiUrl, usePage } from '../../data/request.ts';
import { sinceOf, spans } from '../../data/spans.ts';
import { useColumnZone } from '../../data/zones.tsx';

/** For an entry about a bulk run: its id, and the expected number of POs. */
const runOf = ({ detail }: ActivityEntry): { run: string; expected: string } | undefined => {
  if (typeof detail?.bulkRun !== 'string') return undefined;
  const { expected } = detail;
  return {
    run: detail.bulkRun,
    expected:
      typeof expected === 'number' ? formatCountOf(expected, 'purchase order') : 'Its purchase orders',
  };
};

const Concerned = ({ entry }: { entry: ActivityEntry }) => {
  const run = entry.action.startsWith('bulk_') ? runOf(entry) : undefined;
  return (
    <>
      {run ? <RunEntry {...run} /> : null}
      <ActedOn entry={entry} />
    </>
  );
};

const wordsOf = (action: string): string => activityWords[action] ?? action.replaceAll('_', ' ');

const choices = Object.keys(activityWords).map((action): [string, string] => [action, wordsOf(action)]);

/** Who did what: every operator action and every login. */
const ActivityPage = () => {
  const search = useSearch({ from: '/activity' });
  const { account, who, action, since } = search;
  const filter = { account, who, action, since: sinceOf(since) };
  const column = useColumnZone(account);
  const list = usePage<ActivityAnswer>('activity', '/activity', {
    ...filter,
    cursor: search.cursor,
    limit: 50,
  });
  return (
    <ListPage
      title="Activity"
      lead="What people did, latest first"
      list={list}
      csv={apiUrl('/activity', { ...filter, format: 'csv' })}
      filters={
        <FilterBar search={search}>
          <FilterText name="who" label="Name of the person" />
          <AccountFilter />
          <FilterSelect name="action" label="Action" all="All actions" choices={choices} />
          <FilterSelect name="since" label="Time" all="Any time" choices={spans} />
        </FilterBar>
      }
      empty={
        <Empty icon="activity" title="Nothing here">
          Nobody has done anything that matches.
        </Empty>
      }
      table={{
        keyOf: ({ id }) => id,
        columns: [
          { title: `When (${column.name})`, cell: ({ at }) => <Time at={at} column={column} /> },
          { title: 'Who', lead: true, line: (entry) => entry.who },
          { title: 'What', text: (entry) => wordsOf(entry.action) },
          { title: 'To what', cell: (entry) => <Concerned entry={entry} /> },
          { title: 'Note', grow: true, cell: ({ note }) => (note ? <UntrustedText text={note} /> : null) },
          { title: 'Through', wide: true, text: ({ via }) => via },
        ],
      }}
    />
  );
};

export default ActivityPage;
