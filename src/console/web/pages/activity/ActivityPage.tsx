import { Link, useSearch } from '@tanstack/react-router';
import type { ActivityEntry } from '../../../api/schemas/activity.ts';
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
import { ListBody } from '../../components/ListBody.tsx';
import { PageHead } from '../../components/PageHead.tsx';
import { Pager } from '../../components/Pager.tsx';
import { Panel } from '../../components/Panel.tsx';
import { Time } from '../../components/Time.tsx';
import { poName } from '../../data/po-name.ts';
import { sinceOf, spans } from '../../data/spans.ts';
import { usePage } from '../../data/use-page.ts';
import { SaveAsCsv } from './SaveAsCsv.tsx';

export interface ActivityAnswer {
  items: ActivityEntry[];
  next: string | null;
}

const ActedOn = ({ entry }: { entry: ActivityEntry }) => {
  const { purchaseOrderId, poNumber, importId, fileName, account } = entry;
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
    </>
  );
};

/** Who did what: every operator action and every login. */
const ActivityPage = () => {
  const search = useSearch({ from: '/activity' });
  const set = useFilters(search);
  const { account, who, action, since } = search;
  const filter = { account, who, action, since: sinceOf(since) };
  const list = usePage<ActivityAnswer>('activity', '/activity', {
    ...filter,
    cursor: search.cursor,
    limit: 50,
  });
  return (
    <>
      <PageHead title="Activity" lead="What people did, latest first">
        <SaveAsCsv filter={filter} />
      </PageHead>
      <div className="stack">
        <FilterBar search={search}>
          <FilterText label="Name of the person" value={who} onChange={(value) => set({ who: value })} />
          <AccountFilter value={account} onChange={(value) => set({ account: value })} />
          <FilterText label="Action" value={action} onChange={(value) => set({ action: value })} />
          <FilterSelect
            label="Time"
            all="Any time"
            value={since}
            choices={spans}
            onChange={(value) => set({ since: value })}
          />
        </FilterBar>
        <Panel flush>
          <ListBody
            list={list}
            isEmpty={({ items }) => items.length === 0}
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
                  { title: 'When', cell: ({ at, account: name }) => <Time at={at} account={name} /> },
                  { title: 'Who', lead: true, cell: (entry) => <Foreign as="line" text={entry.who} /> },
                  { title: 'What', cell: (entry) => <Foreign text={entry.action.replaceAll('_', ' ')} /> },
                  { title: 'To what', cell: (entry) => <ActedOn entry={entry} /> },
                  { title: 'Note', grow: true, cell: ({ note }) => <Foreign text={note ?? ''} /> },
                  { title: 'Through', wide: true, cell: ({ via }) => <Foreign text={via} /> },
                ]}
              />
            )}
          </ListBody>
        </Panel>
        {list.data ? <Pager shown={list.data.items.length} next={list.data.next} /> : null}
      </div>
    </>
  );
};

export default ActivityPage;
