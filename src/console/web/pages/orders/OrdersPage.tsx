import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { OrderFacets, OrderSummary, OrdersAnswer } from '../../../api/schemas/orders.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Empty } from '../../components/Empty.tsx';
import {
  AccountFilter,
  FilterBar,
  FilterDay,
  FilterSelect,
  FilterText,
  useFilters,
} from '../../components/FilterBar.tsx';
import { Foreign } from '../../components/Foreign.tsx';
import { Icon } from '../../components/Icon.tsx';
import { ListPage } from '../../components/ListPage.tsx';
import { OrderBadge } from '../../components/OrderBadge.tsx';
import { Badge } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { TrackingNumber } from '../../components/TrackingNumbers.tsx';
import type { Look } from '../../components/tones.ts';
import { formatCapped, formatCount, formatMoney } from '../../data/format.ts';
import { apiUrl, request } from '../../data/request.ts';
import { usePage } from '../../data/use-page.ts';
import { useAccounts } from '../../data/zones.tsx';
import { days, looks, lookWords, type OrderSearch, orderQueryOf, sorts } from './order-search.ts';
import { RefreshButton } from './RefreshButton.tsx';

const text = (value: string | null) =>
  value ? <Foreign as="line" text={value} /> : <span className="dim">–</span>;

const Pieces = ({ asked, pieces, shipped, backordered }: OrderSummary) => (
  <>
    {shipped === null ? '' : `${formatCount(shipped)} of `}
    {formatCount(pieces ?? asked)}
    {shipped === null ? '' : ' shipped'}
    {backordered ? <div className="dim">{formatCount(backordered)} back-ordered</div> : null}
  </>
);

/** Its total is not counted. */
const gone: Look = { tone: 'ended', icon: 'minus', word: 'Not shown any more' };

const columns: Column<OrderSummary>[] = [
  {
    title: 'Order',
    lead: true,
    cell: ({ purchaseOrderId, orderNumber }) => (
      <Link to="/purchase-orders/$id" params={{ id: purchaseOrderId }}>
        <Foreign as="line" text={orderNumber} mono />
      </Link>
    ),
  },
  { title: 'PO', grow: true, cell: ({ poNumber }) => <Foreign as="line" text={poNumber} /> },
  {
    title: 'Status',
    cell: ({ status, statusMeaning, lateDays, alarm, goneAt }) => (
      <span className="row">
        {goneAt === null ? <OrderBadge status={status} meaning={statusMeaning} /> : <Badge look={gone} />}
        {lateDays === null ? null : (
          <Badge look={{ tone: 'failed', icon: 'clock', word: `Late, ${formatCount(lateDays)} d` }} />
        )}
        {alarm === null ? null : (
          <span title={alarm.slice(0, 500)}>
            <Badge look={{ tone: 'failed', icon: 'alert', word: 'Differs' }} />
          </span>
        )}
      </span>
    ),
  },
  { title: 'Account', wide: true, cell: ({ account }) => <Foreign as="line" text={account} /> },
  { title: 'Ordered', cell: ({ orderDate }) => text(orderDate) },
  {
    title: 'Shipped',
    cell: ({ shipDate, shipVia, warehouse }) =>
      shipDate || shipVia || warehouse ? (
        <>
          {shipDate ? <Foreign text={shipDate} most={20} /> : null}{' '}
          <span className="dim no-wrap">
            {shipVia ? (
              <>
                via <Foreign text={shipVia} most={12} />{' '}
              </>
            ) : null}
            {warehouse ? (
              <>
                from <Foreign text={warehouse} most={12} />
              </>
            ) : null}
          </span>
        </>
      ) : (
        text(null)
      ),
  },
  { title: 'Invoiced', wide: true, cell: ({ invoiceDate }) => text(invoiceDate) },
  {
    title: 'Tracking',
    cell: ({ tracking: [first], trackingCount }) =>
      first ? (
        <span className="no-wrap">
          <TrackingNumber {...first} inLine />
          {trackingCount > 1 ? <span className="dim"> and {formatCount(trackingCount - 1)} more</span> : null}
        </span>
      ) : (
        text(null)
      ),
  },
  { title: 'Pieces', align: 'right', cell: (order) => <Pieces {...order} /> },
  {
    title: 'Total',
    align: 'right',
    cell: ({ total, freight, miscCharges }) =>
      total === null ? (
        text(null)
      ) : (
        <span
          title={`Freight ${formatMoney(freight ?? '0')}, other charges ${formatMoney(miscCharges ?? '0')}`}
        >
          {formatMoney(total)}
        </span>
      ),
  },
];

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
  const query = orderQueryOf(search);
  const list = usePage<OrdersAnswer>('orders', '/orders', { ...query, cursor: search.cursor, limit: 50 });
  const isFiltered = Object.keys(search).some((name) => !['sort', 'cursor'].includes(name));
  const accounts = useAccounts();
  const one = search.account ?? (accounts.length === 1 ? accounts[0]!.account : undefined);
  return (
    <ListPage
      title="Orders"
      lead={list.data ? <Lead answer={list.data} isFiltered={isFiltered} /> : '\u00a0'}
      list={list}
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
        </>
      }
      filters={<Filters search={search} />}
      empty={
        <Empty icon="truck" title={isFiltered ? 'No order matches' : 'No orders yet'}>
          {isFiltered
            ? 'Remove a filter, or press / to search for anything else.'
            : 'An order appears here as soon as a purchase order has been submitted.'}
        </Empty>
      }
    >
      {({ items }) => <DataTable caption="Orders" rows={items} keyOf={({ id }) => id} columns={columns} />}
    </ListPage>
  );
};

export default OrdersPage;
