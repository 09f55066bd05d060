import type { DealerApi, FailedCall, Gate, ItemAnswer } from '../dealer-api/answers.ts';
import type { Line } from './types.ts';

export interface FailedLine {
  line: Line;
  result: FailedCall;
}

export interface ItemsSent {
  answers: { rowNumber: number; answer: ItemAnswer }[];
  /** The lines in flight at the stop that were not accepted, in the file's order; empty if every line was added. */
  failed: FailedLine[];
}

/**
 * Adds the lines that the cart does not have yet, in the file's order and up to `atOnce` at a time. Once a line is not clearly
 * accepted it sends no more (rule 4) and waits for the answers to those in flight. Not idempotent: a line must be sent once.
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
  // A line that waited for the throttle is not sent, and counts as not sent, once another one has failed.
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
