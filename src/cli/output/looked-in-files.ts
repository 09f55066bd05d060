import type { FilesAnswer } from '../../api-contract/search.ts';
import { UserError } from '../../errors.ts';
import type { ExitCode } from '../exit-codes.ts';
import { count, showFileName, showText, showTime } from './show-text.ts';
import { sayWrapped, type Terminal } from './terminal.ts';

const rowsOf = (rows: readonly number[]): string =>
  rows.length === 0 ? 'in its name' : `${rows.length === 1 ? 'row' : 'rows'} ${rows.join(', ')}`;

/** The scope of the search, how far back it goes, and similar numbers; one line each. */
const lookedThrough = ({ similar, looked, notLooked, since }: FilesAnswer): string[] => [
  `Looked through: the ledger${looked === 0 ? '' : ` and ${count(looked, 'file')}${since === null ? '' : ` since ${showTime(new Date(since))}`}`}.${notLooked === 0 ? '' : ` ${count(notLooked, 'file')} could not be looked into.`}`,
  ...(similar.length === 0
    ? []
    : [
        `Similar: ${similar.map(({ account, poNumber, state }) => `${showText(poNumber)} (${account}, ${state})`).join(', ')}.`,
      ]),
];

/**
 * Reports where a PO number without a PO was found.
 * @throws UserError `po_unknown` if nowhere
 */
export const sayWhereItIs = (terminal: Terminal, poNumber: string, answer: FilesAnswer): ExitCode => {
  const { found } = answer;
  if (found.length === 0) {
    const words = [`No PO ${showText(poNumber)} was found.`, ...lookedThrough(answer)];
    throw new UserError(
      'po_unknown',
      `${words.join(' ')} Check the PO number; it is case-sensitive. The number of an order or a parcel is found by \`cartwright orders\`.`,
    );
  }
  terminal.answer({ purchaseOrders: [], files: answer });
  const places = found.map(({ account, fileName, importId, rows, why }) =>
    `${account}: ${showFileName(fileName)}, ${rowsOf(rows)}${importId === null ? '' : ` (import ${importId})`}: ${showText(why)}.`.replace(
      /\.\.$/,
      '.',
    ),
  );
  for (const line of [`${showText(poNumber)} is no purchase order yet.`, ...places, ...lookedThrough(answer)])
    sayWrapped(terminal, line);
  return 'fine';
};
