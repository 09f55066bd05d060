import { createInterface } from 'node:readline/promises';
import type { FieldName } from '../intake/columns/fields.ts';
import type { ProposedMap } from '../intake/columns/propose-map.ts';
import { showText } from './output/show-text.ts';
import type { Terminal } from './output/terminal.ts';

type Proposed = Extract<ProposedMap, { kind: 'proposed' }>;

const names: Partial<Record<FieldName, string>> = {
  po_number: 'PO number',
  item_sku: 'item number (SKU)',
  quantity: 'quantity',
};

/** Whether questions can be asked: both outputs and the input are a terminal. */
export const canAsk = (terminal: Terminal): boolean => terminal.live && process.stdin.isTTY === true;

/**
 * Asks a person about each column that is not certain, and for the column of each field that is missing.
 *
 * @returns the person's answers, from header to field
 */
export const askColumns = async (
  terminal: Terminal,
  proposed: Proposed,
): Promise<Record<string, FieldName | 'ignore'>> => {
  const answers: Record<string, FieldName | 'ignore'> = {};
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const missing = new Set<FieldName>(proposed.missing);
    for (const { header, field, certain, values } of proposed.columns) {
      if (field === null || certain) continue;
      const examples = values.map(showText).join(', ');
      const answer = await lines.question(
        `Is "${showText(header)}" (${examples}) the ${names[field] ?? field}? [y/N] `,
      );
      const yes = /^y(es)?$/i.test(answer.trim());
      answers[header] = yes ? field : 'ignore';
      if (!yes && names[field] !== undefined) missing.add(field);
    }
    for (const field of missing) {
      const free = proposed.columns.filter(
        ({ header }) => answers[header] === undefined || answers[header] === 'ignore',
      );
      for (;;) {
        const answer = (
          await lines.question(`Which column holds the ${names[field]}? Its header, or blank for none: `)
        ).trim();
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
  } finally {
    lines.close();
  }
};

/** Asks whether to write what was shown. */
export const askToWrite = async (path: string): Promise<boolean> => {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`Write this into ${path}? [y/N] `)).trim());
  } finally {
    lines.close();
  }
};
