import { expect, test } from 'vitest';
import { specCodeLists } from '../../../src/contract/carts.ts';
import { layoutEntryOf } from '../../../src/intake/layouts/entry-of-layout.ts';
import { checkLayoutEntry } from '../../../src/intake/layouts/layout-entry.ts';
import { intakeOptionsSchema } from '../../../src/intake/options.ts';

const checked = (constants: object, intake: object = {}) =>
  checkLayoutEntry(
    {
      ...{ account: 'north', name: 'nightly', kind: 'order', header: ['PO Number', 'SKU'] },
      settings: { constants },
    },
    () => ({ intake: intakeOptionsSchema.parse(intake), codeLists: specCodeLists }),
  );

test.each([
  ['quantity', 'abc'],
  ['quantity', 0],
  ['ship_via', 'NOWAY'],
  ['ship_zip', 'x'.repeat(200)],
])('a constant that the service would refuse for every line is wrong: %s %s', (field, value) => {
  const result = checked({ quantity: 1, [field]: value });
  expect(result).toMatchObject({
    kind: 'wrong',
    wrong: [
      { path: ['settings', 'constants', field], detail: expect.stringMatching(/^is not possible: .*[^.]$/) },
    ],
  });
});

test('what is known of a column without a name can be written and read again', () => {
  const entry = {
    ...{ account: 'north', name: 'nightly', kind: 'order', header: ['PO Number', 'SKU', 'Qty', ''] },
    ...{ settings: {}, values: { column4: { x: 'order' } } },
  };
  const read = checkLayoutEntry(entry, () => undefined);
  if (read.kind === 'wrong') throw new Error(JSON.stringify(read.wrong));
  expect(layoutEntryOf(read.layout).values).toEqual(entry.values);
});

test('others are kept as they were given', () => {
  const result = checked({ quantity: 1, ship_via: 'BEST' });
  expect(result).toMatchObject({ kind: 'layout', layout: { settings: { constants: { quantity: 1 } } } });
});
