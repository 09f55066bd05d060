import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { RefreshAnswer } from '../../../../api-contract/orders.ts';
import type { PoOrder } from '../../../../api-contract/po-order.ts';
import type { PoDetail } from '../../../../api-contract/purchase-orders.ts';
import { announce } from '../../components/announce.ts';
import { OrderBadge } from '../../components/badges.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { Facts, Panel, ProblemNote } from '../../components/page-parts.tsx';
import { TrackingNumber } from '../../components/TrackingNumbers.tsx';
import { Time, UntrustedText } from '../../components/text.tsx';
import { formatCount, formatMoney, nameOfField } from '../../data/format.ts';
import { post } from '../../data/request.ts';
import { useMayAct } from '../../data/session.ts';

/** Maximum shown on the page; the CSV of the orders has all. */
const shownTracking = 50;

const Tracking = ({ order: { trackingNumbers } }: { order: PoOrder }) => (
  <ul>
    {trackingNumbers.slice(0, shownTracking).map(({ number, href }) => (
      <li key={number}>
        <TrackingNumber number={number} href={href} />
      </li>
    ))}
    {trackingNumbers.length > shownTracking ? (
      <li className="dim">and {formatCount(trackingNumbers.length - shownTracking)} more</li>
    ) : null}
  </ul>
);

const shipToOf = ({ shipTo: { name, address, city, state, zip } }: PoOrder): string =>
  [name, address, [city, state, zip].filter(Boolean).join(' ')].filter(Boolean).join('\n');

const statusOf = ({ status, statusMeaning, goneAt }: PoOrder): string | null =>
  statusMeaning === null || goneAt !== null ? null : [status, statusMeaning].filter(Boolean).join(': ');

const text = (value: string | null) => (value ? <UntrustedText text={value} /> : null);
/** The service returns days in an unknown time zone, so they can differ from the account's times. */
const day = (value: string | null) =>
  value ? (
    <>
      <UntrustedText text={value} /> <span className="dim small">as the service says it</span>
    </>
  ) : null;

const dayFields = new Set(['order_date', 'ship_date', 'invoice_date']);
const moneyFields = new Set(['order_total', 'freight', 'misc_charges']);
const shownValue = (field: string, value: string) => (moneyFields.has(field) ? formatMoney(value) : value);

/** `the shipment, a tracking number and the invoice`. */
const sentence = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

/** Compares the items of the order with the file's. */
const Items = ({ order: { items, itemCount, orderNumber } }: { order: PoOrder }) =>
  items.length === 0 ? null : (
    <>
      <DataTable
        caption={`Items of order ${orderNumber}`}
        rows={items.map((item, at) => ({ ...item, at }))}
        keyOf={({ at }) => String(at)}
        pageSize={20}
        columns={[
          {
            title: 'Item',
            lead: true,
            grow: true,
            cell: ({ sku, name, unreadable }) =>
              unreadable === null ? (
                <>
                  <UntrustedText text={sku} mono most={60} /> <UntrustedText text={name} most={80} />
                </>
              ) : (
                <UntrustedText as="line" text={unreadable} mono />
              ),
          },
          {
            title: 'Asked',
            align: 'right',
            cell: ({ asked }) =>
              asked === null ? <span className="dim">not asked</span> : formatCount(asked),
          },
          { title: 'Ordered', align: 'right', cell: ({ ordered }) => text(ordered) },
          { title: 'To ship or shipped', align: 'right', cell: ({ shipping }) => text(shipping) },
          { title: 'Back-ordered', align: 'right', cell: ({ backordered }) => text(backordered) },
          { title: 'Price', align: 'right', cell: ({ price }) => (price === '' ? null : formatMoney(price)) },
        ]}
      />
      {itemCount > items.length ? (
        <p className="dim">
          and {formatCount(itemCount - items.length)} more items, in the CSV of the orders
        </p>
      ) : null}
    </>
  );

const Order = ({ order, account }: { order: PoOrder; account: string }) => (
  <li className="stack-tight padded">
    <div className="spread">
      <h3>
        Order <UntrustedText text={order.orderNumber} mono />
      </h3>
      {order.goneAt === null ? (
        <OrderBadge status={order.status} meaning={order.statusMeaning} />
      ) : (
        <span>
          Not shown any more since <Time at={order.goneAt} account={account} />
        </span>
      )}
    </div>
    <Facts
      facts={[
        ['Status', statusOf(order), 'untrusted'],
        ['Still to come', order.stillToCome.length > 0 ? sentence(order.stillToCome) : null],
        ['Tracking', order.trackingNumbers.length > 0 ? <Tracking key="t" order={order} /> : null],
        ['Ships to', shipToOf(order), 'block'],
        ['Total', order.total && formatMoney(order.total)],
        ['Freight', order.freight && formatMoney(order.freight)],
        ['Other charges', order.miscCharges && formatMoney(order.miscCharges)],
        ['Invoice', order.invoiceNumber, 'untrusted'],
        ['Invoiced', day(order.invoiceDate)],
        ['Ordered', day(order.orderDate)],
        ['Shipped', day(order.shipDate)],
        ['Ships via', order.shipVia, 'untrusted'],
        ['Warehouse', order.warehouse, 'untrusted'],
      ]}
    />
    <Items order={order} />
    {order.steps.length > 0 ? (
      <ol className="dim small" aria-label="Changes of the order">
        {order.steps.map(({ field, was, became, at }) => (
          <li key={`${at} ${field}`}>
            <Time at={at} account={account} /> {nameOfField(field)}
            {dayFields.has(field) ? ' (the service’s day)' : ''}:{' '}
            {was === null ? null : (
              <>
                <UntrustedText text={shownValue(field, was)} most={60} /> →{' '}
              </>
            )}
            <strong>
              <UntrustedText text={became === null ? 'none' : shownValue(field, became)} most={60} />
            </strong>
          </li>
        ))}
      </ol>
    ) : null}
  </li>
);

/** Refreshes these orders from the service now. */
const RefreshOrders = ({ id }: { id: string }) => {
  const mayAct = useMayAct();
  const client = useQueryClient();
  const run = useMutation({
    mutationFn: () => post<RefreshAnswer>('/orders/refresh', { purchaseOrderIds: [id] }),
    onSettled: () => client.invalidateQueries({ queryKey: ['purchase-order', id] }),
    onSuccess: ({ sentence }) => announce(sentence),
  });
  if (!mayAct) return null;
  return (
    <span className="row">
      {run.error ? <ProblemNote error={run.error} /> : null}
      <Button size="compact-xs" variant="default" loading={run.isPending} onClick={() => run.mutate()}>
        Read its status now
      </Button>
    </span>
  );
};

/** The orders of a PO at the service. */
export const Orders = ({ po: { id, orders, account, banner } }: { po: PoDetail }) => (
  <Panel
    title="At the service"
    aside={orders.length > 0 ? <RefreshOrders id={id} /> : null}
    flush={orders.length > 0}
  >
    {orders.length === 0 ? (
      <p className="dim">
        {banner.actions.some(({ action }) => action === 'adopt')
          ? 'Nobody has said yet that the order at the service is this purchase order. It is shown here once it is adopted.'
          : 'The service has shown no order for this purchase order.'}
      </p>
    ) : (
      <ul className="entries">
        {orders.map((order) => (
          <Order key={order.orderNumber} order={order} account={account} />
        ))}
      </ul>
    )}
  </Panel>
);
