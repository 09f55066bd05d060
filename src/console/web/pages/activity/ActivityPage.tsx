import { Link, useSearch } from '@tanstack/react-router';
import type { ActivityAnswer, ActivityEntry } from '../../../api/schemas/activity.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { Empty } from '../../components/Empty.tsx';
import {
  AccountFilter,
  FilterBar,
  FilterSelect,
  FilterText,
  useFilters,
} from '../../components/FilterBar.tsx';
import { Foreign } from '../../components/Foreign.tsx';
import { ListPage } from '../../components/ListPage.tsx';
import { Time } from '../../components/Time.tsx';
import { activityWords } from '../../data/activity-words.ts';
import { poName } from '../../data/po-name.ts';
import { apiUrl } from '../../data/request.ts';
import { sinceOf, spans } from '../../data/spans.ts';
import { usePage } from '../../data/use-page.ts';
import { useColumnZone } from '../../data/zones.tsx';

const ActedOn = ({ entry }: { entry: ActivityEntry }) => {
  const { purchaseOrderId, poNumber, importId, fileName, account, detail } = entry;
  const named = [detail?.user, detail?.token].find((one) => typeof one === 'string');
  return (
    <>
      {purchaseOrderId && poNumber ? (
        <Link to="/purchase-orders/$id" params={{ id: purchaseOrderId }}>
          <Foreign text={poName(poNumber)} />
        </Link>
      ) : null}
      {purchaseOrderId && importId ? ' in ' : ''}
      {importId ? (
        <Link to="/imports/$id" params={{ id: importId }}>
          <Foreign text={fileName ?? `import ${importId}`} />
        </Link>
      ) : null}
      {!purchaseOrderId && !importId && account ? (
        <Link to="/accounts/$account" params={{ account }}>
          <Foreign text={account} />
        </Link>
      ) : null}
      {typeof named === 'string' ? <Foreign text={named} /> : null}
    </>
  );
};

const wordsOf = (action: string): string => activityWords[action] ?? action.replaceAll('_', ' ');

const choices = Object.keys(activityWords).map((action): [string, string] => [action, wordsOf(action)]);

/** Who did what: every operator action and every login. */
const ActivityPage = () => {
  const search = useSearch({ from: '/activity' });
  const set = useFilters(search);
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
          <FilterText label="Name of the person" value={who} onChange={(value) => set({ who: value })} />
          <AccountFilter value={account} onChange={(value) => set({ account: value })} />
          <FilterSelect
            label="Action"
            all="All actions"
            value={action}
            choices={choices}
            onChange={(value) => set({ action: value })}
          />
          <FilterSelect
            label="Time"
            all="Any time"
            value={since}
            choices={spans}
            onChange={(value) => set({ since: value })}
          />
        </FilterBar>
      }
      empty={
        <Empty icon="activity" title="Nothing here">
          Nobody has done anything that matches.
        </Empty>
      }
    >
      {({ items }) => (
        <DataTable
          caption="Activity"
          rows={items}
          keyOf={({ id }) => id}
          columns={[
            { title: `When (${column.name})`, cell: ({ at }) => <Time at={at} column={column} /> },
            { title: 'Who', lead: true, cell: (entry) => <Foreign as="line" text={entry.who} /> },
            { title: 'What', cell: (entry) => <Foreign text={wordsOf(entry.action)} /> },
            { title: 'To what', cell: (entry) => <ActedOn entry={entry} /> },
            { title: 'Note', grow: true, cell: ({ note }) => (note ? <Foreign text={note} /> : null) },
            { title: 'Through', wide: true, cell: ({ via }) => <Foreign text={via} /> },
          ]}
        />
      )}
    </ListPage>
  );
};

export default ActivityPage;
