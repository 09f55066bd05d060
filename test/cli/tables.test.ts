import { expect, test } from 'vitest';
import { drawImports } from '../../src/cli/output/imports.ts';
import type { ImportCounts } from '../../src/ledger/import-counts.ts';

const terminal = { columns: 130, paint: (_: string, text: string) => text };

const imported = (fileName: string, reasonText?: string): ImportCounts => ({
  importId: '7',
  account: 'north',
  fileName,
  resultPath: undefined,
  state: reasonText === undefined ? 'read' : 'repeated',
  reasonCode: undefined,
  reasonText,
  rowCount: 12,
  takenAt: new Date(0),
  quoteOnly: false,
  counts: { ordered: 3 },
  correctedCount: 0,
  quotedCount: 0,
  repeatedCounts: {},
  answeredBy: '7',
  answeredByState: 'read',
  active: 0,
  failing: 0,
  issueCount: 0,
  warning: undefined,
  resultWritten: true,
});

test.each([
  ['letters', `${'n'.repeat(251)}.csv`],
  ['characters beyond the first plane', `${'🛒'.repeat(62)}.csv`],
  ['control characters, which are shown as code points', `${'\u0007'.repeat(251)}.csv`],
])('a long file name does not widen the table of imports: %s', (_, name) => {
  const drawn = drawImports(terminal as never, [
    imported(name),
    imported(
      'short.csv',
      `The same file, byte for byte, as import 7 (${name}, taken today). Nothing was ordered again.`,
    ),
  ]);
  for (const line of drawn.split('\n')) expect([...line].length).toBeLessThanOrEqual(terminal.columns);
  expect(drawn).toContain('…');
});
