import type { ProposedMap } from '../../intake/columns/propose-map.ts';
import { drawRowIssues } from './row-issues.ts';
import { shorten, showText } from './show-text.ts';
import { drawTable } from './table.ts';
import type { Terminal } from './terminal.ts';

const inWords = (values: Record<string, string | number | boolean>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${showText(String(value))}`)
    .join('  ');

/** A proposed column mapping: each column with its field and the reason, and rows as the service would receive them. */
export const drawProposal = (
  terminal: Terminal,
  proposed: Extract<ProposedMap, { kind: 'proposed' }>,
  account: string,
): string => {
  const columns = drawTable(
    terminal,
    [
      { head: 'Column' },
      { head: 'Field' },
      { head: 'Reason', wraps: true },
      { head: 'Examples', wraps: true },
    ],
    proposed.columns.map(({ header, field, why, by, values }) => [
      showText(header),
      field === null
        ? terminal.paint('dim', 'ignored')
        : terminal.paint(by === 'content' ? 'yellow' : 'green', field),
      why ?? (field === null ? '(copied to the result file only)' : ''),
      shorten(showText(values.join(' | ')), 50),
    ]),
  );
  const samples = proposed.samples.flatMap(({ rowNumber, cart, item }) => [
    terminal.wrap(`  row ${rowNumber}  ${inWords(cart)}`, String(rowNumber).length + 8),
    terminal.wrap(
      `${' '.repeat(String(rowNumber).length + 8)}${inWords(item)}`,
      String(rowNumber).length + 8,
    ),
  ]);
  const issues = proposed.samples.flatMap((sample) => sample.issues);
  return [
    `${proposed.sheet === undefined ? '' : `Sheet ${showText(proposed.sheet)}. `}The header is in row ${proposed.headerRow}.`,
    '',
    columns,
    ...(proposed.missing.length > 0
      ? [
          '',
          terminal.paint(
            'red',
            `No column was found for these required fields: ${proposed.missing.join(', ')}. Set their columns in accounts.${account}.intake.columns, for example \`Units: quantity\`.`,
          ),
        ]
      : []),
    '',
    'As the service would receive the first rows:',
    ...samples,
    ...(issues.length > 0 ? ['', drawRowIssues(terminal, issues)] : []),
    '',
  ].join('\n');
};
