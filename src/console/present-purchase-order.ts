import type { PoOrder } from '../api-contract/po-order.ts';
import type { PoDetail, PoLine } from '../api-contract/purchase-orders.ts';
import type { ShownPurchaseOrder } from '../ledger/console/purchase-order.ts';
import { itemsOf } from '../reports/order-items.ts';
import { orderStatusMeaning } from '../reports/order-status-meaning.ts';
import { stillToCome } from '../reports/still-to-come.ts';
import { trackingLink } from '../reports/tracking-link.ts';
import { describeEvent } from './describe-event.ts';
import { pauseAdvice } from './pause-words.ts';
import { bannerOf } from './po-banner.ts';

const shownItems = 500;

/** The items of an order, each with what the file asks for of it. */
const orderItems = (
  order: { items: unknown },
  lines: readonly PoLine[],
): Pick<PoOrder, 'items' | 'itemCount'> => {
  const asked = new Map<string, number>();
  for (const { sku, item, quantity } of lines) {
    const key = sku ?? item;
    asked.set(key, (asked.get(key) ?? 0) + (quantity ?? 0));
  }
  const items = itemsOf(order);
  return {
    itemCount: items.length,
    items: items
      .slice(0, shownItems)
      .map((item) => ({ ...item, asked: asked.get(item.sku) ?? null, unreadable: item.unreadable ?? null })),
  };
};

/** A PO with everything that happened to it, as the console and the command line show it. Pure. */
export const presentPurchaseOrder = (found: ShownPurchaseOrder): PoDetail => {
  const { events, orders, leased, mayHaveOrdered, mayHaveCart, lastCalls, ...po } = found;
  return {
    ...po,
    pause: po.pause && { code: po.pause.code, canResume: pauseAdvice(po.pause).canResume },
    banner: bannerOf({
      ...po,
      leased,
      mayHaveOrdered,
      mayHaveCart,
      lastCalls,
      orderStatus: orders.find(({ goneAt }) => goneAt === null)?.status ?? null,
      issueCount: po.issues.filter(({ severity }) => severity === 'issue').length,
    }),
    orders: orders.map((order) => ({
      ...order,
      statusMeaning: orderStatusMeaning(order.status),
      stillToCome: order.goneAt === null ? stillToCome({ ...order, orderStatus: order.status }) : [],
      ...orderItems(order, po.lines),
      trackingNumbers: order.trackingNumbers.map((number) => ({
        number,
        href: trackingLink(number)?.url ?? null,
      })),
    })),
    timeline: events.map((event) => describeEvent(event, po)),
  };
};
