import { describe, expect, test } from 'vitest';
import { approvalsOf, findGuardHold, foreseeGuardHold, laterGuards } from '../../src/placing/guards.ts';
import { fromCents, showMoney, toCents, toMillionths } from '../../src/placing/money.ts';
import type { Guards } from '../../src/placing/options.ts';
import type { Approvals } from '../../src/placing/types.ts';
import { line } from './lines.ts';

const off: Guards = { backorder: false, unknownPrice: false };
const holdOf = (lines: ReturnType<typeof line>[], guards: Partial<Guards>, approvals: Approvals = {}) =>
  findGuardHold(lines, { ...off, ...guards }, approvals)?.code;
const priced = (dealerPrice: string, over: Parameters<typeof line>[0] = {}) =>
  line({ ...over, answer: { dealerPrice } });

describe('a line whose price the service does not show', () => {
  const unread = (expectedPrice?: string) =>
    line({ rowNumber: 9, quantity: 10, expectedPrice, answer: { dealerPrice: 'on request' } });
  const guards = { orderTotal: 100 };

  test('counts in the total with the price of the file', () => {
    expect(holdOf([unread('10.00')], guards)).toBeUndefined();
    expect(holdOf([unread('10.01')], guards)).toBe('order_total');
  });

  test('without any price is not counted as nothing: the guard of the total holds the PO until a person releases it', () => {
    const lines = [priced('50.00', { quantity: 1 }), unread()];
    expect(holdOf(lines, guards)).toBe('order_total');
    expect(findGuardHold(lines, { ...off, ...guards }, {})!.text).toMatch(
      /not known.*row 9.*50\.00.*100\.00/,
    );
    const approved = approvalsOf('order_total', lines);
    expect(holdOf(lines, guards, approved)).toBeUndefined();
    expect(holdOf([...lines, priced('51.00', { quantity: 1 })], guards, approved)).toBe('order_total');
  });
});

describe('money', () => {
  test.each([
    ['0', 0n],
    ['12', 12_000_000n],
    ['12.3', 12_300_000n],
    ['12.34', 12_340_000n],
    ['0.00125', 1250n],
    ['0.0000005', 1n],
    ['-0.05', -50_000n],
    ['12.340000000000001', 12_340_000n],
    ['90071992547409931.55', 90071992547409931550000n],
    ['1e3', undefined],
    ['', undefined],
    ['1,5', undefined],
  ])('%s is so many millionths', (text, millionths) => {
    expect(toMillionths(text)).toBe(millionths);
  });

  test.each([
    [12_344_999n, 1234n],
    [12_345_000n, 1235n],
    [-12_345_000n, -1235n],
    [0n, 0n],
  ])('%s millionths in cents', (millionths, cents) => {
    expect(toCents(millionths)).toBe(cents);
  });

  test.each([
    [0n, '0.00'],
    [5n, '0.05'],
    [-5n, '-0.05'],
    [123456n, '1234.56'],
  ])('%s cents as text', (cents, text) => {
    expect(fromCents(cents)).toBe(text);
  });

  test.each([
    ['2', '2.00'],
    ['2.5', '2.50'],
    ['0.125', '0.125'],
    ['12.340000000000001', '12.34'],
  ])('%s is shown as %s', (decimal, shown) => {
    expect(showMoney(decimal)).toBe(shown);
  });

  test('a thousand times a tenth is exactly a hundred', () => {
    const lines = Array.from({ length: 1000 }, (_, at) => priced('0.10', { rowNumber: at + 2 }));
    expect(holdOf(lines, { orderTotal: 100 })).toBeUndefined();
    expect(holdOf([...lines, priced('0.01')], { orderTotal: 100 })).toBe('order_total');
  });

  test('prices below a cent are summed before they are rounded', () => {
    expect(holdOf([priced('0.125', { quantity: 1000 })], { orderTotal: 125 })).toBeUndefined();
    expect(holdOf([priced('0.12501', { quantity: 1000 })], { orderTotal: 125 })).toBe('order_total');
  });
});

describe('guards', () => {
  test('no PO is held if no guard is configured', () => {
    expect(holdOf([line({ answer: { backorderQuantity: 9 } })], {})).toBeUndefined();
  });

  test('a price that cannot be read is held by default, and the line is named', () => {
    const hold = findGuardHold(
      [line({ rowNumber: 7, answer: { sku: 'X' } })],
      { ...off, unknownPrice: true },
      {},
    );
    expect(hold).toMatchObject({ code: 'unknown_price', text: expect.stringMatching(/X \(row 7\)/) });
  });

  test('back-ordered units are held with their numbers', () => {
    const lines = [line({ quantity: 4, answer: { sku: 'X', backorderQuantity: 3 } })];
    expect(findGuardHold(lines, { ...off, backorder: true }, {})).toEqual({
      code: 'backorder',
      text: 'Not in stock and would be back-ordered: 3 of 4 X (row 2).',
    });
  });

  test('a price above the expected one is held, even by less than a cent; an equal price is not', () => {
    expect(holdOf([priced('10.00', { expectedPrice: '10.00' })], {})).toBeUndefined();
    expect(holdOf([priced('10.01', { expectedPrice: '10.00' })], {})).toBe('price_above');
    expect(holdOf([priced('0.124', { expectedPrice: '0.123' })], {})).toBe('price_above');
    expect(holdOf([priced('10.000000000000002', { expectedPrice: '10.00' })], {})).toBeUndefined();
    expect(holdOf([priced('9.99', { expectedPrice: '10.00' })], {})).toBeUndefined();
  });

  test('every line above its expected price is named with both prices, up to ten', () => {
    const lines = Array.from({ length: 12 }, (_, at) =>
      line({ rowNumber: at + 2, expectedPrice: '1.00', answer: { sku: `S${at}`, dealerPrice: '1.50' } }),
    );
    const { text } = findGuardHold(lines, { ...off, abovePercent: 10 }, {})!;
    expect(text).toMatch(/^S0 \(row 2\) costs 1.50, the file expects 1.00, S1 \(row 3\) costs /);
    expect(text).toMatch(
      /S9 \(row 11\) costs 1.50, the file expects 1.00 and 2 more; the limit is 10 % above the expected price/,
    );
  });

  test('a percentage is exact at its limit', () => {
    const at = (price: string) => holdOf([priced(price, { expectedPrice: '10.00' })], { abovePercent: 2.5 });
    expect(at('10.25')).toBeUndefined();
    expect(at('10.26')).toBe('price_above');
    const third = (price: string) => holdOf([priced(price, { expectedPrice: '0.33' })], { abovePercent: 10 });
    expect(third('0.363')).toBeUndefined();
    expect(third('0.3631')).toBe('price_above');
  });

  test('a total above the limit is held with both numbers', () => {
    const lines = [priced('19.99', { quantity: 3 })];
    expect(findGuardHold(lines, { ...off, orderTotal: 59.96 }, {})).toEqual({
      code: 'order_total',
      text: 'The lines add up to 59.97, above the limit of 59.96.',
    });
    expect(holdOf(lines, { orderTotal: 59.97 })).toBeUndefined();
  });
});

describe('a quantity far beyond what was ordered before', () => {
  const of = (quantity: number, largestOrdered?: { ofItem?: number; ofAny?: number }) =>
    line({ quantity, answer: { sku: 'X', dealerPrice: '1.00' }, ...(largestOrdered && { largestOrdered }) });
  const held = (one: ReturnType<typeof of>, times = 10) => holdOf([one], { unusualQuantity: times });

  test.each([
    ['ten times as much is not', of(500, { ofItem: 50, ofAny: 900 }), undefined],
    ['more than ten times as much', of(501, { ofItem: 50, ofAny: 900 }), 'unusual_quantity'],
    ['a new item is compared with any item', of(9001, { ofAny: 900 }), 'unusual_quantity'],
    ['a new item within that is not', of(9000, { ofAny: 900 }), undefined],
    ['a hundred never is', of(100, { ofItem: 1 }), undefined],
    ['more than a hundred is', of(101, { ofItem: 1 }), 'unusual_quantity'],
    ['nothing is, without an order before', of(1_000_000), undefined],
  ] as const)('%s', (_, one, expected) => {
    expect(held(one)).toBe(expected);
    expect(held(one, 0)).toBeUndefined();
  });

  test('is named with what was ordered before, and released as it is', () => {
    const lines = [of(31_201, { ofItem: 12, ofAny: 40 }), { ...of(31_201, { ofAny: 40 }), rowNumber: 3 }];
    const hold = findGuardHold(lines, { ...off, unusualQuantity: 10 }, {});
    expect(hold).toEqual({
      code: 'unusual_quantity',
      text: 'Far more than this account has ordered before: 31201 X (row 2; so far 12 at most), 31201 X (row 3; never ordered before, and never more than 40 of any item).',
    });
    const approved = approvalsOf('unusual_quantity', lines);
    expect(holdOf(lines, { unusualQuantity: 10 }, approved)).toBeUndefined();
  });
});

describe('before the service has answered', () => {
  const of = (quantity: number, expectedPrice?: string) => line({ quantity, expectedPrice });
  const foreseen = (lines: ReturnType<typeof line>[], guards: Partial<Guards>) =>
    foreseeGuardHold(lines, { ...off, ...guards });

  test('a total above the limit by the prices of the file is foreseen, and says so', () => {
    expect(foreseen([of(1000, '84.00')], { orderTotal: 50_000 })).toEqual({
      code: 'order_total',
      text: 'The lines add up to 84000.00 at the prices of the file, above the limit of 50000.00.',
    });
    expect(foreseen([of(1000, '50.00')], { orderTotal: 50_000 })).toBeUndefined();
    expect(foreseen([of(1000, '84.00'), of(1)], { orderTotal: 50_000 })?.code).toBe('order_total');
  });

  test('an unusual quantity is foreseen with the same text as when it is placed', () => {
    const lines = [{ ...of(500), largestOrdered: { ofItem: 20 } }];
    const guards = { ...off, unusualQuantity: 10 };
    expect(foreseeGuardHold(lines, guards)).toEqual(findGuardHold(lines, guards, {}));
    expect(foreseeGuardHold(lines, guards)?.code).toBe('unusual_quantity');
  });

  test('what only the answer shows is not foreseen, and named', () => {
    const all = {
      backorder: true,
      unknownPrice: true,
      abovePercent: 5,
      orderTotal: 100,
      unusualQuantity: 10,
    };
    expect(foreseen([of(3)], all)).toBeUndefined();
    expect(laterGuards(all, true)).toEqual([
      'a line has no readable price',
      'items would be back-ordered',
      'a price is more than 5 % above the price of the file',
      'the lines add up to more than 100.00 at the prices of the service',
    ]);
    expect(laterGuards(off, false)).toEqual([]);
    expect(laterGuards(off, true)).toEqual(['a price is above the price of the file']);
  });
});

describe('a release by a person', () => {
  const guards = { backorder: true, orderTotal: 10, unknownPrice: true };
  const as = (dealerPrice: string | undefined, backorderQuantity: number, rowNumber = 2) =>
    line({ rowNumber, expectedPrice: '1.00', quantity: 2, answer: { dealerPrice, backorderQuantity } });
  const answered = [as('20.00', 1)];

  test('applies to the guard that held: the next guard holds with its own numbers', () => {
    const backorder = approvalsOf('backorder', answered);
    expect(holdOf(answered, guards)).toBe('backorder');
    expect(holdOf(answered, guards, backorder)).toBe('price_above');
    const prices = { ...backorder, ...approvalsOf('price_above', answered) };
    expect(holdOf(answered, guards, prices)).toBe('order_total');
    expect(holdOf(answered, guards, { ...prices, ...approvalsOf('order_total', answered) })).toBeUndefined();
    expect(holdOf([as(undefined, 1)], guards, prices)).toBe('unknown_price');
  });

  test('does not apply when a number became worse, and applies when it became better', () => {
    const approved = approvalsOf('backorder', answered);
    expect(holdOf([as('1.00', 2)], { backorder: true }, approved)).toBe('backorder');
    expect(holdOf([as('1.00', 0)], { backorder: true }, approved)).toBeUndefined();
    const prices = approvalsOf('price_above', answered);
    expect(holdOf([as('20.01', 0)], {}, prices)).toBe('price_above');
    expect(holdOf([as('19.99', 0)], {}, prices)).toBeUndefined();
    const total = approvalsOf('order_total', answered);
    expect(holdOf([as('20.01', 0)], { orderTotal: 10, abovePercent: 9999 }, total)).toBe('order_total');
    expect(holdOf([as('19.00', 0)], { orderTotal: 10, abovePercent: 9999 }, total)).toBeUndefined();
  });

  test('applies to its own line only', () => {
    const other = [as('1.00', 0, 2), as('1.00', 1, 3)];
    expect(holdOf(other, { backorder: true }, approvalsOf('backorder', answered))).toBe('backorder');
    const unknown = [as(undefined, 0, 2)];
    const approved = approvalsOf('unknown_price', unknown);
    expect(holdOf(unknown, { unknownPrice: true }, approved)).toBeUndefined();
    expect(holdOf([as(undefined, 0, 3)], { unknownPrice: true }, approved)).toBe('unknown_price');
  });
});
