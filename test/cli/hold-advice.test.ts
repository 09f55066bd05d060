import { expect, test } from 'vitest';
import { commandsIn } from '../../src/cli/output/hold-advice.ts';

test('the commands that a reason advises name the PO as a shell reads it', () => {
  expect(commandsIn('Release it, or cancel it.', 'PO-7')).toEqual([
    'cartwright release PO-7',
    'cartwright cancel PO-7',
  ]);
  expect(commandsIn('Cancel it.', "it's 7")).toEqual(["cartwright cancel 'it'\\''s 7'"]);
});

test('where another PO has the number, too, they name the import', () => {
  expect(commandsIn('Cancel this one.', 'PO-7', '12')).toEqual(['cartwright cancel PO-7 --import 12']);
});
