import type { DealerApi } from '../../src/dealer-api/answers.ts';
import { type PlacingAccount, rowsOf, usePlacing } from '../support/use-placing.ts';

export const two = [{ sku: 'B', quantity: 2 }];

/** Hides these POs from the date range. */
export const hiding =
  (hidden: (poNumber: string) => boolean) =>
  (api: DealerApi): DealerApi => ({
    ...api,
    listOrders: async (...args) => {
      const result = await api.listOrders(...args);
      return result.kind === 'ok'
        ? { kind: 'ok', value: result.value.filter((po) => !hidden(po.poNumber!)) }
        : result;
    },
  });

/** For all tests of a file: a ledger, a service, and accounts whose POs are ordered and can be made older. */
export const useTracking = () => {
  const placing = usePlacing({ catalogue: ['A,10.00,5,0,3,4', 'B,2.50,99,0,0,0'] });
  /** An account with ordered POs. */
  const withOrders = async (
    count: number,
    options: Parameters<typeof placing.account>[0] = {},
  ): Promise<PlacingAccount> => {
    const account = placing.account(options);
    for (let at = 1; at <= count; at += 1) await account.add(`PO-${at}`, two);
    await account.run();
    account.calls.length = 0;
    return account;
  };

  const changesOf = (account: PlacingAccount, field: string): Promise<{ was: string; became: string }[]> =>
    rowsOf(
      placing.pool,
      `select c.was, c.became from status_changes c join orders o on o.id = c.order_id
       where o.account = $1 and c.field = $2 order by c.id`,
      [account.account, field],
    );

  /** Moves the account's orders `days` days into the past. */
  const makeOlder = async (account: PlacingAccount, days: number) => {
    await placing.pool.query(
      'update dealer_service.submissions set order_date = order_date - $2::int where dealer = $1',
      [account.dealer, days],
    );
    await placing.pool.query(
      `update intents i set begun_at = begun_at - $2::int * interval '1 day',
         ended_at = ended_at - $2::int * interval '1 day'
       from purchase_orders p where p.id = i.purchase_order_id and p.account = $1`,
      [account.account, days],
    );
    await placing.pool.query(
      `update purchase_orders set ordered_at = ordered_at - $2::int * interval '1 day' where account = $1`,
      [account.account, days],
    );
  };
  return { placing, withOrders, changesOf, makeOlder };
};
