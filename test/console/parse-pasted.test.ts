import { expect, test } from 'vitest';
import { parsePasted } from '../../src/console/web/pages/correct/parse-pasted.ts';

test.each([
  ['one', [['one']]],
  [
    'a\tb\r\nc\td\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['a\n\nb\n', [['a'], [''], ['b']]],
  ['a\t\tb\t', [['a', '', 'b', '']]],
  ['"two\nlines"\t"says ""hi"""\n', [['two lines', 'says "hi"']]],
  ['5"\t"3\tx\n', [['5"', '"3', 'x']]],
])('cells of a spreadsheet: %j', (text, cells) => {
  expect(parsePasted(text)).toEqual(cells);
});
