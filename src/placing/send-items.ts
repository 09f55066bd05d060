import type { DealerApi, FailedCall, Gate, ItemAnswer } from '../dealer-api/answers.ts';
import type { Line } from './types.ts';

export interface FailedLine {
  line: Line;
  result: FailedCall;
}

export interface ItemsSent {
  answers: { rowNumber: number; answer: ItemAnswer }[];
  /** Of the lines that were in flight when it stopped, those that were not accepted, in the file's order; empty when every line was added. */
  failed: FailedLine[];
}

/**
 * Adds the lines that the cart does not have yet, in the file's order and up to `atOnce` at a time. After the first that is
 * not clearly accepted no further one is sent (rule 4), and it waits for the answers to those that were. Not idempotent: a
 * line must be sent once.
 */
export const sendItems = async (
  { addItem }: Pick<DealerApi, 'addItem'>,
  poNumber: string,
  lines: readonly Line[],
  gate: Gate,
  { atOnce, afterEach }: { atOnce: number; afterEach: () => Promise<void> },
): Promise<ItemsSent> => {
  const answers: ItemsSent['answers'] = [];
  const failed: FailedLine[] = [];
  const waiting = lines.filter((line) => !line.answer).values();
  // A call that waited for the throttle is not sent after another one has failed. Such a line counts as not sent.
  const stillWanted = () => failed.length === 0 && gate();
  const sendOneByOne = async (): Promise<void> => {
    for (const line of waiting) {
      if (failed.length > 0) return;
      const result = await addItem(poNumber, line, stillWanted);
      if (result.kind === 'ok') answers.push({ rowNumber: line.rowNumber, answer: result.value });
      else failed.push({ line, result });
      await afterEach();
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, atOnce) }, sendOneByOne));
  const inOrder = (one: FailedLine, other: FailedLine) => one.line.rowNumber - other.line.rowNumber;
  return { answers, failed: failed.sort(inOrder) };
};
