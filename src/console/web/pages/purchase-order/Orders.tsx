import type { PoDetail, PoOrder } from '../../../api/schemas/purchase-orders.ts';
import { Facts } from '../../components/Facts.tsx';
import { Foreign } from '../../components/Foreign.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Panel } from '../../components/Panel.tsx';
import { Time } from '../../components/Time.tsx';
import { formatMoney } from '../../data/format.ts';
import { nameOfField } from '../../data/name-of-field.ts';
import css from './Orders.module.css';

const Tracking = ({ order: { trackingNumbers } }: { order: PoOrder }) => (
  <ul>
    {trackingNumbers.map(({ number, href }) => (
      <li key={number}>
        {/* Only web pages: an address from elsewhere must not be able to run a program. */}
        {href && /^https?:\/\//.test(href) ? (
          <a href={href} target="_blank" rel="noreferrer">
            <Foreign text={number} mono most={60} /> <Icon name="external" size={12} />
          </a>
        ) : (
          <Foreign text={number} mono most={60} />
        )}
      </li>
    ))}
  </ul>
);

const shipToOf = ({ shipTo: { name, address, city, state, zip } }: PoOrder): string[] =>
  [name, address, [city, state, zip].filter(Boolean).join(' ')].filter((line): line is string =>
    Boolean(line),
  );

const text = (value: string | null) => (value ? <Foreign text={value} /> : null);
const money = (value: string | null) => (value === null ? null : formatMoney(value));

const moneyFields = new Set(['order_total', 'freight', 'misc_charges']);
const shownValue = (field: string, value: string) => (moneyFields.has(field) ? formatMoney(value) : value);

const Order = ({ order, account }: { order: PoOrder; account: string }) => (
  <li className={css.order}>
    <div className="spread">
      <h3>
        Order <Foreign text={order.orderNumber} mono />
      </h3>
      <strong>{order.status ? <Foreign text={order.status} /> : 'No status check has shown it yet'}</strong>
    </div>
    <Facts
      facts={[
        ['Tracking', order.trackingNumbers.length > 0 ? <Tracking key="t" order={order} /> : null],
        [
          'Ships to',
          shipToOf(order).length > 0 ? (
            <span key="s">
              {shipToOf(order).map((line) => (
                <Foreign key={line} as="block" text={line} />
              ))}
            </span>
          ) : null,
        ],
        ['Total', money(order.total)],
        ['Freight', money(order.freight)],
        ['Other charges', money(order.miscCharges)],
        ['Invoice', text(order.invoiceNumber)],
        ['Invoiced', text(order.invoiceDate)],
        ['Ordered', text(order.orderDate)],
        ['Shipped', text(order.shipDate)],
        ['Ships via', text(order.shipVia)],
        ['Warehouse', text(order.warehouse)],
      ]}
    />
    {order.steps.length > 0 ? (
      <ol className={css.steps} aria-label="Changes of the order">
        {order.steps.map(({ field, was, became, at }) => (
          <li key={`${at} ${field}`}>
            <Time at={at} account={account} /> {nameOfField(field)}:{' '}
            {was === null ? null : (
              <>
                <Foreign text={shownValue(field, was)} most={60} /> →{' '}
              </>
            )}
            <strong>
              <Foreign text={became === null ? 'none' : shownValue(field, became)} most={60} />
            </strong>
          </li>
        ))}
      </ol>
    ) : null}
  </li>
);

/** The orders of a PO as the service has them. */
export const Orders = ({ po: { orders, account } }: { po: PoDetail }) => (
  <Panel title="At the service" flush={orders.length > 0}>
    {orders.length === 0 ? (
      <p className="dim">The service has shown no order for this purchase order.</p>
    ) : (
      <ul>
        {orders.map((order) => (
          <Order key={order.orderNumber} order={order} account={account} />
        ))}
      </ul>
    )}
  </Panel>
);
