import { useSearch } from '@tanstack/react-router';
import type { OrderFacets, OrdersAnswer } from '../../../../api-contract/orders.ts';
import { Download } from '../../components/Download.tsx';
import {
  AccountFilter,
  FilterBar,
  FilterDay,
  FilterOfLink,
  FilterSelect,
  FilterText,
  isFiltered,
  useSorting,
} from '../../components/FilterBar.tsx';
import { ListPage } from '../../components/ListPage.tsx';
import { AskButton } from '../../components/NoteDialog.tsx';
import { Empty } from '../../components/page-parts.tsx';
import { Time, UntrustedText } from '../../components/text.tsx';
import { useSelection } from '../../components/use-selection.ts';
import { formatCapped, formatCount, formatMoney } from '../../data/format.ts';
import { apiUrl, post, usePage, useRead } from '../../data/request.ts';
import { useMayAct } from '../../data/session.ts';
import { useAccounts } from '../../data/zones.tsx';
import { orderColumns } from './order-columns.tsx';
import { days, looks, lookWords, type OrderSearch, orderQueryOf, sorts } from './order-search.ts';
import { RefreshShown } from './RefreshShown.tsx';

interface StatusMeaningsProps {
  shown: readonly { status: string | null; statusMeaning: string | null; lateDays: number | null }[];
}

/** Explains the statuses on the page in text, not only as tooltips. */
const StatusMeanings = ({ shown }: StatusMeaningsProps) => {
  const meanings = new Map(
    shown.flatMap(({ status, statusMeaning }) =>
      statusMeaning === null ? [] : [[status ?? 'Not shown yet', statusMeaning]],
    ),
  );
  if (shown.some(({ lateDays }) => lateDays !== null)) {
    meanings.set(
      'Late',
      'it has not shipped for longer than its account allows, counted in days since it was ordered',
    );
  }
  if (meanings.size === 0) return null;
  return (
    <details className="small">
      <summary>What these statuses mean</summary>
      <ul>
        {[...meanings].map(([status, meaning]) => (
          <li key={status}>
            <strong>
              <UntrustedText text={status} />
            </strong>
            : {meaning}
          </li>
        ))}
      </ul>
    </details>
  );
};

/** Fetches the statuses of all open orders of an account now. */
const RefreshButton = ({ account }: { account: string }) => (
  <AskButton
    word="Read statuses now"
    icon="retry"
    title="Read the statuses now?"
    confirm="Read statuses now"
    act={(note) => post(`/accounts/${encodeURIComponent(account)}/run`, { kind: 'poll', note })}
  >
    The service of {account.slice(0, 60)} is asked for all orders that are not finished. This page shows what
    has changed as soon as it is read.
  </AskButton>
);

const OrderFilters = ({ search }: { search: OrderSearch }) => {
  const { account, importId } = search;
  const { data } = useRead<OrderFacets>(['orders', 'facets', account], '/orders/facets', {
    query: { account },
    staleTime: 30_000,
  });
  const counted = (word: string, count: { count: number; more: boolean } | undefined) =>
    count ? `${word} (${formatCapped(count)})` : word;
  return (
    <FilterBar search={search}>
      <FilterText name="q" label="Number begins with" />
      <AccountFilter />
      <FilterSelect
        name="status"
        label="Order status"
        all="All statuses"
        choices={(data?.statuses ?? []).map((one): [string, string] => [
          one.status,
          counted(one.status.slice(0, 40), one.count),
        ])}
      />
      <FilterSelect
        name="look"
        label="What to look at"
        all="All orders"
        choices={looks.map((name): [string, string] => [name, counted(lookWords[name], data?.[name])])}
      />
      <FilterSelect name="day" label="Which day" all="Day of ordering" choices={days} />
      <FilterDay name="from" label="From this day" />
      <FilterDay name="to" label="To this day" />
      <FilterSelect name="sort" label="Sorted" all="Latest first" choices={sorts} />
      <FilterOfLink name="importId" label="Import" all="All imports" word={`Import ${importId}`} />
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
  const query = orderQueryOf(search);
  const sorting = useSorting(search, search.day ?? 'ordered');
  const list = usePage<OrdersAnswer>('orders', '/orders', { ...query, cursor: search.cursor, limit: 50 });
  const isPart = isFiltered(search);
  const accounts = useAccounts();
  const mayAct = useMayAct();
  const shown = list.data?.items ?? [];
  const { chosen, clear: _, ...selection } = useSelection(shown, JSON.stringify(query));
  const one = search.account ?? (accounts.length === 1 ? accounts[0]!.account : undefined);
  return (
    <ListPage
      title="Orders"
      lead={list.data ? <Lead answer={list.data} isFiltered={isPart} /> : '\u00a0'}
      list={list}
      views={{ page: 'orders', search }}
      csv={apiUrl('/orders', { ...query, format: 'csv' })}
      actions={
        <>
          <Download href={apiUrl('/orders', { ...query, format: 'xlsx' })}>XLSX</Download>
          {one ? <RefreshButton account={one} /> : null}
          <RefreshShown shown={shown} selected={chosen} />
        </>
      }
      filters={
        <>
          <OrderFilters search={search} />
          <StatusMeanings shown={list.data?.items ?? []} />
        </>
      }
      empty={
        <Empty icon="truck" title={isPart ? 'No order matches' : 'No orders yet'}>
          {isPart
            ? 'Remove a filter, or press / to search for anything else.'
            : 'An order appears here as soon as a purchase order has been submitted.'}
        </Empty>
      }
      table={{
        keyOf: ({ id }) => id,
        columns: orderColumns,
        selection: mayAct
          ? { ...selection, nameOf: ({ orderNumber }) => `order ${orderNumber.slice(0, 60)}` }
          : undefined,
        sorting,
      }}
    />
  );
};

export default OrdersPage;
