import { expect, test } from 'vitest';
import type { OrderAnswer } from '../../src/dealer-api/answers.ts';
import { readFigures } from '../../src/ledger/figures.ts';
import { addSummary, knowSummaries } from '../../src/ledger/notification-alarms.ts';
import { readOverview } from '../../src/ledger/overview.ts';
import { useTracking } from './use-tracking.ts';
import { asAsked, second, watchedWith, withItems } from './watched.ts';

const { placing, withOrders } = useTracking();
const watched = watchedWith(withOrders);

/** Count of the alarm in status and its check, in the metrics, and in the daily summary. */
const counted = async (account: string) => {
  const { pool } = placing;
  const overview = await readOverview(pool, [account], { counts: false });
  const figures = await readFigures(pool);
  await knowSummaries(pool, account, new Date(0));
  await addSummary(pool, { route: account, dueAt: new Date(), accounts: [account] });
  const { rows } = await pool.query(
    `select sections -> 0 -> 'counts' ->> 'alarms' as n from notifications where route = $1 order by due_at desc limit 1`,
    [account],
  );
  return [
    overview.accounts[0]!.alarms,
    figures.accounts.find((one) => one.account === account)?.alarms,
    Number(rows[0].n),
  ];
};

test('a person settles an alarm as it is, with a note; it counts no more until something new shows', async () => {
  const { account, poll } = await watched();
  await poll(second(5));
  expect(await counted(account.account)).toEqual([1, 1, 1]);
  const settle = () => account.act('settle', { poNumber: 'PO-1' }, 'Ann', 'the dealer wants both');
  expect(await settle()).toEqual([{ kind: 'done', state: 'ordered' }]);
  expect(await counted(account.account)).toEqual([0, 0, 0]);
  // The PO still shows it, and who settled it.
  expect((await account.row('PO-1')).alarm).toMatch(/^The service shows larger/);
  const { rows } = await placing.pool.query(
    `select who, note, detail ->> 'alarm' as alarm from operator_actions where account = $1 and action = 'settle'`,
    [account.account],
  );
  expect(rows).toEqual([
    { who: 'Ann', note: 'the dealer wants both', alarm: expect.stringMatching(/^The service shows larger/) },
  ]);
  // Nothing is left to settle. The same alarm again is not new, but another figure is.
  expect(await settle()).toEqual([]);
  await placing.pool.query('update purchase_orders set quantities_checked = false where account = $1', [
    account.account,
  ]);
  await poll(second(5));
  expect(await counted(account.account)).toEqual([0, 0, 0]);
  await poll(second(6));
  expect(await counted(account.account)).toEqual([1, 1, 1]);
});

test('an alarm that was disproved and comes again is a new one', async () => {
  const { account, poll } = await watched();
  const nine = (orders: OrderAnswer[]) => orders.map((order) => withItems(order, 9));
  await poll(nine);
  await account.act('settle', { poNumber: 'PO-1' });
  expect((await poll(asAsked)).alarm).toBeNull();
  await poll(nine);
  expect(await counted(account.account)).toEqual([1, 1, 1]);
});

test('what a person has not seen is not settled', async () => {
  const { account, poll } = await watched();
  await poll(second(5));
  const { pool } = placing;
  const { findActionTargets, applyOperatorAction } = await import('../../src/ledger/po/operator-actions.ts');
  const seen = await findActionTargets(pool, 'settle', { account: account.account });
  await pool.query(`update purchase_orders set alarm = 'Something else.' where account = $1`, [
    account.account,
  ]);
  const [result] = await applyOperatorAction(pool, 'settle', seen, { who: 'Ann' });
  expect(result!.outcome).toMatchObject({
    kind: 'not_possible',
    why: expect.stringContaining('has changed'),
  });
  expect(await counted(account.account)).toEqual([1, 1, 1]);
});
