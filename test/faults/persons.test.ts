import { expect, test } from 'vitest';
import { pauseByOperator, resumeByOperator } from '../../src/ledger/console/operator-pauses.ts';
import type { FaultRuleInput } from '../../src/service/fault-rules.ts';
import { usePlacing } from '../support/use-placing.ts';

// Whatever a person does at any moment, and whichever answer is lost: never two orders, and each PO ends as the person asked, or with
// an alarm.
const placing = usePlacing();
const ann = { who: 'Ann', via: 'command line' as const };
const items = [
  { sku: 'A', quantity: 2 },
  { sku: 'B', quantity: 1 },
];

const actions = ['pause', 'cancel', 'hold'] as const;
/** Each loses the first call of this kind; a second fault leads to a deletion. */
const lost = ['none', 'createCart', 'addItem', 'deleteCart', 'submitOrder'] as const;
const kinds = ['close-before', 'close-after'] as const;
/** More moments (sent, answered, recorded) than any of these POs has. */
const latest = 30;

type Lost = (typeof lost)[number];
const faultsOf = (endpoint: Lost, kind: (typeof kinds)[number], poNumber: string): FaultRuleInput[] => {
  if (endpoint === 'none') return [];
  const provoked = { endpoint: 'addItem', kind: '500-after', poNumber, count: 1 } as const;
  return [...(endpoint === 'deleteCart' ? [provoked] : []), { endpoint, kind, poNumber, count: 1 }];
};
const kindsOf = (endpoint: Lost) => (endpoint === 'none' ? kinds.slice(0, 1) : kinds);
const nameOf = (kind: string, moment: number) => `${kind} ${moment}`;

test.each(actions.flatMap((action) => lost.map((endpoint) => ({ action, endpoint }))))(
  '$action at every moment, while an answer of $endpoint is lost',
  async ({ action, endpoint }) => {
    const trials = kindsOf(endpoint).flatMap((kind) =>
      Array.from({ length: latest }, (_, at) => ({ kind, moment: at + 1 })),
    );
    const service = await placing.serve({
      faults: trials.flatMap(({ kind, moment }) => faultsOf(endpoint, kind, nameOf(kind, moment))),
    });
    const account = placing.account({ baseUrl: service.url });
    let acted = 0;
    // The kinds for which the PO ended before this moment, and so before every later one.
    const ended = new Set<string>();
    for (const { kind, moment } of trials) {
      if (ended.has(kind)) continue;
      const poNumber = nameOf(kind, moment);
      const { id } = await account.add(poNumber, items);
      let seen = 0;
      // No action is possible after the order is recorded.
      let isAsked = false;
      const act = async () => {
        if (action === 'pause') await pauseByOperator(placing.pool, account.account, ann);
        else isAsked = (await account.act(action, { poNumber })).some(({ kind }) => kind === 'done');
      };
      for (let steps = 0; (await account.active()).length > 0; steps += 1) {
        expect(steps).toBeLessThan(60);
        await account.becomeDue();
        const advanced = await account.step(id, async () => {
          seen += 1;
          if (seen === moment) await act();
        });
        if (advanced.kind === 'later' && advanced.why === 'paused')
          await resumeByOperator(placing.pool, account.account, ann);
      }
      if (action === 'pause') await resumeByOperator(placing.pool, account.account, ann);
      if (seen < moment) {
        ended.add(kind);
        continue;
      }
      acted += 1;
      const what = `${poNumber} of ${endpoint}`;
      const po = await account.row(poNumber);
      const submissions = new Set((await account.ordered(poNumber)).map((order) => order.submission)).size;
      if (submissions > 0) {
        expect([what, submissions, po.state]).toEqual([what, 1, 'ordered']);
        const told = isAsked ? expect.stringContaining(`A person asked to ${action}`) : null;
        expect([what, po.alarm]).toEqual([what, told]);
        continue;
      }
      const expected = { pause: 'ordered', cancel: 'cancelled', hold: 'held' }[action];
      expect([what, po.state]).toEqual([what, expected]);
      if (action !== 'hold') continue;
      await account.act('release', { poNumber });
      await account.run();
      expect([what, (await account.row(poNumber)).state]).toEqual([what, 'ordered']);
      expect(new Set((await account.ordered(poNumber)).map((order) => order.submission)).size).toBe(1);
    }
    expect(ended.size).toBe(kindsOf(endpoint).length);
    expect(acted).toBeGreaterThanOrEqual(10 * kindsOf(endpoint).length);
    await account.logReasons();
  },
);

test.each(
  (['429-seconds', 'redirect', 'close-before'] as const).flatMap((kind) =>
    (['createCart', 'addItem', 'submitOrder'] as const).map((endpoint) => ({ kind, endpoint })),
  ),
)(
  'a person pauses while $endpoint is answered $kind: after the resume the PO waits only for what the service asked',
  async (fault) => {
    const service = await placing.serve({ faults: [{ ...fault, poNumber: 'PO-1', count: 1 }] });
    const account = placing.account({ baseUrl: service.url });
    const { id } = await account.add('PO-1', items);
    const before = { createCart: 0, addItem: 1, submitOrder: 2 }[fault.endpoint];
    let begun = 0;
    for (let steps = 0; steps < 10; steps += 1) {
      const advanced = await account.step(id, async (name) => {
        if (name !== 'intent_committed') return;
        if (begun === before) await pauseByOperator(placing.pool, account.account, ann);
        begun += 1;
      });
      if (begun > before) break;
      expect(advanced.kind).toBe('transitioned');
    }
    expect(begun).toBe(before + 1);
    await resumeByOperator(placing.pool, account.account, ann);
    const { rows } = await placing.pool.query(
      `select extract(epoch from next_at - clock_timestamp())::float8 as seconds from purchase_orders where id = $1`,
      [id],
    );
    // Its own waits after a fault last some seconds. A pause ended by a person must not count.
    expect(rows[0].seconds).toBeLessThan(60);
    const paused = await placing.pool.query(
      'select pause_code as code from account_states where account = $1 and paused_until > clock_timestamp()',
      [account.account],
    );
    expect(paused.rows).toEqual(fault.kind === '429-seconds' ? [{ code: 'rate_limited' }] : []);
    await placing.pool.query(
      'update account_states set paused_until = clock_timestamp() where account = $1',
      [account.account],
    );
    await account.run();
    expect((await account.row('PO-1')).state).toBe('ordered');
    expect(new Set((await account.ordered('PO-1')).map((order) => order.submission)).size).toBe(1);
  },
);
