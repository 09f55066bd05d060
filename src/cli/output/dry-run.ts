import type { StagedImport } from '../../ledger/staging.ts';
import { drawRowIssues } from './row-issues.ts';
import { count, showText } from './show-text.ts';
import { drawTable } from './table.ts';
import type { Terminal } from './terminal.ts';

const colourOf = {
  ready: 'green',
  rejected: 'red',
  conflicting: 'yellow',
  held: 'yellow',
  repeated: 'dim',
} as const;
const words = {
  ready: 'would be ordered',
  rejected: 'rejected',
  conflicting: 'conflicts',
  held: 'would be held',
  repeated: 'already imported',
} as const;

/** What an import of a file would do: how the file is read, its POs, every issue, and the sums. */
export const drawDryRun = (terminal: Terminal, file: string, staged: StagedImport): string => {
  const title = terminal.paint('bold', showText(file));
  if (staged.kind === 'refused') {
    return `${title}\n${terminal.paint('red', 'refused')}: ${showText(staged.message)}\n`;
  }
  if (staged.kind === 'already') return `${title}\nThis file was already imported.\n`;
  const { counts, preview, outcome } = staged;
  const decisions = drawTable(
    terminal,
    [{ head: 'Read as' }, { head: '' }, { head: 'Reason', wraps: true }, { head: 'Setting' }],
    outcome.detection.decisions.map(({ what, decided, why, override }) => [
      what,
      showText(what === 'columns' ? '' : decided),
      showText(what === 'columns' ? `${decided} (${why})` : why),
      override ?? '',
    ]),
  );
  const orders = drawTable(
    terminal,
    [
      { head: 'PO' },
      { head: 'First row', align: 'right' },
      { head: 'Lines', align: 'right' },
      { head: 'Outcome' },
      { head: 'Reason', wraps: true },
    ],
    preview.purchaseOrders.map(({ poNumber, firstRow, lineCount, outcome: outcomeOfPo, reason }) => [
      showText(poNumber),
      String(firstRow),
      String(lineCount),
      terminal.paint(colourOf[outcomeOfPo], words[outcomeOfPo]),
      showText(reason ?? ''),
    ]),
  );
  const all = counts.ready + counts.rejected + counts.conflicting + counts.held + counts.repeated;
  const more =
    all > preview.purchaseOrders.length
      ? `  … and ${count(all - preview.purchaseOrders.length, 'more PO')}`
      : '';
  const sums = `${count(counts.ready, 'PO')} would be ordered, ${counts.rejected} rejected, ${counts.conflicting} conflict with an earlier file, ${counts.held} previously cancelled (held), ${counts.repeated} already imported. ${count(counts.lines, 'line')}, ${count(counts.issues, 'issue')}.`;
  const issues = preview.issues.length > 0 ? ['', drawRowIssues(terminal, preview.issues)] : [];
  const idle = outcome.idlePriceGuard;
  const warning = idle === undefined ? [] : ['', terminal.wrap(terminal.paint('yellow', showText(idle)))];
  return [
    title,
    '',
    decisions,
    '',
    orders,
    ...(more ? [more] : []),
    ...issues,
    ...warning,
    '',
    terminal.wrap(sums, 0),
    'Dry run: nothing was saved or sent.',
    '',
  ].join('\n');
};
