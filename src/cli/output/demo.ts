import type { ImportCounts, NotOrderedPo } from '../../ledger/import-counts.ts';
import type { AccountOverview } from '../../ledger/overview.ts';
import { drawNotOrdered, tallyOf } from './imports.ts';
import { listStatuses } from './overview.ts';
import { showFileName } from './show-text.ts';
import { drawTable, right, wrapping } from './table.ts';
import type { Terminal } from './terminal.ts';

export interface DemoOutcome {
  imports: readonly ImportCounts[];
  notOrdered: readonly NotOrderedPo[];
  accounts: readonly AccountOverview[];
  /** Paths as a person would type them. */
  folders: readonly { account: string; results: string; reports: string }[];
  seconds: number;
  statusCommand: string;
}

/** The end of the demo: a table of the files, the POs that need a person, and where the output files are. */
export const drawDemo = (terminal: Terminal, outcome: DemoOutcome): string => {
  const { imports, notOrdered, accounts, folders, seconds, statusCommand } = outcome;
  const title = (text: string) => terminal.paint('bold', text);
  const files = drawTable(
    terminal,
    ['Purchase file', right('POs'), right('Ordered'), right('Rejected'), right('Held')],
    [...imports]
      .sort((one, other) => one.fileName.localeCompare(other.fileName))
      .map(({ fileName, counts }) => {
        const { ordered, rejected, held, inProgress: underWay, failed } = tallyOf(counts);
        const all = ordered + rejected + held + underWay + failed;
        return [showFileName(fileName), String(all), String(ordered), String(rejected), String(held)];
      }),
  );
  const orders = drawTable(
    terminal,
    ['Dealer', wrapping('Orders by status')],
    accounts.map(({ account, orderStatuses }) => [account, listStatuses(orderStatuses)]),
  );
  const places = folders.flatMap(({ results, reports }) => [
    `  ${results}   the dealer's own rows, each with its outcome`,
    `  ${reports}   every order with status, tracking and totals`,
  ]);
  return [
    '',
    files,
    '',
    orders,
    '',
    title('Not ordered, and why'),
    drawNotOrdered(terminal, notOrdered),
    '',
    title('Where to look'),
    ...places,
    `  ${statusCommand}`,
    '',
    terminal.wrap(
      `Done in ${seconds.toFixed(1)} s. To order from your own files, see “Your own first order” in README.md.`,
      0,
    ),
  ].join('\n');
};
