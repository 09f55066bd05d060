import { describe, expect, test } from 'vitest';
import { approvalsOf, findGuardHold } from '../../src/placing/guards.ts';
import { fromCents, toCents } from '../../src/placing/money.ts';
import type { Guards } from '../../src/placing/options.ts';
import { line } from './lines.ts';

const off: Guards = { backorder: false, unknownPrice: false };
const holdOf = (lines: ReturnType<typeof line>[], guards: Partial<Guards>, approvals = {}) =>
  findGuardHold(lines, { ...off, ...guards }, approvals)?.code;
const priced = (dealerPrice: string, over: Parameters<typeof line>[0] = {}) =>
  line({ ...over, answer: { dealerPrice } });

describe('money', () => {
  test.each([
    ['0', 0n],
    ['12', 1200n],
    ['12.3', 1230n],
    ['12.34', 1234n],
    ['12.344', 1234n],
    ['12.345', 1235n],
    ['0.1', 10n],
    ['-0.05', -5n],
    ['12.340000000000001', 1234n],
    ['90071992547409931.55', 9007199254740993155n],
    ['1e3', undefined],
    ['', undefined],
    ['1,5', undefined],
  ])('%s is so many cents', (text, cents) => {
    expect(toCents(text)).toBe(cents);
  });

  test.each([
    [0n, '0.00'],
    [5n, '0.05'],
    [-5n, '-0.05'],
    [123456n, '1234.56'],
  ])('%s cents as text', (cents, text) => {
    expect(fromCents(cents)).toBe(text);
  });

  test('a thousand times a tenth is exactly a hundred', () => {
    const lines = Array.from({ length: 1000 }, (_, at) => priced('0.10', { rowNumber: at + 2 }));
    expect(approvalsOf(lines).orderTotalCents).toBe(10_000);
    expect(holdOf(lines, { orderTotal: 100 })).toBeUndefined();
    expect(holdOf([...lines, priced('0.01')], { orderTotal: 100 })).toBe('order_total');
  });
});

describe('guards', () => {
  test('nothing is held where nothing is guarded', () => {
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
      text: 'Would be back-ordered: 3 of 4 X.',
    });
  });

  test('a price above the expected one is held by a cent, and not at it', () => {
    expect(holdOf([priced('10.00', { expectedPrice: '10.00' })], {})).toBeUndefined();
    expect(holdOf([priced('10.01', { expectedPrice: '10.00' })], {})).toBe('price_above');
    expect(holdOf([priced('9.99', { expectedPrice: '10.00' })], {})).toBeUndefined();
  });

  test('a percentage is exact at its limit', () => {
    const at = (price: string) => holdOf([priced(price, { expectedPrice: '10.00' })], { abovePercent: 2.5 });
    expect(at('10.25')).toBeUndefined();
    expect(at('10.26')).toBe('price_above');
    const third = (price: string) => holdOf([priced(price, { expectedPrice: '0.33' })], { abovePercent: 10 });
    expect(third('0.36')).toBeUndefined();
    expect(third('0.37')).toBe('price_above');
  });

  test('a total above the limit is held with both numbers', () => {
    const lines = [priced('19.99', { quantity: 3 })];
    expect(findGuardHold(lines, { ...off, orderTotal: 59.96 }, {})).toEqual({
      code: 'order_total',
      text: 'The lines sum up to 59.97, above the limit of 59.96.',
    });
    expect(holdOf(lines, { orderTotal: 59.97 })).toBeUndefined();
  });
});

describe('what a person released', () => {
  const guards = { backorder: true, orderTotal: 10, unknownPrice: true };
  const as = (dealerPrice: string | undefined, backorderQuantity: number) =>
    line({ expectedPrice: '1.00', quantity: 2, answer: { dealerPrice, backorderQuantity } });
  const released = approvalsOf([as('20.00', 1)]);

  test('is not held again as it stood', () => {
    expect(holdOf([as('20.00', 1)], guards)).toBeDefined();
    expect(holdOf([as('20.00', 1)], guards, released)).toBeUndefined();
    expect(holdOf([as(undefined, 0)], guards, released)).toBeUndefined();
  });

  test('is held again when it became worse', () => {
    expect(holdOf([as('20.00', 2)], guards, released)).toBe('backorder');
    expect(holdOf([as('20.01', 1)], guards, released)).toBe('price_above');
    expect(holdOf([as('20.01', 1)], { orderTotal: 10 }, { ...released, prices: false })).toBe('price_above');
    expect(holdOf([priced('20.01', { quantity: 2 })], guards, released)).toBe('order_total');
  });
});
