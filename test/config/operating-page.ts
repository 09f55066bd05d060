import { exitCodes } from '../../src/cli/exit-codes.ts';
import { holdTexts } from '../../src/placing/reasons.ts';
import { settingsTable } from './settings-table.ts';

/** Holds that are not the service's doing: those of the guards, and of two files that ask for different things. */
export const otherHolds: Record<string, string> = {
  backorder:
    'Something of it would be back-ordered. Release it to order anyway, with the back-ordered items, or cancel it.',
  price_above:
    'A price is above what the file expects (`expected_price`, and `guards.abovePercent`). Release it to accept the price, or cancel it.',
  order_total: 'Its lines sum up to more than `guards.orderTotal`. Release it, or cancel it.',
  unknown_price:
    'The service answered no readable price for a line. Release it to order without one, or cancel it.',
  conflicting_po:
    'An earlier file asks for something else under the same PO number (or one that differs only in case). Send this order again under a number of its own and cancel this one; or, while the earlier one is not submitted, cancel that one and release this one.',
  was_cancelled:
    'The PO was sent before with the same content and cancelled. Release it to order it now, or cancel it again. `cancelledAgain: order` orders such POs without asking.',
  restored_file:
    'Its file was found in `done/` after the ledger had been restored from an older backup, so it may have been ordered or cancelled before. Release it: the service is checked before anything is sent. Or cancel it. `restoredFiles: order` orders such POs without asking.',
};

const table = (heads: [string, string], rows: readonly (readonly [string, string])[]): string =>
  [`| ${heads.join(' | ')} |`, '|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n');

/** The parts of docs/operating.md that are made of the code, by the names of their markers. */
const generated = (): Record<string, string> => ({
  holds: table(
    ['reason code', 'what it means and what to do'],
    Object.entries({ ...otherHolds, ...holdTexts }).map(([code, text]) => [`\`${code}\``, text]),
  ),
  'exit codes': table(
    ['code', 'meaning'],
    Object.values(exitCodes).map(({ code, means }) => [String(code), means]),
  ),
  settings: settingsTable((key) => !key.startsWith('service.')),
});

/** The page with its generated parts made anew. */
export const renderOperatingPage = (page: string): string => {
  let rendered = page;
  for (const [name, content] of Object.entries(generated())) {
    const part = new RegExp(`(<!-- generated: ${name} -->\n)[\\s\\S]*?(<!-- end -->)`);
    if (!part.test(rendered)) throw new Error(`docs/operating.md has no place for "${name}"`);
    rendered = rendered.replace(part, (_, begin: string, end: string) => `${begin}\n${content}\n\n${end}`);
  }
  return rendered;
};
