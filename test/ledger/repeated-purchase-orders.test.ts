import { describe, expect, test } from 'vitest';
import { header, useStaging } from './stage-text.ts';

const staging = useStaging();
const { newAccount, stageText, ordersOf, setState } = staging;

describe('the same PO in several files (rule 9)', () => {
  const first = `${header}A,Ann,S1,1\nA,Ann,S2,2\n`;

  test('same content again, its lines in another order and unknown columns aside, is recorded and nothing else', async () => {
    const account = newAccount();
    const before = await stageText(account, first);
    const again = await stageText(
      account,
      'quantity,item_sku,remark,po_number,ship_name\n2,S2,x,A,Ann\n1,S1,y,A,\n',
    );
    expect(again.counts).toMatchObject({ ready: 0, repeated: 1, conflicting: 0 });
    expect(await ordersOf(again.importId)).toEqual([]);
    const { rows } = await staging.pool.query(
      `select r.po_number, r.line_count, p.import_id from repeated_purchase_orders r
       join purchase_orders p on p.id = r.purchase_order_id where r.import_id = $1`,
      [again.importId],
    );
    expect(rows).toEqual([{ po_number: 'A', line_count: 2, import_id: before.importId }]);
  });

  test('other content while the first is live is held and names the first file and row', async () => {
    const account = newAccount();
    await stageText(account, first, { fileName: 'monday.csv' });
    const { importId, counts } = await stageText(account, `${header}A,Ann,S1,5\n`);
    expect(counts).toMatchObject({ ready: 0, conflicting: 1 });
    const [held] = await ordersOf(importId);
    expect(held).toMatchObject({ state: 'held', reason_code: 'conflicting_po' });
    expect(held.reason_text).toMatch(/monday\.csv, row 2/);
    const third = await stageText(account, `${header}A,Ann,S1,5\n`);
    expect(third.counts).toMatchObject({ repeated: 1, conflicting: 0 });
  });

  test.each(['ready', 'submitting', 'ordered', 'closed', 'verifying'])(
    'a PO that is %s is not ordered again',
    async (state) => {
      const account = newAccount();
      const before = await stageText(account, first);
      await setState(before.importId, state);
      expect((await stageText(account, first)).counts).toMatchObject({ ready: 0, repeated: 1 });
    },
  );

  test('a rejected PO says that the one of an earlier file stays as it is', async () => {
    const account = newAccount();
    const before = await stageText(account, first, { fileName: 'monday.csv' });
    await setState(before.importId, 'ordered');
    const bad = await stageText(account, `${header}A,Ann,S1,0\nB,Ann,S1,0\n`);
    const { rows } = await staging.pool.query(
      `select po_number, row_number, message from row_issues where import_id = $1 and code = 'earlier_stays'`,
      [bad.importId],
    );
    expect(rows).toEqual([
      {
        po_number: 'A',
        row_number: 2,
        message: `PO A of import ${before.importId} (monday.csv, row 2) stays as it is: what this file says changes nothing of it. Send what is new under a PO number of its own.`,
      },
    ]);
  });

  test('a rejected PO is replaced by any new file, also with the same content', async () => {
    const account = newAccount();
    const bad = await stageText(account, `${header}A,Ann,S1,0\n`);
    expect(bad.counts).toMatchObject({ rejected: 1 });
    expect((await stageText(account, `${header}A,Ann,S1,0\n`)).counts).toMatchObject({ rejected: 1 });
    expect((await stageText(account, first)).counts).toMatchObject({ ready: 1 });
  });

  test('after failed only changed content takes over', async () => {
    const account = newAccount();
    const before = await stageText(account, first);
    await setState(before.importId, 'failed');
    expect((await stageText(account, first)).counts).toMatchObject({ ready: 0, repeated: 1 });
    const changed = await stageText(account, `${header}A,Ann,S1,2\n`);
    expect(changed.counts).toMatchObject({ ready: 1 });
  });

  test('PO numbers that differ only in case wait for a person, across files and within one', async () => {
    const account = newAccount();
    await stageText(account, `${header}Äb-1,,S1,1\n`, { fileName: 'monday.csv' });
    const across = await stageText(account, `${header}äB-1,,S1,1\n`);
    expect(await ordersOf(across.importId)).toMatchObject([
      {
        po_number: 'äB-1',
        state: 'held',
        reason_code: 'conflicting_po',
        reason_text: expect.stringContaining('monday.csv, row 2'),
      },
    ]);
    const within = await stageText(account, `${header}x1,,S1,1\nX1,,S2,2\ny,,S1,1\n`);
    expect(await ordersOf(within.importId)).toMatchObject([
      { po_number: 'x1', state: 'held', reason_text: expect.stringContaining('x1 (row 2), X1 (row 3)') },
      { po_number: 'X1', state: 'held', reason_code: 'conflicting_po' },
      { po_number: 'y', state: 'ready' },
    ]);
  });

  test.each([
    ['PO-4711', 'PO 4711'],
    ['#4711', '4711'],
    ['04711', '4711'],
    ['4711.0', '4711'],
    ['A_1/26', 'A-1-26'],
    ['P.O. 9-1', 'po 9.1'],
  ])('PO numbers that may be one in two spellings wait for a person: %s and %s', async (one, other) => {
    const staged = await stageText(newAccount(), `${header}${one},,S1,1\n${other},,S2,2\nZ,,S1,1\n`);
    const reason = expect.stringContaining(`${one} (row 2), ${other} (row 3). Release them if`);
    expect(await ordersOf(staged.importId)).toMatchObject([
      { po_number: one, state: 'held', reason_code: 'similar_po', reason_text: reason },
      { po_number: other, state: 'held', reason_code: 'similar_po', reason_text: reason },
      { po_number: 'Z', state: 'ready' },
    ]);
    expect(staged.counts).toMatchObject({ ready: 1, held: 2 });
  });

  test.each([
    ['PO-1', 'PO-10'],
    ['1-21', '12-1'],
    ['A-01', 'A-1'],
    ['B1', 'B-1'],
    ['pole', 'le'],
    ['4711-0', '4711'],
    ['10', '1'],
    ['Ä-1', 'A-1'],
  ])('others are different POs: %s and %s', async (one, other) => {
    const { counts } = await stageText(newAccount(), `${header}${one},,S1,1\n${other},,S2,2\n`);
    expect(counts).toMatchObject({ ready: 2, held: 0 });
  });

  test('other accounts do not see each other', async () => {
    await stageText(newAccount(), first);
    expect((await stageText(newAccount(), first)).counts).toMatchObject({ ready: 1 });
  });

  test.each([
    ['the same file', first],
    ['a file of other bytes', `${first}\n`],
  ])(
    'a PO that was cancelled and comes again unchanged in %s is held for a person; changed, it is ordered',
    async (_, text) => {
      const account = newAccount();
      const before = await stageText(account, first, { fileName: 'monday.csv' });
      await setState(before.importId, 'cancelled');
      const again = await stageText(account, text);
      expect(again.counts).toMatchObject({ ready: 0, repeated: 0, held: 1 });
      expect(await ordersOf(again.importId)).toMatchObject([
        {
          state: 'held',
          reason_code: 'was_cancelled',
          reason_text: expect.stringMatching(/monday\.csv, row 2/),
        },
      ]);
      expect((await stageText(account, first)).counts, 'it is held once').toMatchObject({
        repeated: 1,
        held: 0,
      });
      await setState(again.importId, 'cancelled');
      expect((await stageText(account, `${header}A,Ann,S1,2\n`)).counts).toMatchObject({ ready: 1 });
    },
  );

  test('a PO that was cancelled, then changed and cancelled, is still asked about', async () => {
    const account = newAccount();
    for (const text of [first, `${header}A,Ann,S1,2\n`]) {
      const { importId } = await stageText(account, text);
      await setState(importId, 'cancelled');
    }
    expect((await stageText(account, first)).counts).toMatchObject({ ready: 0, held: 1 });
  });

  test('a file that is imported again from done: what the ledger knows is repeated, the rest is held', async () => {
    const account = newAccount();
    await stageText(account, first);
    const text = `${header}A,Ann,S1,1\nA,Ann,S2,2\nB,Bob,S1,1\nC,Cid,S1,0\n`;
    const restored = await stageText(account, text, { restored: true });
    expect(restored.counts).toMatchObject({ ready: 0, repeated: 1, held: 1, rejected: 1 });
    expect(await ordersOf(restored.importId)).toMatchObject([
      { po_number: 'B', state: 'held', reason_code: 'restored_file' },
      { po_number: 'C', state: 'rejected' },
    ]);
  });

  describe('of a quote and an order of one PO', () => {
    const states = ['ready', 'cart_created', 'items_added', 'held', 'failed', 'cancelled'];
    const cases = states.flatMap((state) =>
      [first, `${header}A,Ann,S1,7\n`, `${header}a,Ann,S1,1\n`].map((text, at) => [
        state,
        ['the same content', 'other content', 'another case'][at]!,
        text,
      ]),
    );

    test.each(cases)('a quote that is %s never counts for the order: %s', async (state, _which, text) => {
      const account = newAccount();
      const quote = await stageText(account, first, { quoteOnly: true });
      await setState(quote.importId, state);
      const order = await stageText(account, text);
      expect(order.counts).toMatchObject({ ready: 1, repeated: 0, conflicting: 0, held: 0 });
      expect((await stageText(account, text)).counts, 'the order counts').toMatchObject({ repeated: 1 });
    });

    test.each([...states, 'submitting', 'verifying', 'ordered', 'closed', 'rejected'])(
      'an order that is %s never counts for the quote',
      async (state) => {
        const account = newAccount();
        const order = await stageText(account, first);
        await setState(order.importId, state);
        expect((await stageText(account, first, { quoteOnly: true })).counts).toMatchObject({
          ready: 1,
          repeated: 0,
        });
        expect(await ordersOf(order.importId)).toMatchObject([{ state }]);
      },
    );

    test('two live quotes of one PO are one, and one that has ended can be asked for again', async () => {
      const account = newAccount();
      const quote = () => stageText(account, first, { quoteOnly: true });
      const one = await quote();
      expect((await quote()).counts).toMatchObject({ ready: 0, repeated: 1 });
      await setState(one.importId, 'cancelled');
      expect((await quote()).counts).toMatchObject({ ready: 1, repeated: 0 });
    });
  });

  test('two files with the same PO at the same moment make one ready PO', async () => {
    const account = newAccount();
    const both = await Promise.all([stageText(account, first), stageText(account, first)]);
    expect(both.map(({ counts }) => counts!.ready).sort()).toEqual([0, 1]);
    expect(both.map(({ counts }) => counts!.repeated).sort()).toEqual([0, 1]);
  });
});

describe('a rejected or failed PO that is sent again', () => {
  const wrong = `${header}A,Ann,S1,0\n`;
  const reasons = async (importId: string) =>
    (await ordersOf(importId)).map(({ state, reason_code }) => `${state} ${reason_code}`);

  test('is corrected once a later file brings it without a mistake, and its result file is written again', async () => {
    const account = newAccount();
    const rejected = [await stageText(account, wrong), await stageText(account, wrong)];
    const quote = await stageText(account, `${header}A,Ann,S1,1\n`, { quoteOnly: true });
    await staging.pool.query(
      `update imports set result_due = false, result_written_at = now() where id = any($1::bigint[])`,
      [rejected.map(({ importId }) => importId)],
    );
    for (const { importId } of rejected) expect(await reasons(importId)).toEqual(['rejected row_issues']);
    const order = await stageText(account, `${header}A,Ann,S1,1\n`);
    for (const { importId } of rejected) {
      const [po] = await ordersOf(importId);
      expect(po).toMatchObject({ state: 'rejected', reason_code: 'corrected' });
      expect(po.reason_text).toMatch(
        new RegExp(`^Row 2, column quantity.*Corrected in import ${order.importId} \\(row 2\\)\\.$`),
      );
      const { rows } = await staging.pool.query('select result_due from imports where id = $1', [importId]);
      expect(rows[0].result_due).toBe(true);
    }
    expect(await reasons(quote.importId)).toEqual(['ready null']);
  });

  test('that failed is corrected by a later file in the same way, and not by the same file again', async () => {
    const account = newAccount();
    const failed = await stageText(account, `${header}A,Ann,NOPE,1\n`);
    await staging.pool.query(
      `update purchase_orders set state = 'failed', reason_code = 'refused_by_service', reason_text = 'No such item.' where import_id = $1`,
      [failed.importId],
    );
    await staging.pool.query(
      'update imports set result_due = false, result_written_at = now() where id = $1',
      [failed.importId],
    );
    expect((await stageText(account, `${header}A,Ann,NOPE,1\n`)).counts).toMatchObject({ repeated: 1 });
    expect(await reasons(failed.importId)).toEqual(['failed refused_by_service']);

    const order = await stageText(account, `${header}A,Ann,S1,1\n`);
    expect(await reasons(failed.importId)).toEqual(['failed corrected']);
    const [po] = await ordersOf(failed.importId);
    expect(po.reason_text).toBe(`No such item. Corrected in import ${order.importId} (row 2).`);
    const { rows } = await staging.pool.query('select result_due from imports where id = $1', [
      failed.importId,
    ]);
    expect(rows[0].result_due).toBe(true);
  });

  test('is also corrected if the later file contains what an earlier one has ordered', async () => {
    const account = newAccount();
    await stageText(account, `${header}A,Ann,S1,1\n`);
    const rejected = await stageText(account, wrong);
    expect((await stageText(account, `${header}A,Ann,S1,1\n`)).counts).toMatchObject({ repeated: 1 });
    expect(await reasons(rejected.importId)).toEqual(['rejected corrected']);
  });

  test('is not corrected by a quote, by another account, or by a file in which it is rejected again', async () => {
    const account = newAccount();
    const rejected = await stageText(account, wrong);
    await stageText(account, `${header}A,Ann,S1,1\n`, { quoteOnly: true });
    await stageText(newAccount(), `${header}A,Ann,S1,1\n`);
    await stageText(account, `${header}A,Ann,S2,0\n`);
    expect(await reasons(rejected.importId)).toEqual(['rejected row_issues']);
  });
});
