import { expect, test } from 'vitest';
import { presentPurchaseOrder } from '../../src/console/present-purchase-order.ts';
import { readPurchaseOrder } from '../../src/ledger/console/purchase-order.ts';
import type { FaultRuleInput } from '../../src/service/fault-rules.ts';
import { createHeardLogger } from '../support/heard-logger.ts';
import { usePlacing } from '../support/use-placing.ts';

const placing = usePlacing();

const bannerOf = async (id: string) =>
  presentPurchaseOrder((await readPurchaseOrder(placing.pool, id, null))!).banner;

/** A PO that is tried `times` times while the service has these faults, and the log. */
const triedWith = async (times: number, faults: FaultRuleInput[]) => {
  const { logger, lines } = createHeardLogger();
  const account = placing.account({ logger });
  const { id } = await account.add('PO-1', [{ sku: 'A', quantity: 2 }]);
  placing.service.faults.replace(faults);
  const go = async (turns: number): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1) {
      await account.becomeDue();
      await account.step(id);
    }
  };
  const banner = () => bannerOf(id);
  await go(times);
  return { account, lines, go, banner };
};

test.each<[string, FaultRuleInput[]]>([
  [
    'looking up its order was answered 200, but the answer cannot be read',
    [{ endpoint: 'showOrder', kind: 'truncated-after' }],
  ],
  ['looking up its cart was answered 500', [{ endpoint: 'showCart', kind: '500-before' }]],
  [
    'listing the orders of the last days was answered 503',
    [
      { endpoint: 'submitOrder', kind: '500-before' },
      { endpoint: 'listOrders', kind: '503-before' },
    ],
  ],
  [
    'creating its cart was answered 200 with a web page',
    [{ endpoint: 'createCart', kind: 'html', count: 1 }],
  ],
])(
  'a PO that stands still says which call fails and how, and the log says it once: %s',
  async (says, faults) => {
    const isOdd = faults[0]!.kind === 'html';
    const { account, banner, lines, go } = await triedWith(isOdd ? 1 : 6, faults);
    expect((await banner()).sentence).toMatch(/; its last (?:\d calls|call) did not succeed: /);
    expect((await banner()).sentence).toContain(`: ${says}.`);
    const logged = lines.filter(({ code }) => code === 'call_failed');
    expect(logged).toMatchObject([{ level: 'warn', poNumber: 'PO-1' }]);
    expect(logged[0]!.message.toLowerCase()).toBe(`${says}. it is retried.`);

    placing.service.faults.replace([]);
    await go(6);
    expect(await account.row('PO-1')).toMatchObject({ state: 'ordered', reason_text: null });
  },
);

test('a PO whose cart cannot be deleted says so while it is cancelled', async () => {
  const { account, banner, go } = await triedWith(1, [{ endpoint: 'showOrder', kind: '500-before' }]);
  placing.service.faults.replace([{ endpoint: 'deleteCart', kind: '500-before' }]);
  await account.act('cancel', { poNumber: 'PO-1' });
  await go(2);
  expect((await banner()).sentence).toBe(
    'PO-1 is being cancelled; its last 3 calls did not succeed: deleting its cart was answered 500.',
  );
});

test('a PO whose line was refused says that it fails, and not that its lines are added', async () => {
  const service = await placing.serve({ catalogue: ['A,1.00,9,9,9,9'] });
  const account = placing.account({ baseUrl: service.url });
  const { id } = await account.add('PO-1', [
    { sku: 'A', quantity: 2 },
    { sku: 'B', quantity: 1 },
  ]);
  const go = async () => {
    await account.becomeDue();
    await account.step(id);
    return bannerOf(id);
  };
  const refused = 'a line that the service refused \\(row 3: answered 422: [^)]+\\)';
  const sentence = async () => (await go()).sentence;
  service.faults.replace([{ endpoint: 'showOrder', kind: '500-before', count: 1 }]);
  const says = `^PO-1 has ${refused}; once its cart is deleted it fails, or .+; its last`;
  expect(await sentence()).toMatch(
    new RegExp(`${says} call did not succeed: looking up its order was answered 500\\.$`),
  );
  service.faults.replace([{ endpoint: 'deleteCart', kind: '500-before' }]);
  await go();
  expect(await sentence()).toMatch(
    new RegExp(`${says} 3 calls did not succeed: deleting its cart was answered 500\\.$`),
  );
  // The unanswered deletions may take effect late, so the refusal counts only once the service repeats it.
  service.faults.replace([]);
  expect(await sentence()).toMatch(new RegExp(`^PO-1 had ${refused}, and is tried once more\\.$`));
  expect(await sentence()).toMatch(/^PO-1 failed: The service refused it: row 3/);
});

test('a PO whose submissions have no clear answer is held with what they were answered, and no rebuilt cart', async () => {
  const { account } = await triedWith(40, [{ endpoint: 'submitOrder', kind: 'html' }]);
  expect(await account.row('PO-1')).toMatchObject({
    state: 'held',
    reason_code: 'service_unstable',
    rebuilds: 0,
    reason_text:
      'Submitting it had no clear outcome 5 times. Release this PO once the service works again. (Submitting it was answered 200 with a web page)',
  });
});

test('a PO whose cart is rebuilt too often is held with the calls that led to it', async () => {
  const { account } = await triedWith(40, [{ endpoint: 'addItem', kind: '500-after' }]);
  expect(await account.row('PO-1')).toMatchObject({
    state: 'held',
    reason_code: 'service_unstable',
    reason_text:
      'Adding its lines had no clear outcome 6 times. Its cart was rebuilt 5 times. Release this PO once the service works again. (Adding its lines failed: row 2: answered 500)',
  });
});
