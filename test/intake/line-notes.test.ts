import { describe, expect, test } from 'vitest';
import { importBytes } from './support/import-file.ts';

describe('notes about a PO that is rejected', () => {
  test.each([
    ['PO Number,SKU,Qty\nP-1,A-1,5\nP-1,A-1,5\nP-1,A-2,none\n', 'line_repeated'],
    ['PO Number,Line No,SKU,Qty\nP-1,1,A-1,5\nP-1,1,A-2,6\nP-1,2,A-3,none\n', 'line_number_repeated'],
  ])('do not say that its rows are ordered: %j', async (text, code) => {
    const { issues, refusals } = await importBytes('a.csv', text);
    expect(refusals.map(({ poNumber }) => poNumber)).toEqual(['P-1']);
    const notes = issues.filter(({ severity }) => severity === 'note');
    expect(notes.map((note) => note.code)).toContain(code);
    expect(notes.length).toBeGreaterThan(0);
    for (const { message } of notes) expect(message).not.toMatch(/(?:(?<!to be |not be )(?:is|are)) ordered/);
  });
});
