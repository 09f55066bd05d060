import type { FieldName } from '../intake/columns/fields.ts';
import type { ProposedMap } from '../intake/columns/propose-map.ts';
import { type Ask, isYes } from './ask-person.ts';
import { showText } from './output/show-text.ts';
import type { Terminal } from './output/terminal.ts';

type Proposed = Extract<ProposedMap, { kind: 'proposed' }>;

const names: Partial<Record<FieldName, string>> = {
  po_number: 'PO number',
  item_sku: 'item number (SKU)',
  quantity: 'quantity',
};

/**
 * Asks a person about each column that is not certain, and for the column of each field that is missing.
 *
 * @returns the person's answers, from header to field
 */
export const askColumns = async (
  ask: Ask,
  terminal: Terminal,
  proposed: Proposed,
): Promise<Record<string, FieldName | 'ignore'>> => {
  const answers: Record<string, FieldName | 'ignore'> = {};
  const missing = new Set<FieldName>(proposed.missing);
  for (const { header, field, certain, values } of proposed.columns) {
    if (field === null || certain) continue;
    const examples = values.map(showText).join(', ');
    const yes = isYes(
      await ask(`Is "${showText(header)}" (${examples}) the ${names[field] ?? field}? [y/N] `),
    );
    answers[header] = yes ? field : 'ignore';
    if (!yes && names[field] !== undefined) missing.add(field);
  }
  for (const field of missing) {
    const free = proposed.columns.filter(
      ({ header }) => answers[header] === undefined || answers[header] === 'ignore',
    );
    for (;;) {
      const answer = await ask(`Which column holds the ${names[field]}? Its header, or blank for none: `);
      if (answer === '') break;
      const column = free.find(({ header }) => header.toLowerCase() === answer.toLowerCase());
      if (column) {
        answers[column.header] = field;
        break;
      }
      terminal.note(`There is no free column "${showText(answer)}".`);
    }
  }
  return answers;
};
