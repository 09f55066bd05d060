import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { OpenedResult } from './result-rows.ts';
import type { ImportFacts, ImportTotals } from './types.ts';

async function* pieces(
  facts: ImportFacts,
  totals: ImportTotals,
  result: OpenedResult | undefined,
): AsyncGenerator<string> {
  const { importId, account, fileName, state, reasonText, takenAt, asOf, quoteOnly } = facts;
  const columns = result?.headers ?? [];
  const head = {
    importId,
    account,
    fileName,
    state,
    reasonText,
    takenAt,
    asOf,
    quoteOnly,
    ...totals,
    columns,
  };
  yield `${JSON.stringify(head).slice(0, -1)},"rows":[`;
  let before = '\n';
  for await (const batch of result?.batches ?? []) {
    const rows = batch.map(({ raw, surplus, answer, poState, outcome }) =>
      JSON.stringify({
        rowNumber: raw.rowNumber,
        cells: [...raw.cells, ...surplus],
        ...answer,
        poState,
        outcome,
      }),
    );
    yield before + rows.join(',\n');
    before = ',\n';
  }
  yield '\n]}\n';
}

/**
 * Writes a result for programs: one JSON object with the import, its totals, the dealer's headers as `columns`, and
 * `rows`, each with its cells as text and its outcome. Memory does not grow with the rows.
 * @param result undefined for a refused file, which has no rows
 */
export const writeResultJson = (
  path: string,
  facts: ImportFacts,
  totals: ImportTotals,
  result: OpenedResult | undefined,
): Promise<void> => pipeline(Readable.from(pieces(facts, totals, result)), createWriteStream(path));
