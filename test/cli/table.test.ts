import { expect, test } from 'vitest';
import { drawTable } from '../../src/cli/output/table.ts';

const draw = (columns: number, cell: string): string =>
  drawTable(
    { columns, paint: (_, text) => text },
    [{ head: 'PO number' }, { head: 'Other values', wraps: true }, { head: 'Your cells', wraps: true }],
    [['PO-1', cell, 'one two three four five six seven eight']],
  );

test.each([
  'expected_price=12345.6789  ship_name=Ann',
  '/srv/cartwright/accounts/north/done/orders-of-the-night.csv',
  'Donaudampfschifffahrtsgesellschaftskapitän',
])('a narrow terminal gets all of %s', (cell) => {
  const drawn = draw(50, cell);
  expect(drawn).not.toContain('…');
  const [head, ...lines] = drawn.split('\n');
  for (const line of drawn.split('\n')) expect([...line].length).toBeLessThanOrEqual(50);
  const found = lines
    .map((line) => [...line].slice(head!.indexOf('Other values'), head!.indexOf('Your cells')).join(''))
    .join('')
    .replace(/\s/g, '');
  expect(found).toBe(cell.replace(/\s/g, ''));
});

test('a wide terminal gets it on one line', () => {
  expect(draw(120, 'expected_price=12345.6789')).toContain('expected_price=12345.6789');
});
