import type { ProposedMap } from '../../intake/propose-map.ts';
import { drawIssues } from './questions.ts';
import { shorten, showText } from './show-text.ts';
import { drawTable } from './table.ts';
import type { Terminal } from './terminal.ts';

const inWords = (values: Record<string, string | number | boolean>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${showText(String(value))}`)
    .join('  ');

/** A proposed column map: each column, why it is taken for what, and rows as the service would receive them. */
export const drawProposal = (
  terminal: Terminal,
  proposed: Extract<ProposedMap, { kind: 'proposed' }>,
): string => {
  const columns = drawTable(
    terminal,
    [{ head: 'Column' }, { head: 'Holds' }, { head: 'Because' }, { head: 'Such as' }],
    proposed.columns.map(({ header, field, why, by, values }) => [
      showText(header),
      field === null
        ? terminal.paint('dim', 'kept, not read')
        : terminal.paint(by === 'content' ? 'yellow' : 'green', field),
      why ?? '',
      shorten(showText(values.join(' | ')), 50),
    ]),
  );
  const samples = proposed.samples.flatMap(({ rowNumber, cart, item }) => [
    `  row ${rowNumber}  ${inWords(cart)}`,
    `  ${' '.repeat(String(rowNumber).length + 4)}  ${inWords(item)}`,
  ]);
  const issues = proposed.samples.flatMap((sample) => sample.issues);
  return [
    `${proposed.sheet === undefined ? '' : `Sheet ${showText(proposed.sheet)}, `}header in row ${proposed.headerRow}`,
    '',
    columns,
    ...(proposed.missing.length > 0
      ? [
          '',
          terminal.paint(
            'red',
            `Not found: ${proposed.missing.join(', ')}. Name the columns in intake.columns.`,
          ),
        ]
      : []),
    '',
    'As the service would receive it:',
    ...samples,
    ...(issues.length > 0 ? ['', drawIssues(terminal, issues)] : []),
    '',
  ].join('\n');
};
