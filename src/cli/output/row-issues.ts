import { shorten, showName, showText } from './show-text.ts';
import { drawTable } from './table.ts';
import type { Terminal } from './terminal.ts';

/** A row issue or note, of a dry run, a proposed mapping or the ledger. */
export interface ShownRowIssue {
  rowNumber: number;
  poNumber?: string | undefined;
  column: string;
  message: string;
  found?: string | null | undefined;
}

/** Row issues as a table: the place, what was found there, and what is wrong with it. */
export const drawRowIssues = (terminal: Terminal, issues: readonly ShownRowIssue[]): string =>
  drawTable(
    terminal,
    [
      { head: 'Row', align: 'right' },
      { head: 'PO' },
      { head: 'Column' },
      { head: 'Found' },
      { head: 'What is wrong', wraps: true },
    ],
    issues.map(({ rowNumber, poNumber, column, found, message }) => [
      String(rowNumber),
      showName(terminal, poNumber ?? ''),
      showName(terminal, column),
      found === null || found === undefined ? '' : shorten(showName(terminal, found), 30),
      showText(message),
    ]),
  );
