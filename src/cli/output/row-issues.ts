import { shorten, showName, showText } from './show-text.ts';
import { drawTable, right } from './table.ts';
import type { Terminal } from './terminal.ts';

/** A row issue or note, of a dry run, a proposed mapping or the ledger. */
export interface ShownRowIssue {
  rowNumber: number;
  poNumber?: string | undefined;
  column: string;
  message: string;
  found?: string | null | undefined;
  /** Default: issue. */
  severity?: 'issue' | 'note';
}

const draw = (terminal: Terminal, head: string, issues: readonly ShownRowIssue[]): string => {
  // For a single PO, its number is above the table.
  const hasPos = issues.some(({ poNumber }) => poNumber !== undefined);
  return drawTable(
    terminal,
    [right('Row'), ...(hasPos ? ['PO'] : []), 'Column', 'Found', { head, wraps: true }],
    issues.map(({ rowNumber, poNumber, column, found, message }) => [
      String(rowNumber),
      ...(hasPos ? [showName(terminal, poNumber ?? '')] : []),
      showName(terminal, column),
      found === null || found === undefined ? '' : shorten(showName(terminal, found), 30),
      showText(message),
    ]),
  );
};

/** Row issues, then notes, as tables: location, found value and message. */
export const drawRowIssues = (terminal: Terminal, issues: readonly ShownRowIssue[]): string => {
  const notes = issues.filter(({ severity }) => severity === 'note');
  const wrong = issues.filter(({ severity }) => severity !== 'note');
  return [
    ...(wrong.length > 0 ? [draw(terminal, 'What is wrong', wrong)] : []),
    ...(notes.length > 0 ? [draw(terminal, 'Note', notes)] : []),
  ].join('\n\n');
};
