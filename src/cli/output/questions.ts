import type { OpenQuestion } from '../../ledger/import-progress.ts';
import { shorten, showText } from './show-text.ts';
import { drawTable } from './table.ts';
import type { Terminal } from './terminal.ts';

/** A row issue or note, from wherever it comes. */
export interface ShownIssue {
  rowNumber: number;
  poNumber?: string | undefined;
  column: string;
  message: string;
  found?: string | null | undefined;
}

/** Row issues as a table: where, what was found, and what is wrong with it. */
export const drawIssues = (terminal: Terminal, issues: readonly ShownIssue[]): string =>
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
      showText(poNumber ?? ''),
      showText(column),
      found === null || found === undefined ? '' : shorten(showText(found), 30),
      showText(message),
    ]),
  );

const colourOf = { rejected: 'red', failed: 'red', held: 'yellow', cancelled: 'dim' } as const;

/** POs that did not become orders, each with its reason and its row issues below it. */
export const drawQuestions = (terminal: Terminal, questions: readonly OpenQuestion[]): string =>
  questions
    .map(({ poNumber, firstRow, state, reasonText, issues }) => {
      const head = `${terminal.paint(colourOf[state], state)}  ${terminal.paint('bold', showText(poNumber))} (row ${firstRow})${reasonText && issues.length === 0 ? `: ${showText(reasonText)}` : ''}`;
      const rows = issues.map(
        ({ rowNumber, column, found, message }) =>
          `          row ${rowNumber}, ${showText(column)}: ${found === null ? '' : `"${shorten(showText(found), 40)}" `}${showText(message)}`,
      );
      return [head, ...rows].join('\n');
    })
    .join('\n');
