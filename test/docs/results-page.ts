import { answerColumns } from '../../src/intake/own-columns.ts';
import { lineStates } from '../../src/reports/row-answer.ts';
import { fillGenerated, markdownTable } from './generated.ts';

/** docs/results.md with its generated parts updated. */
export const renderResultsPage = (page: string): string =>
  fillGenerated(page, {
    'result columns': markdownTable(
      ['column', 'name in JSON', 'content'],
      answerColumns.map(({ header, name, meaning }) => [`\`${header}\``, `\`${name}\``, meaning]),
    ),
    'line states': markdownTable(
      ['line state', 'meaning'],
      Object.entries(lineStates).map(([state, meaning]) => [`\`${state}\``, meaning]),
    ),
  });
