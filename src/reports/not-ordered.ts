import type { OpenedResult, ResultRow } from './result-rows.ts';
import type { ImportTotals } from './types.ts';

/** Whether somebody must correct the row before it can be ordered: of a rejected or failed PO, or a wrong row without PO. */
const isLeft = ({ poState, outcome }: ResultRow): boolean =>
  poState === 'rejected' || poState === 'failed' || (poState === '' && outcome === 'bad');

/** Whether the result of an import has rows to correct. Pure. */
export const hasNotOrdered = ({ states, rowsWithoutPo }: ImportTotals): boolean =>
  rowsWithoutPo > 0 ||
  states.some(
    ({ state, reasonCode }) => (state === 'failed' || state === 'rejected') && reasonCode !== 'corrected',
  );

async function* rowsLeft(result: OpenedResult): AsyncGenerator<ResultRow[]> {
  let last = Math.max(result.headerRow, ...result.titleRows.map(({ rowNumber }) => rowNumber));
  for await (const batch of result.batches) {
    const left = batch.filter(isLeft);
    yield left.map((row) => {
      last += 1;
      return { ...row, raw: { ...row.raw, rowNumber: last } };
    });
  }
}

/** The part of a result to correct: whole POs, without the rows between them, ready to be corrected and sent again. */
export const onlyNotOrdered = (result: OpenedResult): OpenedResult => ({
  ...result,
  batches: rowsLeft(result),
});
