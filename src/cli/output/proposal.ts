import { sayField } from '../../intake/columns/field-words.ts';
import type { Proposed } from '../../intake/layouts/propose/proposed-map.ts';
import { drawRowIssues } from './row-issues.ts';
import { shorten, showText } from './show-text.ts';
import { drawTable, right, wrapping } from './table.ts';
import type { Terminal } from './terminal.ts';

/** How to map a field's column in the configuration, with a header of this file as the example. */
export const howToMap = (header: string | undefined, field: string, account: string): string => {
  const setting = `accounts.${account}.intake.columns`;
  return header === undefined
    ? `map one of its columns to ${field} in ${setting}`
    : `map it in ${setting}, for example \`${showText(JSON.stringify(header))}: ${field}\``;
};

/** The lines as they would be ordered, each with the dealer's cells that it was read from. */
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
 * The first lines as they would be ordered, and their issues.
 *
 * @param most maximum number of lines
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
 * The proposed columns of a file, each with its field and reason, and the missing fields with the reason.
 *
 * @param account undefined: questions follow, so other ways need not be shown
 * @param describing headers of columns that describe the items
 */
export const drawColumns = (
  terminal: Terminal,
  proposed: Proposed,
  account: string | undefined,
  describing: readonly string[],
): string => {
  const isAsked = account === undefined;
  // A person who is asked sees columns and values in the table; only doubts need explanation.
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
