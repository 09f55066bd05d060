import { describe, expect, test } from 'vitest';
import type { PoDetail } from '../../src/api-contract/purchase-orders.ts';
import { newKind, useQuestions } from './use-questions.ts';

const desk = useQuestions();
const { call, drop, statesOf, questionsOf, answer } = desk;

describe('units', () => {
  const quantities = async (importId: string) => {
    const { rows } = await desk.use.deps.pool.query(
      'select item_sku as sku, quantity, expected_price::text as price from lines where import_id = $1 order by row_number',
      [importId],
    );
    return rows;
  };

  /** The texts about rows on the pages of an import's POs. */
  const shownOfPos = async (importId: string): Promise<string[]> => {
    const { rows } = await desk.use.deps.pool.query<{ id: string }>(
      'select id::text from purchase_orders where import_id = $1 order by id',
      [importId],
    );
    const pages = await Promise.all(
      rows.map(async ({ id }) => (await call('GET', `/purchase-orders/${id}`)).json<PoDetail>()),
    );
    return pages.flatMap(({ issues }) => issues.map(({ severity, message }) => `${severity} ${message}`));
  };

  test('a unit that is new is never ordered as pieces; a person says how many pieces it is, for this file and the next', async () => {
    const file = newKind('Unit,Expected Price');
    await drop('1.csv', file('P-1,S1,3,,EA,2.5'));
    const night = await drop('2.csv', file('P-2,S1,3,,EA,2.5', 'P-2,S2,2,,DZ,30'));
    expect(night.pos).toEqual(['P-2 held question']);
    const [question] = await questionsOf(night.importId);
    expect((await call('POST', `/questions/${question!.id}/answer`, { answer: 'pieces' })).statusCode).toBe(
      422,
    );
    const { sentence } = await answer(question!.id, { answer: 'pieces', pieces: 12 });
    expect(sentence).toContain('rows with "DZ" in "Unit" are counted as 12 pieces for each one');
    expect(await statesOf(night.importId)).toEqual(['P-2 ready 2 lines']);
    expect(await quantities(night.importId)).toEqual([
      { sku: 'S1', quantity: 3, price: '2.5' },
      { sku: 'S2', quantity: 24, price: '2.5000' },
    ]);
    const next = await drop('3.csv', file('P-3,S2,5,,dz,30'));
    expect(await quantities(next.importId)).toEqual([{ sku: 'S2', quantity: 60, price: '2.5' }]);
    expect([...(await shownOfPos(night.importId)), ...(await shownOfPos(next.importId))]).toEqual([
      'note 2 × 12 = 24 pieces, because "Unit" says "DZ" and a person said that one of it is 12 pieces.',
      'note 5 × 12 = 60 pieces, because "Unit" says "dz" and a person said that one of it is 12 pieces.',
    ]);
    // The same PO in a later file is not a new order.
    const again = await drop('4.csv', file('P-2,S1,3,,EA,2.5', 'P-2,S2,2,,DZ,30', 'P-4,S1,1,,EA,2.5'));
    expect(again.pos).toEqual(['P-4 ready']);
  });

  test.each([
    ['the same', 12, [{ sku: 'S1', quantity: 24, price: null }], 'W-2 ready'],
    ['another number', 2, [{ sku: 'S1', quantity: 24, price: null }], 'W-2 rejected'],
  ] as const)(
    'a second column that says how a row is packed has to say the same: %s',
    async (_, second, lines, end) => {
      const file = newKind('Unit,Layer');
      await drop('1.csv', file('W-1,S1,3,,EA,one'));
      const night = await drop('2.csv', file(`W-${second},S1,2,,DZ,double`));
      for (const [value, pieces] of [
        ['DZ', 12],
        ['double', second],
      ] as const)
        await answer((await questionsOf(night.importId)).find((one) => one.value === value)!.id, {
          answer: 'pieces',
          pieces,
        });
      expect(await quantities(night.importId)).toEqual(lines);
      const [state] = await desk.statesOf(night.importId);
      expect(state).toMatch(end.replace('W-2', `W-${second}`));
    },
  );

  test('of three columns that say how a row is packed each has to say the same', async () => {
    const packedAs = async (...pieces: [number, number, number]) => {
      const file = newKind('Unit,Pack,Case');
      const po = `${pieces.join('')}`;
      await drop('1.csv', file(`U${po}-1,S1,3,,EA,one,one`));
      const night = await drop('2.csv', file(`U${po}-2,S1,2,,BX,four,FOURS`));
      for (const [at, value] of ['BX', 'four', 'FOURS'].entries())
        await answer((await questionsOf(night.importId)).find((one) => one.value === value)!.id, {
          answer: 'pieces',
          pieces: pieces[at]!,
        });
      const [state] = await desk.statesOf(night.importId);
      return [state!.split(' ')[1], (await quantities(night.importId))[0]!.quantity];
    };
    expect(await packedAs(4, 4, 4)).toEqual(['ready', 8]);
    expect(await packedAs(12, 5, 7)).toEqual(['rejected', 24]);
  });

  test('more pieces than an order may have reject the PO', async () => {
    const file = newKind('Unit');
    await drop('1.csv', file('Q-1,S1,3,,EA'));
    const night = await drop('2.csv', file('Q-2,S1,900,,PAL'));
    await answer((await questionsOf(night.importId))[0]!.id, { answer: 'pieces', pieces: 90_000 });
    expect(await statesOf(night.importId)).toEqual(['Q-2 rejected row_issues 1 lines']);
    expect(await shownOfPos(night.importId)).toEqual([
      expect.stringMatching(/^issue 900 × 90000 = 81000000 pieces/),
    ]);
    expect((await drop('3.csv', file('Q-3,S1,900,,PAL'))).pos).toEqual(['Q-3 rejected row_issues']);
    const { rows } = await desk.use.deps.pool.query(
      `select expected from row_issues where import_id = $1 and severity = 'issue'`,
      [night.importId],
    );
    expect(rows).toEqual([{ expected: 'at most 1000000 pieces' }]);
  });
});

test('whole numbers are compared with the quantity: shipped in part asks, other numbers do not', async () => {
  const file = newKind('Qty Shipped');
  await drop('1.csv', file('N-1,S1,3,,0', 'N-2,S1,4,,0'));
  expect((await drop('2.csv', file('N-3,S1,7,,0'))).pos).toEqual(['N-3 ready']);
  const night = await drop('3.csv', file('N-4,S1,7,,2'));
  expect(night.pos).toEqual(['N-4 held question']);
  expect(await questionsOf(night.importId)).toMatchObject([{ column: 'Qty Shipped', value: '2' }]);
});

test('a number that always was the quantity asks when it is not', async () => {
  const file = newKind('Confirmed');
  const lines = (po: string, confirmed: (quantity: number) => number) =>
    Array.from({ length: 12 }, (_, at) => `${po}-${at},S1,${at + 1},,${confirmed(at + 1)}`);
  await drop('1.csv', file(...lines('VA', (quantity) => quantity)));
  const night = await drop('2.csv', file(...lines('VB', (quantity) => quantity - 1)));
  expect(new Set(night.pos.map((po) => po.split(' ').slice(1).join(' ')))).toEqual(
    new Set(['held question']),
  );
});

test('texts that describe the rows, amounts and dates are not asked about', async () => {
  const file = newKind('Text,Amount,Day');
  await drop(
    '1.csv',
    file('T-1,S1,3,,Brake pads of the front wheel in red,4.50,2026-11-02', 'T-1,S2,3,,Oil,9.00,2026-11-03'),
  );
  const next = await drop('2.csv', file('T-2,S3,3,,Chains of steel for the rear wheel,7.25,2026-11-09'));
  expect(next.pos).toEqual(['T-2 ready']);
});
