import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { classifyAnswer } from '../../src/dealer-api/classify-answer.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-01T12:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

test.each([
  [undefined, undefined],
  ['', undefined],
  ['soon', undefined],
  ['0', 0],
  ['-5', 0],
  ['1.2', 1200],
  ['120', 120_000],
  ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
  ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
])('a 429 with Retry-After %j waits %j ms', (header, waitMs) => {
  const headers = header === undefined ? {} : { 'retry-after': header };
  const answer = classifyAnswer({ read: () => undefined }, { status: 429, headers, body: '' });
  expect(answer).toEqual({ kind: 'limited', waitMs, message: 'answered 429' });
});
