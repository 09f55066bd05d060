import { expect, test } from 'vitest';
import { askYes } from '../../src/cli/ask-person.ts';

test.each([
  [['y'], true, 1],
  [['YES'], true, 1],
  [['n'], false, 1],
  [[''], false, 1],
  [['cartwright up --sandbox', 'yes please', 'y'], true, 3],
  [['ja', 'no'], false, 2],
])('%j is %s after %d questions', async (lines, expected, asked) => {
  const questions: string[] = [];
  const left = [...lines];
  const ask = async (question: string) => {
    questions.push(question);
    return left.shift()!;
  };
  expect(await askYes(ask, 'Order them?')).toBe(expected);
  expect(questions).toHaveLength(asked);
  expect(questions[0]).toBe('Order them? [y/N] ');
  for (const again of questions.slice(1)) expect(again).toBe('Answer y or n. Order them? [y/N] ');
});
