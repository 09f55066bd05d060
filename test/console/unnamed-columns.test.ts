import { expect, test } from 'vitest';
import { useQuestions } from './use-questions.ts';

const { drop } = useQuestions();

test('a column without a name that a later file has is looked at, but for numbers', async () => {
  const file = (...lines: string[]) => `,PO Number,SKU,Qty,Haulier\n${lines.join('\n')}\n`;
  await drop('1.csv', 'PO Number,SKU,Qty,Haulier\nTQ-1,S1,1,x\n');
  const night = await drop('2.csv', file(',TQ-2,S1,1,x', '17,TQ-3,S1,1,x', 'wait for Bob,TQ-4,S1,1,x'));
  expect(night.pos).toEqual(['TQ-2 ready', 'TQ-3 ready', 'TQ-4 held question']);
});

test('of a column without a name that has many texts, only one that says not to order is asked about', async () => {
  const file = (...lines: string[]) => `PO Number,SKU,Qty,Kennwort,\n${lines.join('\n')}\n`;
  const many = Array.from({ length: 20 }, (_, at) => `UQ-${at},S1,1,x,note ${String.fromCharCode(97 + at)}`);
  await drop('1.csv', file(...many));
  const night = await drop('2.csv', file('UQ-91,S1,1,x,note zz', 'UQ-92,S1,1,x,do not ship'));
  expect(night.pos).toEqual(['UQ-91 ready', 'UQ-92 held question']);
});
