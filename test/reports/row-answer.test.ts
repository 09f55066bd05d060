import { expect, test } from 'vitest';
import { answerRow } from '../../src/reports/row-answer.ts';
import type { RowFacts } from '../../src/reports/types.ts';

const asOf = new Date('2026-01-02T03:04:05Z');

const row = (state: 'failed' | 'held', reasonText: string): RowFacts =>
  ({
    rowNumber: 3,
    isLine: true,
    issues: [],
    refusal: 'row 3: answered 422: no such item',
    po: { poNumber: 'PO-1', state, reasonCode: 'x', reasonText, orderNumbers: [] },
  }) as unknown as RowFacts;

test('a failed PO names the line that the service refused', () => {
  expect(answerRow(row('failed', 'The service refused it.'), asOf).answer.issue).toBe(
    'The service refused this line: row 3: answered 422: no such item',
  );
});

test('a PO that was tried again and is held says why it is held, not what an earlier attempt was answered', () => {
  expect(answerRow(row('held', 'Something would be back-ordered.'), asOf).answer.issue).toBe(
    'Something would be back-ordered.',
  );
});

test('a PO that a later file corrected says so beside its mistake', () => {
  const facts = {
    rowNumber: 3,
    isLine: true,
    issues: [{ severity: 'issue', column: 'quantity', message: 'Not a number.' }],
    po: {
      poNumber: 'PO-1',
      state: 'rejected',
      reasonCode: 'corrected',
      reasonText: 'Corrected in import 7.',
      orderNumbers: [],
    },
  } as unknown as RowFacts;
  expect(answerRow(facts, asOf).answer).toMatchObject({
    poState: 'corrected',
    issue: 'Column quantity: Not a number. | Corrected in import 7.',
  });
});
