import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { OrderFacets, OrdersAnswer } from '../../../api/schemas/orders.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { Empty } from '../../components/Empty.tsx';
import {
  AccountFilter,
  FilterBar,
  FilterDay,
  FilterSelect,
  FilterText,
  useFilters,
} from '../../components/FilterBar.tsx';
import { Icon } from '../../components/Icon.tsx';
import { ListPage } from '../../components/ListPage.tsx';
import { StatusMeanings } from '../../components/StatusMeanings.tsx';
import { Time } from '../../components/Time.tsx';
import { useSelection } from '../../components/use-selection.ts';
import { formatCapped, formatCount, formatMoney } from '../../data/format.ts';
import { apiUrl, request } from '../../data/request.ts';
import { useMayAct } from '../../data/session.ts';
import { usePage } from '../../data/use-page.ts';
import { useAccounts } from '../../data/zones.tsx';
import { orderColumns } from './order-columns.tsx';
import { days, looks, lookWords, type OrderSearch, orderQueryOf, sorts } from './order-search.ts';
import { RefreshButton } from './RefreshButton.tsx';
import { RefreshShown } from './RefreshShown.tsx';

const Filters = ({ search }: { search: OrderSearch }) => {
  const set = useFilters(search);
  const { account, status, look, day, from, to, sort, importId } = search;
  const { data } = useQuery({
    queryKey: ['orders', 'facets', account],
    queryFn: ({ signal }) => request<OrderFacets>('/orders/facets', { query: { account }, signal }),
    staleTime: 30_000,
  });
  const counted = (word: string, count: { count: number; more: boolean } | undefined) =>
    count ? `${word} (${formatCapped(count)})` : word;
  return (
    <FilterBar search={search} others={['sort']}>
      <FilterText label="Number begins with" value={search.q} onChange={(q) => set({ q })} />
      <AccountFilter value={account} onChange={(value) => set({ account: value })} />
      <FilterSelect
        label="Order status"
        all="All statuses"
        value={status}
        choices={(data?.statuses ?? []).map((one): [string, string] => [
          one.status,
          counted(one.status.slice(0, 40), one.count),
        ])}
        onChange={(value) => set({ status: value })}
      />
      <FilterSelect
        label="What to look at"
        all="All orders"
        value={look}
        choices={looks.map((name): [string, string] => [name, counted(lookWords[name], data?.[name])])}
        onChange={(value) => set({ look: value })}
      />
      <FilterSelect
        label="Which day"
        all="Day of ordering"
        value={day}
        choices={days}
        onChange={(value) => set({ day: value })}
      />
      <FilterDay label="From this day" value={from} onChange={(value) => set({ from: value })} />
      <FilterDay label="To this day" value={to} onChange={(value) => set({ to: value })} />
      <FilterSelect
        label="Sorted"
        all="Latest first"
        value={sort}
        choices={sorts}
        onChange={(value) => set({ sort: value })}
      />
      {importId ? (
        <FilterSelect
          label="Import"
          all="All imports"
          value={importId}
          choices={[[importId, `Import ${importId}`]]}
          onChange={(value) => set({ importId: value })}
        />
      ) : null}
    </FilterBar>
  );
};

const Lead = ({ answer, isFiltered }: { answer: OrdersAnswer; isFiltered: boolean }) => {
  const { total, sum, withoutTotal, items } = answer;
  const oldest = items.map(({ asOf }) => asOf).sort((a, b) => (a ?? '').localeCompare(b ?? ''))[0];
  return (
    <>
      {formatCapped(total)} {isFiltered ? 'match' : 'at the service'}
      {sum === null
        ? null
        : `, together ${formatMoney(sum)}${total.more ? ' for those counted' : ''}${withoutTotal > 0 ? ` (${formatCount(withoutTotal)} without a total yet)` : ''}`}
      {oldest ? (
        <>
          . Statuses as of <Time at={oldest} relative />.
        </>
      ) : null}
    </>
  );
};

/** Every order at the service: has it shipped, what is on back-order, what did it cost. */
const OrdersPage = () => {
  const search = useSearch({ from: '/orders' });
  const set = useFilters(search);
  const query = orderQueryOf(search);
  const byDay = search.day ?? 'ordered';
  const list = usePage<OrdersAnswer>('orders', '/orders', { ...query, cursor: search.cursor, limit: 50 });
  const isFiltered = Object.keys(search).some((name) => !['sort', 'cursor'].includes(name));
  const accounts = useAccounts();
  const mayAct = useMayAct();
  const shown = list.data?.items ?? [];
  const { chosen, clear: _, ...selection } = useSelection(shown, JSON.stringify(query));
  const one = search.account ?? (accounts.length === 1 ? accounts[0]!.account : undefined);
  return (
    <ListPage
      title="Orders"
      lead={list.data ? <Lead answer={list.data} isFiltered={isFiltered} /> : '\u00a0'}
      list={list}
      views={{ page: 'orders', search }}
      csv={apiUrl('/orders', { ...query, format: 'csv' })}
      actions={
        <>
          <Button
            component="a"
            href={apiUrl('/orders', { ...query, format: 'xlsx' })}
            download
            variant="default"
            leftSection={<Icon name="download" />}
          >
            XLSX
          </Button>
          {one ? <RefreshButton account={one} /> : null}
          <RefreshShown shown={shown} selected={chosen} />
        </>
      }
      filters={
        <>
          <Filters search={search} />
          <StatusMeanings shown={list.data?.items ?? []} />
        </>
      }
      empty={
        <Empty icon="truck" title={isFiltered ? 'No order matches' : 'No orders yet'}>
          {isFiltered
            ? 'Remove a filter, or press / to search for anything else.'
            : 'An order appears here as soon as a purchase order has been submitted.'}
        </Empty>
      }
    >
      {({ items }) => (
        <DataTable
          caption="Orders"
          rows={items}
          keyOf={({ id }) => id}
          columns={orderColumns}
          selection={
            mayAct
              ? { ...selection, nameOf: ({ orderNumber }) => `order ${orderNumber.slice(0, 60)}` }
              : undefined
          }
          sorting={{
            by: search.sort ?? byDay,
            onSort: (sort) => set({ sort: sort === byDay ? undefined : sort }),
          }}
        />
      )}
    </ListPage>
  );
};

export default OrdersPage;
