import { sayField } from '../intake/columns/field-words.ts';
import { bareFieldOf, type FieldName, headerKey, isRequired } from '../intake/columns/fields.ts';
import type { Proposed, ProposedColumn } from '../intake/layouts/propose/proposed-map.ts';
import { type Ask, askYes } from './ask-person.ts';
import { count, shorten, showText } from './output/show-text.ts';
import { drawTable, right } from './output/table.ts';
import { sayWrapped, type Terminal } from './output/terminal.ts';

type Answers = Record<string, FieldName | 'ignore'>;

const longestHeader = 32;

interface Choice extends ProposedColumn {
  number: number;
}

/** The columns that a person can choose from: with values and a unique header, and without a required field. */
const choicesOf = (columns: readonly ProposedColumn[], answers: Answers) => {
  const times = new Map<string, number>();
  for (const { header } of columns) times.set(headerKey(header), (times.get(headerKey(header)) ?? 0) + 1);
  const isFree = ({ header, field, certain }: ProposedColumn) =>
    answers[header] === undefined ? !certain || !isRequired(field) : answers[header] === 'ignore';
  // Numbered as in the file, so that a column has the same number in each question.
  const free = columns.map((column, at) => ({ ...column, number: at + 1 })).filter(isFree);
  const named = free.filter(({ header }) => times.get(headerKey(header)) === 1);
  return { choices: named.filter(({ values }) => values.length > 0), left: free.length - named.length };
};

const drawChoices = (terminal: Terminal, choices: readonly Choice[]): string => {
  const room = Math.max(20, terminal.columns - longestHeader - 8);
  return drawTable(
    terminal,
    [right(''), 'Column', 'Examples'],
    choices.map(({ header, values, number }) => [
      String(number),
      shorten(showText(header), longestHeader),
      shorten(showText(values.join(' | ')), room),
    ]),
  );
};

const findChoice = (choices: readonly Choice[], answer: string): Choice | undefined =>
  choices.find(({ header }) => header.toLowerCase() === answer.toLowerCase()) ??
  choices.find(({ number }) => String(number) === answer);

/**
 * The columns that a person has to decide about, with their possible fields: uncertain ones, and those with a bare name such as `City`
 * without a proposal. A file with an undecided one is not read. Pure.
 *
 * @param own `intake.columns` of the account
 */
export const undecidedColumns = (
  { columns }: Pick<Proposed, 'columns'>,
  own: Readonly<Record<string, unknown>>,
): (ProposedColumn & { field: FieldName })[] => {
  const decided = new Set(Object.keys(own).map(headerKey));
  return columns.flatMap((column) => {
    const { header, certain } = column;
    const bare = decided.has(headerKey(header)) ? undefined : bareFieldOf(header);
    const field = column.field === null ? bare : certain ? undefined : column.field;
    return field === undefined ? [] : [{ ...column, field }];
  });
};

/**
 * Asks about each uncertain column, and lets the person choose a column for each missing field.
 *
 * @param undecided the columns to ask about
 * @param describing headers of ignored columns that seem to describe the items
 * @returns the answers, from header to field; `areRight`: the person confirmed all at once, and nothing else was asked
 */
export const askColumns = async (
  ask: Ask,
  terminal: Terminal,
  proposed: Proposed,
  undecided: ReturnType<typeof undecidedColumns>,
  describing: readonly string[],
): Promise<{ answers: Answers; areRight: boolean }> => {
  const answers: Answers = {};
  const missing = new Set<FieldName>(proposed.missing);
  const needed = undecided.filter(({ field }) => isRequired(field));
  const name = (header: string) => `"${shorten(showText(header), longestHeader)}"`;
  const said = [
    ...needed.map(({ header, field }) => `${name(header)} is the ${sayField(field)}`),
    ...describing.map((header) => `${name(header)} describes the items`),
  ];
  // Usually all are right, so one answer confirms them.
  const question = `${said.join(', ')}. Is all of this right, for all files with this header? If not, each is asked about.`;
  const areRight = needed.length > 1 && (await askYes(ask, question));
  if (areRight) for (const { header, field } of needed) answers[header] = field;
  for (const { header, field, values } of undecided) {
    if (answers[header] !== undefined) continue;
    const examples = shorten(values.map(showText).join(', '), 40);
    const yes = await askYes(ask, `Is ${name(header)} (${examples}) the ${sayField(field)}?`);
    answers[header] = yes ? field : 'ignore';
    if (!yes && isRequired(field)) missing.add(field);
  }
  for (const field of missing) {
    const { choices, left } = choicesOf(proposed.columns, answers);
    if (choices.length === 0) continue;
    terminal.say(`\nWhich column holds the ${sayField(field)}?`);
    terminal.say(drawChoices(terminal, choices));
    if (left > 0)
      sayWrapped(
        terminal,
        `${count(left, 'column')} cannot be chosen, because another column has the same header: give them different headers in the file.`,
      );
    for (;;) {
      const answer = await ask('Its number or header (blank: none of them): ');
      if (answer === '') break;
      const column = findChoice(choices, answer);
      if (column) {
        answers[column.header] = field;
        break;
      }
      terminal.note(`There is no free column "${showText(answer)}".`);
    }
  }
  return { answers, areRight: areRight && undecided.length === needed.length && missing.size === 0 };
};
