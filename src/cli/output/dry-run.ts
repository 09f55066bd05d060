import type { StagedImport } from '../../ledger/staging.ts';
import { drawIssues } from './questions.ts';
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
  repeated: 'came before',
} as const;

/** What a file would become: how it is read, its POs, every issue, and the sums. */
export const drawDryRun = (terminal: Terminal, file: string, staged: StagedImport): string => {
  const title = terminal.paint('bold', showText(file));
  if (staged.kind === 'refused') {
    return `${title}\n${terminal.paint('red', 'refused')}: ${showText(staged.message)}\n`;
  }
  if (staged.kind === 'already') return `${title}\nread before\n`;
  const { counts, preview, outcome } = staged;
  const decisions = drawTable(
    terminal,
    [{ head: 'Read as' }, { head: '' }, { head: 'Because', wraps: true }, { head: 'To change it' }],
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
      { head: '' },
      { head: 'Why', wraps: true },
    ],
    preview.purchaseOrders.map(({ poNumber, firstRow, lineCount, outcome: became, reason }) => [
      showText(poNumber),
      String(firstRow),
      String(lineCount),
      terminal.paint(colourOf[became], words[became]),
      showText(reason ?? ''),
    ]),
  );
  const all = counts.ready + counts.rejected + counts.conflicting + counts.held + counts.repeated;
  const more =
    all > preview.purchaseOrders.length
      ? `  … and ${count(all - preview.purchaseOrders.length, 'more PO')}`
      : '';
  const sums = `${count(counts.ready, 'PO')} would be ordered, ${counts.rejected} rejected, ${counts.conflicting} in conflict with an earlier file, ${counts.held} held as cancelled before, ${counts.repeated} came before. ${count(counts.lines, 'line')}, ${count(counts.issues, 'issue')}. Nothing was kept, nothing was sent.`;
  const issues = preview.issues.length > 0 ? ['', drawIssues(terminal, preview.issues)] : [];
  const idle = outcome.idlePriceGuard;
  const warning = idle === undefined ? [] : ['', terminal.paint('yellow', showText(idle))];
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
    sums,
    '',
  ].join('\n');
};
