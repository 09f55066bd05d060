import type { OrdersAnswer } from '../../api-contract/orders.ts';
import type { OrderFilter } from '../../ledger/orders/order-filter.ts';
import type { OrderPage } from '../../ledger/orders/page-of-orders.ts';
import { drawOrders } from '../output/orders.ts';
import type { Terminal } from '../output/terminal.ts';
import { callConsole } from './call-console.ts';

/** `cartwright orders --url`. */
export const remoteOrders = async (
  terminal: Terminal,
  url: string,
  {
    filter,
    sort,
    order,
    account,
    limit,
  }: { filter: OrderFilter; account: string | undefined; limit: number } & Pick<OrderPage, 'sort' | 'order'>,
): Promise<void> => {
  const asked = { ...filter, account, sort, order, limit };
  const query = Object.fromEntries(
    Object.entries(asked).map(([name, value]) => [name, value === undefined ? undefined : String(value)]),
  );
  const { items, total, sum, withoutTotal } = await callConsole(url).get<OrdersAnswer>('/orders', query);
  terminal.answer({ orders: items, total, sum, withoutTotal });
  terminal.say(drawOrders(terminal, { items, total, sum, withoutTotal }));
};
