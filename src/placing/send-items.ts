import type { DealerApi, FailedCall, Gate } from '../dealer-api/answers.ts';
import type { Line, LineAnswer } from './types.ts';

export interface ItemsSent {
  answers: { rowNumber: number; answer: LineAnswer }[];
  /** The line at which it stopped, and why; absent when every line was added. */
  stop?: { line: Line; result: FailedCall };
}

/**
 * Adds the lines that the cart does not have yet, one after the other in the file's order, and stops at the first that is
 * not clearly accepted (rule 4). Not idempotent: a line must be sent once.
 */
export const sendItems = async (
  api: DealerApi,
  poNumber: string,
  lines: readonly Line[],
  gate: Gate,
  afterEach: () => Promise<void>,
): Promise<ItemsSent> => {
  const answers: ItemsSent['answers'] = [];
  for (const line of lines) {
    if (line.answer) continue;
    const result = await api.addItem(poNumber, line, gate);
    if (result.kind !== 'ok') return { answers, stop: { line, result } };
    answers.push({ rowNumber: line.rowNumber, answer: result.value });
    await afterEach();
  }
  return { answers };
};
