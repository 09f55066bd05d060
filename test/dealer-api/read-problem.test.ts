import { describe, expect, test } from 'vitest';
import { readProblem } from '../../src/dealer-api/read-problem.ts';
import { readRetryAfter } from '../../src/dealer-api/read-retry-after.ts';

describe("the service's words about a refusal", () => {
  test.each([
    [
      '{"title":"Bad","detail":"no such item","errors":[{"field":"sku","message":"unknown"}]}',
      'no such item; sku: unknown',
    ],
    ['{"title":"Bad"}', 'Bad'],
    ['{"message":"m"}', 'm'],
    ['{"error":"e"}', 'e'],
    ['{"errors":["one",{"detail":"two"}]}', 'one; two'],
    ['"just text"', 'just text'],
    ['Plain\n  words', 'Plain words'],
    ['[1]', '[1]'],
    ['{"code":7}', '{"code":7}'],
    ['{"detail":"a\\u0000b"}', 'a b'],
  ])('%s', (body, words) => {
    expect(readProblem(422, body)).toBe(`answered 422: ${words}`);
  });

  test('without a body there is the status', () => {
    expect(readProblem(400, '')).toBe('answered 400');
    expect(readProblem(400, '{}')).toBe('answered 400: {}');
  });

  test('long bodies are cut, and never within a character', () => {
    const words = readProblem(400, `${'x'.repeat(499)}😀`);
    expect(words.length).toBeLessThan(530);
    expect(words.isWellFormed()).toBe(true);
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');
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
  ])('%s', (header, waitMs) => {
    expect(readRetryAfter(header, now)).toBe(waitMs);
  });
});
