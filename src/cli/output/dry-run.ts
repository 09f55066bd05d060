import type { ImportOutcome } from '../../intake/import-purchase-file.ts';
import type { Waits } from '../../intake/layouts/unknown-meaning.ts';
import type { LineSums, StagedPreview } from '../../ledger/staged-preview.ts';
import type { StagedImport } from '../../ledger/staging.ts';
import { notYetKnown } from '../../placing/not-yet-known.ts';
import type { Guards } from '../../placing/options.ts';
import { drawRowIssues } from './row-issues.ts';
import { count, shorten, showMoney, showName, showText } from './show-text.ts';
import { drawTable, right, wrapping } from './table.ts';
import type { Terminal } from './terminal.ts';

const outcomes = {
  ready: ['green', 'would be ordered'],
  rejected: ['red', 'rejected'],
  conflicting: ['yellow', 'conflicts'],
  held: ['yellow', 'would be held'],
  repeated: ['dim', 'already imported'],
} as const;

const showNumber = (number: number) => number.toLocaleString('en-US');

/** Quantity × price, exactly. */
const goodsOf = (quantity: number, price: string): string => {
  const [whole = '', part = ''] = price.split('.');
  const digits = String(BigInt(quantity) * BigInt(whole + part)).padStart(part.length + 1, '0');
  const at = digits.length - part.length;
  return `${digits.slice(0, at)}.${digits.slice(at)}`;
};

const drawLargest = (terminal: Terminal, lines: StagedPreview['largestLines']): string => {
  const priced = lines.some(({ expectedPrice }) => expectedPrice !== undefined);
  return drawTable(
    terminal,
    [
      'Largest lines',
      right('Row'),
      'Item',
      right('Quantity'),
      ...(priced ? [right('Price'), right('Sum')] : []),
    ],
    lines.map(({ poNumber, rowNumber, item, quantity, expectedPrice: price }) => [
      showName(terminal, poNumber),
      String(rowNumber),
      showName(terminal, item),
      showNumber(quantity),
      ...(price === undefined ? [] : [showMoney(price), showMoney(goodsOf(quantity, price))]),
    ]),
  );
};

const mostAddresses = 5;

/** `0012345, Cycle Works, 7 Main Street, Holtsville NY 00501`. */
const addressOf = ({ options: o }: StagedPreview['purchaseOrders'][number]): string =>
  [
    o.ship_to,
    o.ship_name,
    o.ship_address1,
    o.ship_address2,
    [o.ship_city, o.ship_state, o.ship_zip].filter(Boolean).join(' '),
  ]
    .filter(Boolean)
    .join(', ');

/** The shipping addresses of the shown POs, most frequent first; undefined if the file has none. */
const drawAddresses = (
  terminal: Terminal,
  purchaseOrders: StagedPreview['purchaseOrders'],
): string | undefined => {
  const known = new Map<string, number>();
  for (const po of purchaseOrders.filter(({ outcome }) => outcome !== 'rejected')) {
    const address = addressOf(po);
    known.set(address, (known.get(address) ?? 0) + 1);
  }
  if ([...known.keys()].every((address) => address === '')) return undefined;
  const all = [...known].sort(([, a], [, b]) => b - a);
  const rest = all.slice(mostAddresses);
  const table = drawTable(
    terminal,
    [right('POs'), wrapping('Ship to')],
    all
      .slice(0, mostAddresses)
      .map(([address, pos]) => [
        showNumber(pos),
        address === '' ? "(the account's own address)" : shorten(showText(address), 120),
      ]),
  );
  return rest.length > 0
    ? `${table}\n  … and ${count(rest.length, 'more address', 'more addresses')}`
    : table;
};

const goodsInWords = ({ goods, pricedLines, lines }: LineSums & { lines: number }): string => {
  if (goods === undefined) return '';
  const some = pricedLines < lines ? ` (known for ${showNumber(pricedLines)} of them)` : '';
  return `, ${showMoney(goods)} at the file's prices${some}`;
};

/** The result of a dry run: how the file is read, its POs, the largest lines, every issue, and the sums. */
export const drawDryRun = (
  terminal: Terminal,
  file: string,
  staged: StagedImport<ImportOutcome | Waits>,
  guards: Guards,
  verbose: boolean,
): string => {
  const title = terminal.paint('bold', showText(file));
  if (staged.kind === 'refused' || staged.kind === 'waits') {
    const technical =
      verbose && staged.kind === 'refused' && staged.technical !== undefined
        ? `\n${showText(staged.technical)}`
        : '';
    const outcome =
      staged.kind === 'waits'
        ? terminal.paint('yellow', 'would wait for somebody to say what it means')
        : terminal.paint('red', 'refused');
    const reason = terminal.wrap(`${outcome}: ${showText(staged.message)}`);
    return `${title}\n${reason}${technical}\n`;
  }
  if (staged.kind === 'already') return `${title}\nThis file was already imported.\n`;
  const { counts, preview, outcome } = staged;
  const decisions = drawTable(
    terminal,
    ['Read as', '', wrapping('Reason'), 'Setting'],
    outcome.detection.decisions.map(({ what, decided, why, override }) => [
      what,
      showName(terminal, what === 'columns' ? '' : decided),
      showText(what === 'columns' ? `${decided} (${why})` : why),
      override ?? '',
    ]),
  );
  const orders = drawTable(
    terminal,
    ['PO', right('Row'), right('Lines'), right('Pieces'), 'Outcome', wrapping('Reason')],
    preview.purchaseOrders.map(({ poNumber, firstRow, lineCount, pieces, outcome: outcomeOfPo, reason }) => [
      showName(terminal, poNumber),
      String(firstRow),
      String(lineCount),
      showNumber(pieces),
      terminal.paint(outcomes[outcomeOfPo][0], outcomes[outcomeOfPo][1]),
      showText(reason ?? ''),
    ]),
  );
  const all = counts.ready + counts.rejected + counts.conflicting + counts.held + counts.repeated;
  const more =
    all > preview.purchaseOrders.length
      ? `  … and ${count(all - preview.purchaseOrders.length, 'more PO')}`
      : '';
  const sums = `${all === 0 ? 'No order was found in this file. ' : ''}${count(counts.ready, 'PO')} would be ordered, ${counts.rejected} rejected, ${counts.conflicting} conflict with an earlier file, ${counts.held} would be held, ${counts.repeated} already imported. ${count(counts.lines, 'line')}, ${count(counts.issues, 'issue')}.`;
  const { sums: ordered, largestLines } = preview;
  const isPriced = preview.purchaseOrders.some(({ pricedLines }) => pricedLines > 0);
  const addresses = drawAddresses(terminal, preview.purchaseOrders);
  const goods = `Would be ordered: ${count(ordered.lines, 'line')}, ${count(ordered.pieces, 'piece')}${goodsInWords(ordered)}.`;
  const largest = largestLines.length > 0 ? ['', drawLargest(terminal, largestLines)] : [];
  // The idle price guard is reported below, for the whole file.
  const shown = preview.issues.filter(({ code }) => code !== 'price_guard_idle');
  const issues = shown.length > 0 ? ['', drawRowIssues(terminal, shown)] : [];
  const idle = outcome.idlePriceGuard;
  const warning = idle === undefined ? [] : ['', terminal.wrap(terminal.paint('yellow', showText(idle)))];
  return [
    title,
    '',
    decisions,
    '',
    orders,
    ...(more ? [more] : []),
    ...(addresses === undefined ? [] : ['', addresses]),
    ...largest,
    ...issues,
    ...warning,
    '',
    terminal.wrap(sums, 0),
    ...(ordered.lines > 0 ? [terminal.wrap(goods, 0)] : []),
    ...(counts.ready + counts.guarded > 0 ? [terminal.wrap(notYetKnown(guards, isPriced), 0)] : []),
    'Dry run: nothing was saved or sent.',
    '',
  ].join('\n');
};
