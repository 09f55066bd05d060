import type { OrderSummary } from '../../../../api-contract/orders.ts';
import { Badge, type Look, OrderBadge } from '../../components/badges.tsx';
import { TrackingNumber } from '../../components/TrackingNumbers.tsx';
import type { Column } from '../../components/table-head.tsx';
import { dash, PoLink, UntrustedText } from '../../components/text.tsx';
import { formatCount, formatMoney } from '../../data/format.ts';

const text = (value: string | null) => (value ? <UntrustedText as="line" text={value} /> : dash);

const Pieces = ({ asked, pieces, shipped, backordered }: OrderSummary) => (
  <>
    <span className="no-wrap">
      {shipped === null ? '' : `${formatCount(shipped)} of `}
      {formatCount(pieces ?? asked)}
    </span>
    {shipped === null ? null : <div className="dim">shipped</div>}
    {backordered ? <div className="dim">{formatCount(backordered)} back-ordered</div> : null}
  </>
);

/** Its total is not counted. */
const gone: Look = { tone: 'ended', icon: 'minus', word: 'Not shown any more' };

/** The columns of the list of orders. */
export const orderColumns: Column<OrderSummary>[] = [
  {
    title: 'Order',
    lead: true,
    cell: ({ purchaseOrderId, orderNumber }) => (
      <PoLink id={purchaseOrderId} name={orderNumber} as="line" mono />
    ),
  },
  {
    title: 'PO',
    grow: true,
    fact: true,
    cell: ({ poNumber, account }) => (
      <>
        <UntrustedText as="line" text={poNumber} />
        <div className="dim small">
          <UntrustedText as="line" text={account} />
        </div>
      </>
    ),
  },
  {
    title: 'Status',
    fact: true,
    cell: ({ status, statusMeaning, lateDays, alarm, goneAt }) => (
      <div className="stack-tight">
        {goneAt === null ? <OrderBadge status={status} meaning={statusMeaning} /> : <Badge look={gone} />}
        {lateDays === null ? null : (
          <Badge look={{ tone: 'failed', icon: 'clock', word: `Late, ${formatCount(lateDays)} d` }} />
        )}
        {alarm === null ? null : (
          <span title={alarm.slice(0, 500)}>
            <Badge look={{ tone: 'failed', icon: 'alert', word: 'Differs' }} />
          </span>
        )}
      </div>
    ),
  },
  {
    title: 'Ordered',
    wide: true,
    sort: { key: 'ordered', first: 'newest' },
    cell: ({ orderDate, invoiceDate }) => (
      <>
        {text(orderDate)}
        {invoiceDate ? (
          <div className="dim small">
            invoiced
            <br />
            <UntrustedText as="line" text={invoiceDate.slice(0, 20)} />
          </div>
        ) : null}
      </>
    ),
  },
  {
    title: 'Shipped',
    sort: { key: 'shipped', first: 'newest' },
    cell: ({ shipDate, shipVia, warehouse }) =>
      shipDate || shipVia || warehouse ? (
        <>
          {shipDate ? <UntrustedText as="line" text={shipDate.slice(0, 20)} /> : null}
          {shipVia || warehouse ? (
            <div className="dim no-wrap">
              <UntrustedText
                as="line"
                text={[
                  ...(shipVia ? [`via ${shipVia.slice(0, 12)}`] : []),
                  ...(warehouse ? [`from ${warehouse.slice(0, 12)}`] : []),
                ].join(' ')}
              />
            </div>
          ) : null}
        </>
      ) : (
        text(null)
      ),
  },
  {
    title: 'Tracking',
    wide: true,
    cell: ({ tracking: [first], trackingCount }) =>
      first ? (
        <>
          <TrackingNumber {...first} inLine />
          {trackingCount > 1 ? <div className="dim">and {formatCount(trackingCount - 1)} more</div> : null}
        </>
      ) : (
        text(null)
      ),
  },
  { title: 'Pieces', align: 'right', cell: (order) => <Pieces {...order} /> },
  {
    title: 'Total',
    align: 'right',
    fact: true,
    sort: { key: 'total', first: 'newest' },
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
