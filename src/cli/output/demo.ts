import type { ImportProgress, OpenQuestion } from '../../ledger/import-progress.ts';
import type { AccountOverview } from '../../ledger/overview.ts';
import { tallyOf } from './imports.ts';
import { listStatuses } from './overview.ts';
import { drawQuestions } from './questions.ts';
import { showFileName } from './show-text.ts';
import { drawTable } from './table.ts';
import type { Terminal } from './terminal.ts';

export interface DemoOutcome {
  imports: readonly ImportProgress[];
  questions: readonly OpenQuestion[];
  accounts: readonly AccountOverview[];
  /** Paths as a person would type them. */
  folders: readonly { account: string; results: string; reports: string }[];
  seconds: number;
  lookAround: string;
}

/** The short table at the end of the demo, what needs a person, and where everything lies. */
export const drawDemo = (terminal: Terminal, outcome: DemoOutcome): string => {
  const { imports, questions, accounts, folders, seconds, lookAround } = outcome;
  const title = (text: string) => terminal.paint('bold', text);
  const files = drawTable(
    terminal,
    [
      { head: 'Purchase file' },
      { head: 'POs', align: 'right' },
      { head: 'Ordered', align: 'right' },
      { head: 'Rejected', align: 'right' },
      { head: 'Held', align: 'right' },
    ],
    [...imports]
      .sort((one, other) => one.fileName.localeCompare(other.fileName))
      .map(({ fileName, counts }) => {
        const { ordered, rejected, held, underWay, failed } = tallyOf(counts);
        const all = ordered + rejected + held + underWay + failed;
        return [showFileName(fileName), String(all), String(ordered), String(rejected), String(held)];
      }),
  );
  const orders = drawTable(
    terminal,
    [{ head: 'Dealer' }, { head: 'Orders by status', wraps: true }],
    accounts.map(({ account, orderStatuses }) => [account, listStatuses(orderStatuses)]),
  );
  const places = folders.flatMap(({ results, reports }) => [
    `  ${results}   the dealer's own rows, each with what became of it`,
    `  ${reports}   every order with status, tracking numbers and totals`,
  ]);
  return [
    '',
    files,
    '',
    orders,
    '',
    title('What did not become an order, and why'),
    drawQuestions(terminal, questions),
    '',
    title('Where to look'),
    ...places,
    `  ${lookAround}`,
    '',
    `Done in ${seconds.toFixed(1)} s. Your own files: README.md shows the ten lines of configuration that they need.`,
  ].join('\n');
};
