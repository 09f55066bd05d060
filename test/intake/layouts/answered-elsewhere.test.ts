import { expect, test } from 'vitest';
import { withAnsweredElsewhere } from '../../../src/intake/layouts/answered-elsewhere.ts';
import { knownOf, type StoredValues } from '../../../src/intake/layouts/known-values.ts';

/** The proposals for values of a column `Unit` from layouts named L1, L2 … */
const proposedFor = (values: string[], ...layouts: StoredValues[]) => {
  const columns = [
    { column: 'unit', header: 'Unit', values: values.map((key) => ({ key, text: key, rows: 1 })) },
  ];
  const named = layouts.map((known, at) => ({ name: `L${at + 1}`, known: knownOf(known) }));
  return withAnsweredElsewhere(columns, named).flatMap((one) =>
    one.values.map(({ elsewhere }) => elsewhere && `${elsewhere.answer} (${elsewhere.layout})`),
  );
};

test.each(['leave_out', 'ask', 'pieces 12'] as const)('%s is proposed for the same value', (answer) => {
  const layout = { unit: { dz: answer, ea: 'seen' } } as const;
  expect(proposedFor(['dz', 'ea', 'cs'], layout)).toEqual([`${answer} (L1)`, undefined, undefined]);
  expect(proposedFor(['dz'], layout, layout)).toEqual([`${answer} (L1)`]);
  expect(proposedFor(['dz'], {}, layout)).toEqual([`${answer} (L2)`]);
});

test('the same value of another column says nothing', () => {
  expect(proposedFor(['dz'], { pack: { dz: 'pieces 12' } })).toEqual([undefined]);
});

test.each(['seen', 'order', 'ask', 'pieces 10'] as const)(
  'nothing is proposed where the files of two headers differ (%s), whichever came first',
  (other) => {
    const layouts: StoredValues[] = [{ unit: { dz: 'pieces 12' } }, { unit: { dz: other } }];
    expect(proposedFor(['dz'], ...layouts)).toEqual([undefined]);
    expect(proposedFor(['dz'], ...layouts.toReversed())).toEqual([undefined]);
  },
);

test('what is answered for all other values of a column is no answer about one', () => {
  expect(proposedFor(['dz'], { unit: { ' *': 'leave_out' } })).toEqual([undefined]);
});
