import { expect, test } from 'vitest';
import { createPool } from '../../src/ledger/pool.ts';
import { createTrackingLedger } from '../../src/ledger/tracking-ledger.ts';
import { silentLogger } from '../../src/logger.ts';
import { pollAccount } from '../../src/tracking/poll-account.ts';
import { usePlacing } from '../support/use-placing.ts';

const placing = usePlacing();

test('polls that wait for hanging services keep no connection to the ledger from others', async () => {
  const few = createPool(placing.databaseUrl, { max: 2, logger: silentLogger });
  let hang = () => {};
  const answered = new Promise<void>((resolve) => {
    hang = resolve;
  });
  let asked = 0;
  const accounts = Array.from({ length: 6 }, () => placing.account());
  const polls: Promise<unknown>[] = [];
  for (const account of accounts) {
    await account.add('PO-1', [{ sku: 'A', quantity: 1 }], {
      row: { state: 'ordered', ordered_at: new Date() },
    });
    polls.push(
      pollAccount(account.account, {
        ledger: createTrackingLedger(few),
        api: {
          ...account.api,
          showOrder: (poNumber, gate) => account.api.showOrder(poNumber, gate),
          listOrders: async (...range) => {
            asked += 1;
            await answered;
            return account.api.listOrders(...range);
          },
        },
        rules: {
          pollOlder: [],
          finalStatuses: ['Invoiced'],
          unchangedMs: 180 * 86_400_000,
          seenWithinMs: 86_400_000,
        },
        placing: account.rules,
        logger: silentLogger,
        now: () => new Date(),
      }),
    );
  }
  await expect.poll(() => asked).toBe(accounts.length);
  // All of them wait for their services, but the ledger still answers others.
  expect((await few.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  expect(few.idleCount).toBe(few.totalCount);
  hang();
  expect(await Promise.all(polls)).toMatchObject(accounts.map(() => ({ kind: 'polled' })));
  await few.end();
});
