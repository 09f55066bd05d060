import { expect, test } from 'vitest';
import { answerRow } from '../../src/reports/row-answer.ts';
import type { RowFacts } from '../../src/reports/types.ts';

const asOf = new Date('2026-01-02T03:04:05Z');

const row = (state: 'failed' | 'held', reasonText: string): RowFacts =>
  ({
    rowNumber: 3,
    issues: [],
    corrections: [],
    refusal: 'row 3: answered 422: no such item',
    po: { poNumber: 'PO-1', state, reasonCode: 'x', reasonText, orderNumbers: [] },
  }) as unknown as RowFacts;

test('a failed PO names the line that the service refused', () => {
  expect(answerRow(row('failed', 'The service refused it.'), asOf).answer.issue).toBe(
    'The service refused this line: row 3: answered 422: no such item',
  );
});

test('a PO that is held after a retry shows the hold reason, not the answer to an earlier attempt', () => {
  expect(answerRow(row('held', 'Something would be back-ordered.'), asOf).answer.issue).toBe(
    'Something would be back-ordered.',
  );
});

test('a PO that a later file corrected shows both the mistake and the correction', () => {
  const facts = {
    rowNumber: 3,
    issues: [{ severity: 'issue', column: 'quantity', message: 'Not a number.' }],
    corrections: [],
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

test('a PO that waits because of one of its rows says why once in that row, and in the others', () => {
  const own = { severity: 'note', column: 'Status', message: '"Status" says "STOP". Order such rows?' };
  const issues = [own, { severity: 'note', column: 'SKU', message: 'It is in row 2, too.' }];
  const held = row('held', `Row 3: ${own.message}`);
  expect(answerRow({ ...held, issues } as unknown as RowFacts, asOf).answer.issue).toBe(
    `Note, column Status: ${own.message} | Note, column SKU: It is in row 2, too.`,
  );
  expect(answerRow(held, asOf).answer.issue).toBe(`Row 3: ${own.message}`);
});

test('a closed PO is complete for people and closed for programs', () => {
  const facts = {
    rowNumber: 3,
    issues: [],
    corrections: [],
    po: { poNumber: 'PO-1', state: 'closed', orderNumbers: ['O-1'] },
  } as unknown as RowFacts;
  const answered = answerRow(facts, asOf);
  expect([answered.answer.poState, answered.poState]).toEqual(['complete', 'closed']);
});

test('what a person did to a row in a correction is told, in words', () => {
  const facts = {
    rowNumber: 3,
    issues: [],
    corrections: [
      {
        who: 'anna',
        kind: 'changed',
        cells: [
          { column: 'Qty', before: 'many', after: '5' },
          { column: 'Ship Via', before: 'FAST', after: '' },
          { column: 'SKU', before: '46000', after: '46000' },
        ],
      },
    ],
    po: { poNumber: 'PO-1', state: 'rejected', reasonCode: 'corrected', orderNumbers: [] },
  } as unknown as RowFacts;
  expect(answerRow(facts, asOf).answer.issue).toBe(
    'anna corrected Qty from “many” to “5”, Ship Via from “FAST” to nothing, SKU (“46000” is right)',
  );
  facts.corrections = [{ who: 'anna', kind: 'removed', cells: [] }];
  expect(answerRow(facts, asOf).answer.issue).toBe(
    'anna left this row out of the correction: it was not ordered',
  );
});
