import { useSearch } from '@tanstack/react-router';
import type { PoFacets, PurchaseOrdersAnswer } from '../../../../api-contract/purchase-orders.ts';
import { poLooks, stateGroups } from '../../components/badges.tsx';
import {
  AccountFilter,
  FilterBar,
  FilterOfLink,
  FilterSelect,
  FilterText,
  isFiltered,
  useSorting,
} from '../../components/FilterBar.tsx';
import { ListPage } from '../../components/ListPage.tsx';
import { Empty } from '../../components/page-parts.tsx';
import { formatCapped, formatSum, plain } from '../../data/format.ts';
import { apiUrl, usePage, useRead } from '../../data/request.ts';
import { useMe } from '../../data/session.ts';
import { PoTable } from './PoTable.tsx';
import { ages, filterOf, listQueryOf, type PoSearch, sorts } from './po-filter.ts';

/** Groups first, then single states. */
const stateChoices: [string, string][] = [
  ...stateGroups
    .filter(({ states }) => states.length > 1)
    .map(({ states, word }): [string, string] => [states.join(','), word]),
  ...Object.entries(poLooks).map(([state, { word }]): [string, string] => [state, word]),
];

const Filters = ({ search }: { search: PoSearch }) => {
  const me = useMe();
  const { account, importId } = search;
  const facets = useRead<PoFacets>(
    ['purchase-orders', 'facets', account, importId],
    '/purchase-orders/facets',
    { query: { account, importId }, staleTime: 30_000 },
  );
  const reasons = (facets.data?.reasons ?? []).map(({ reasonCode, meaning, count }): [string, string] => [
    reasonCode,
    `${plain(meaning).slice(0, 70)} (${formatCapped(count)})`,
  ]);
  const countOf = new Map(
    facets.data?.states.map(({ state, count }) => [state as string, formatCapped(count)]),
  );
  const choices = stateChoices.map(([value, word]): [string, string] => {
    const count = countOf.get(value);
    return [value, count ? `${word} (${count})` : word];
  });
  return (
    <FilterBar search={search}>
      <FilterText name="q" label="Part of the PO number" />
      <AccountFilter />
      <FilterSelect
        name="state"
        label="State"
        all="All states"
        choices={choices}
        also={(state) => (state === 'held' ? {} : { reason: undefined })}
      />
      {search.state === 'held' || search.reason ? (
        <FilterSelect name="reason" label="Why it is held" all="All reasons" choices={reasons} />
      ) : null}
      <FilterSelect name="age" label="Age" all="Any age" choices={ages} />
      <FilterSelect
        name="alarm"
        label="Order and file"
        all="Same as the file or not"
        choices={[
          ['true', 'Differs from the file'],
          ['false', 'Same as the file'],
        ]}
      />
      <FilterSelect
        name="needs"
        label="Needs a person"
        all="Needed or not"
        choices={[
          ['person', 'Needs a person'],
          ['settling', 'Failed, rejected or differing, and needed'],
          ['nobody', 'Not needed'],
        ]}
      />
      <FilterSelect name="assignee" label="Assigned to" all="Assigned or not" choices={[[me.name, 'Mine']]} />
      <FilterOfLink name="message" label="What the service said" all="Any message" />
      <FilterOfLink name="cause" label="In what the order differs" all="Any difference" />
      <FilterSelect name="sort" label="Sorted" all="Newest first" choices={sorts} />
      <FilterOfLink name="importId" label="Import" all="All imports" word={`Import ${importId}`} />
    </FilterBar>
  );
};

/** Every PO by state, reason, account and age. */
const PurchaseOrdersPage = () => {
  const search = useSearch({ from: '/purchase-orders' });
  const sorting = useSorting(search, 'received');
  const query = listQueryOf(search);
  const list = usePage<PurchaseOrdersAnswer>('purchase-orders', '/purchase-orders', query);
  const total = list.data?.total;
  const isPart = isFiltered(search);
  return (
    <ListPage
      title="Purchase orders"
      lead={
        total
          ? [`${formatCapped(total)} ${isPart ? 'match' : 'in the ledger'}`, formatSum(list.data?.sum)]
              .filter((part) => part !== '')
              .join(', ')
          : '\u00a0'
      }
      list={list}
      views={{ page: 'purchase-orders', search }}
      csv={apiUrl('/purchase-orders', { ...query, cursor: undefined, limit: undefined, format: 'csv' })}
      filters={<Filters search={search} />}
      empty={
        <Empty icon="orders" title={isPart ? 'No purchase order matches' : 'No purchase orders yet'}>
          {isPart
            ? 'Remove a filter, or press / to search for order, tracking and invoice numbers.'
            : 'Put a purchase file into the inbox of an account, or upload one.'}
        </Empty>
      }
    >
      {({ items, total: all }) => (
        <PoTable items={items} filter={filterOf(search)} total={all} sorting={sorting} />
      )}
    </ListPage>
  );
};

export default PurchaseOrdersPage;
