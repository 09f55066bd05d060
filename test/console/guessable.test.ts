import { expect, test } from 'vitest';
import { password } from '../../src/api-contract/access.ts';
import { whyGuessable } from '../../src/api-contract/guessable.ts';

test.each([
  ['aaaaaaaaaaaa', 'repeat'],
  ['abababababab', 'repeat'],
  ['1212121212121', 'repeat'],
  ['Abc1Abc1Abc1', 'repeat'],
  ['123456789012', 'order'],
  ['abcdefghijkl', 'order'],
  ['qwertyuiop12', 'order'],
  ['poiuytrewqasdf', 'order'],
  ['1qaz2wsx3edc', 'order'],
  ['1234abcd5678', 'order'],
  ['Password1234', 'common'],
  ['P@ssw0rd2026', 'common'],
  ['welcome-2026!', 'common'],
  ['Cartwright26!', 'common'],
  ['Summer2026!!!', 'common'],
  ['administrator', 'common'],
])('%s is refused', (given, why) => {
  expect(whyGuessable(given)).toContain(why);
  expect(password.safeParse(given).error?.issues).toMatchObject([
    { message: expect.stringMatching(/^must not/) },
  ]);
});

test.each([
  'correct horse battery',
  'a new password',
  'Tr4ctor-field-9',
  'xK7#mQ2$vL9p',
  'наш склад на юге',
  'winter wheat 41',
])('%s is taken', (given) => {
  expect(password.safeParse(given).success).toBe(true);
});

test('a short one is told its length only', () => {
  expect(password.safeParse('aaa').error?.issues.map(({ message }) => message)).toEqual([
    'must have at least 12 characters',
  ]);
});
