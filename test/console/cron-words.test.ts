import { expect, test } from 'vitest';
import { cronWords } from '../../src/console/cron-words.ts';
import { timingWords } from '../../src/console/schedule-words.ts';

test.each([
  ['0 6 * * *', 'every day at 06:00'],
  ['0 6,18 * * 1-5', 'Monday to Friday at 06:00 and 18:00'],
  ['30 7 * * mon,thu', 'Monday and Thursday at 07:30'],
  ['*/15 * * * *', 'every 15 minutes'],
  ['*/10 8-17 * * 1-5', 'Monday to Friday every 10 minutes from 08:00 to 17:59'],
  ['0 * * * *', 'every hour'],
  ['5 */2 * * *', 'every 2 hours at minute 5'],
  ['0 3 1,15 * *', 'day 1 and 15 of the month at 03:00'],
  ['0 0 * 1-3 7', 'Sunday at 00:00 in January to March'],
])('%s is said as: %s', (pattern, words) => {
  expect(cronWords(pattern)).toBe(words);
});

test.each(['0 6 1 * 1', '0 6 L * *', '0 0 6 * * *', '1-5 6 * * *', '0 25-2-3 * * *'])(
  'what has no short words stays as it is: %s',
  (pattern) => {
    expect(cronWords(pattern)).toBeUndefined();
    expect(timingWords({ cron: pattern, timeZone: 'UTC' })).toBe(`by the pattern ${pattern} (UTC)`);
  },
);
