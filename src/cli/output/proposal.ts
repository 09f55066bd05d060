import { sayField } from '../../intake/columns/field-words.ts';
import type { Proposed } from '../../intake/layouts/propose/proposed-map.ts';
import { drawRowIssues } from './row-issues.ts';
import { shorten, showText } from './show-text.ts';
import { drawTable, right, wrapping } from './table.ts';
import type { Terminal } from './terminal.ts';

/** How to set the column of a field in the configuration, with a header of this file: any other would not fit it. */
export const howToMap = (header: string | undefined, field: string, account: string): string => {
  const setting = `accounts.${account}.intake.columns`;
  return header === undefined
    ? `map one of its columns to ${field} in ${setting}`
    : `map it in ${setting}, for example \`${showText(JSON.stringify(header))}: ${field}\``;
};

/** The lines as they would be ordered, each beside the dealer's own cells that were read for it. */
const drawLines = (terminal: Terminal, { samples, columns }: Proposed): string =>
  drawTable(
    terminal,
    [right('Row'), 'PO number', 'Item', right('Quantity'), wrapping('Other values'), wrapping('Your cells')],
    samples.map(({ rowNumber, cells, cart, item }) => {
      const { po_number, ...options } = cart;
      const { item_sku, item_id, quantity, ...more } = item;
      const others = Object.entries({ ...more, ...options }).map(
        ([name, value]) => `${name}=${showText(String(value))}`,
      );
      const show = (value: string | number | boolean | undefined) =>
        value === undefined ? terminal.paint('red', '?') : showText(String(value));
      return [
        String(rowNumber),
        show(po_number),
        item_id === undefined ? show(item_sku) : `item ID ${showText(String(item_id))}`,
        show(quantity),
        others.join('  '),
        shorten(
          showText(cells.filter((cell, at) => columns[at]?.field && cell.trim() !== '').join(' | ')),
          120,
        ),
      ];
    }),
  );

/**
 * The first lines as they would be ordered, and what is wrong with them.
 *
 * @param most so many of them
 */
export const drawFirstLines = (terminal: Terminal, proposed: Proposed, most = Infinity): string => {
  const issues = proposed.samples.flatMap((sample) => sample.issues);
  return [
    ...(proposed.samples.length === 0
      ? ['No line can be shown yet, because columns are missing or have no values.']
      : [
          terminal.wrap('The first lines as they would be ordered, beside your own cells:', 0),
          drawLines(terminal, { ...proposed, samples: proposed.samples.slice(0, most) }),
        ]),
    ...(issues.length > 0 ? ['', drawRowIssues(terminal, issues)] : []),
    '',
  ].join('\n');
};

/**
 * What the columns of a file are proposed to be: each one with its field and the reason, and what is missing and why.
 *
 * @param account undefined: the person is asked next, and needs no other way
 * @param describing headers of columns that describe the items
 */
export const drawColumns = (
  terminal: Terminal,
  proposed: Proposed,
  account: string | undefined,
  describing: readonly string[],
): string => {
  const isAsked = account === undefined;
  // Who is asked about the columns sees at once what they are and what they have; only doubts need words.
  const columns = drawTable(
    terminal,
    ['Column', 'Field', ...(isAsked ? [] : [wrapping('Reason')]), wrapping('Examples')],
    proposed.columns.map(({ header, field, why, certain, values }) => [
      showText(header),
      field === null
        ? terminal.paint('dim', describing.includes(header) ? 'describes items' : 'ignored')
        : terminal.paint(certain ? 'green' : 'yellow', certain ? field : `${field}?`),
      ...(isAsked
        ? []
        : [
            field === null ? '(copied to the result file only)' : `${why}${certain ? '' : ' – please check'}`,
          ]),
      shorten(showText(values.join(' | ')), 50),
    ]),
  );
  const doubts = isAsked
    ? proposed.columns.flatMap(({ header, certain, why }) => {
        const but = certain ? undefined : why?.split(', but ')[1];
        return but === undefined ? [] : [terminal.wrap(`"${showText(header)}": ${but}.`)];
      })
    : [];
  const otherWay = (field: Proposed['missing'][number]) =>
    account === undefined
      ? ''
      : ` Run the command with --write on a terminal to choose one, or ${howToMap(proposed.candidates[field]?.[0], field, account)}.`;
  const isUsual = isAsked && proposed.sheet === undefined && proposed.headerRow === 1;
  return [
    ...(isUsual
      ? []
      : [
          `${proposed.sheet === undefined ? '' : `Sheet ${showText(proposed.sheet)}. `}${proposed.headerRow === null ? 'The file has no header, so its columns are numbered.' : `The header is in row ${proposed.headerRow}.`}`,
        ]),
    ...proposed.decisions
      .filter(({ what, decided }) => what === 'encoding' && !(isAsked && decided === 'utf-8'))
      .map(({ decided, why }) => terminal.wrap(`It was read as ${decided}: ${showText(why)}.`)),
    '',
    columns,
    ...doubts,
    ...proposed.missing.flatMap((field) => [
      '',
      terminal.wrap(
        terminal.paint(
          'red',
          `No column is proposed for the ${sayField(field)}: ${showText(proposed.doubts[field] ?? '')}.${otherWay(field)}`,
        ),
      ),
    ]),
    ...(proposed.poSource
      ? [
          '',
          terminal.wrap(
            `The PO number of the whole file is ${showText(proposed.poSource.poNumber)}, ${showText(proposed.poSource.why)}${proposed.poSource.certain ? '' : ' – please check'}.`,
          ),
        ]
      : []),
    ...(Object.keys(proposed.settings).length > 0
      ? [
          '',
          `Such files are read with ${Object.entries(proposed.settings)
            .map(
              ([name, value]) =>
                `${name}: ${typeof value === 'object' ? showText(JSON.stringify(value)) : value}`,
            )
            .join(', ')}.`,
        ]
      : []),
    '',
  ].join('\n');
};
