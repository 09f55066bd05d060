import { isOfEach } from '../intake/layouts/known-values.ts';
import { sayValue, standsForMany } from '../intake/layouts/telling-values.ts';
import type { Answered, GivenAnswer } from '../ledger/questions.ts';
import { pos } from './action-words.ts';

/** The effect of an answer, in a sentence. Pure. */
export const answeredText = (
  { question, purchaseOrderIds, leftOutRows, cancelled }: Answered,
  { answer, wholeColumn = false, pieces }: GivenAnswer,
): string => {
  const isOne = isOfEach(question.columnKey, question.valueKey);
  const what = wholeColumn
    ? `any other new value in "${question.column}"`
    : isOne
      ? `one that looks like "${question.value}" in "${question.column}"`
      : standsForMany(question.valueKey)
        ? `${sayValue(question.valueKey, question.value)}, in "${question.column}"`
        : `${question.value === '' ? 'a blank' : `"${question.value}"`} in "${question.column}"`;
  if (answer === 'ask')
    return `Cartwright will ask about ${what} each time. ${pos(question.purchaseOrders)} ${question.purchaseOrders === 1 ? 'is' : 'are'} still held: release or cancel ${question.purchaseOrders === 1 ? 'it' : 'them'}.`;
  const rows = `${leftOutRows.toLocaleString('en-US')} ${leftOutRows === 1 ? 'row was' : 'rows were'} skipped. `;
  const others = question.purchaseOrders - purchaseOrderIds.length - cancelled;
  const ended =
    cancelled > 0 ? ` ${pos(cancelled)} ${cancelled === 1 ? 'is' : 'are'} cancelled: no row is left.` : '';
  const rest =
    others > 0 ? ` ${pos(others)} ${others === 1 ? 'waits' : 'wait'} for another answer or decision.` : '';
  return `${answer === 'leave_out' ? rows : ''}${pos(purchaseOrderIds.length)} ${purchaseOrderIds.length === 1 ? 'continues' : 'continue'}.${ended}${rest} ${answer === 'leave_out' && isOne ? `Cartwright asks about the next row with ${what}.` : `From now on, rows with ${what} are ${answer === 'order' ? 'ordered' : answer === 'pieces' ? `counted as ${pieces} pieces for each one` : 'skipped'}.`}`;
};
