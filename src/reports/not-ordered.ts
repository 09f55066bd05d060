import type { OpenedResult, ResultRow } from './result-rows.ts';
import type { ImportTotals } from './types.ts';

/** What somebody has to correct before it can be ordered: POs that were rejected or failed, and wrong rows of no PO. */
const isLeft = ({ poState, outcome }: ResultRow): boolean =>
  poState === 'rejected' || poState === 'failed' || (poState === '' && outcome === 'bad');

/** Whether the result of an import has rows that have to be corrected. Pure. */
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

/** Of a result what has to be corrected, whole POs, without the rows between them: ready to be corrected and sent. */
export const onlyNotOrdered = (result: OpenedResult): OpenedResult => ({
  ...result,
  batches: rowsLeft(result),
});
