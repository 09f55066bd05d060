import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';

test('an empty environment variable counts as not set', () => {
  const names = [
    'CARTWRIGHT_CONFIG',
    'CARTWRIGHT_DATA',
    'CARTWRIGHT_BASE_URL',
    'CARTWRIGHT_LOG_LEVEL',
    'DATABASE_URL',
  ];
  const empty = Object.fromEntries(names.map((name) => [name, '']));
  expect(loadConfig({}, empty)).toEqual(loadConfig({}, {}));
});
