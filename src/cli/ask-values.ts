import type { SaidByFile } from '../intake/layout-of-mapping.ts';
import type { KnownValue, KnownValues } from '../intake/layouts/answers.ts';
import { whyNotAnswer } from '../intake/layouts/known-values.ts';
import type { SeenColumn, SeenValue } from '../intake/layouts/seen-column.ts';
import { standsForMany } from '../intake/layouts/telling-values.ts';
import { type Ask, askYes } from './ask-person.ts';
import { count, shorten, showText } from './output/show-text.ts';
import { drawTable, right, wrapping } from './output/table.ts';
import type { Terminal } from './output/terminal.ts';

const longest = 40;

const say = (text: string): string => (text === '' ? 'nothing' : `"${shorten(showText(text), longest)}"`);

/** An answer as typed by a person. */
const wordOf = (answer: KnownValue): string => answer.replace('_', '-');

/** The values of ignored columns and other content of a file; blank: none. */
export const drawSaid = (terminal: Terminal, { unsaid, news }: SaidByFile): string =>
  [
    ...(unsaid.length > 0
      ? [
          terminal.wrap(
            'Columns that are not read, and what they say. Rows can be left out because of it:',
            0,
          ),
          drawTable(
            terminal,
            ['Column', wrapping('Says'), right('Rows')],
            unsaid.flatMap(({ header, values }) =>
              values.map(({ key, text, rows, saysNotToOrder, elsewhere }) => [
                showText(header),
                [
                  standsForMany(key) ? shorten(showText(text), longest) : say(text),
                  ...(saysNotToOrder ? [terminal.paint('red', 'not to be ordered?')] : []),
                  ...(elsewhere
                    ? [`${wordOf(elsewhere.answer)}, as in the layout ${say(elsewhere.layout)}`]
                    : []),
                ].join('\n'),
                rows.toLocaleString('en-US'),
              ]),
            ),
          ),
        ]
      : []),
    ...(news.length > 0
      ? [terminal.wrap(`Besides its lines: ${news.map((one) => showText(one)).join('; ')}.`, 0)]
      : []),
  ].join('\n');

const answerOf = (text: string): KnownValue | undefined => {
  const word = text.toLowerCase().replace('-', '_');
  if (word === 'order' || word === 'leave_out' || word === 'ask') return word;
  return /^pieces [1-9]\d{0,4}$/.test(word) ? (word as KnownValue) : undefined;
};

/** Asks what to do with the rows of one value, until the answer is valid; an empty answer accepts the proposal. */
const askValue = async (
  ask: Ask,
  terminal: Terminal,
  { header, column }: SeenColumn,
  { key, text, rows, elsewhere }: SeenValue,
): Promise<KnownValue> => {
  const proposed = elsewhere ? ` [${wordOf(elsewhere.answer)}]` : '';
  for (;;) {
    const given = await ask(
      `${count(rows, 'row')} in which "${shorten(showText(header), longest)}" says ${standsForMany(key) ? showText(text) : say(text)}: order, leave-out, ask or pieces N?${proposed} `,
    );
    const answer = given.trim() === '' && elsewhere ? elsewhere.answer : answerOf(given);
    const why = answer && whyNotAnswer(column, key, answer);
    if (answer !== undefined && why === undefined) return answer;
    terminal.note(why ? `The value ${why}.` : 'Write order, leave-out, ask, or for example: pieces 12');
  }
};

const sumRows = (values: readonly SeenValue[]): number => values.reduce((sum, { rows }) => sum + rows, 0);

/** The question whether to treat all rows as shown. */
const questionAbout = (values: readonly SeenValue[]): string => {
  const proposed = sumRows(values.filter(({ elsewhere }) => elsewhere));
  const stopped = sumRows(values.filter(({ saysNotToOrder, elsewhere }) => saysNotToOrder && !elsewhere));
  const also = stopped === 0 ? '' : `, also ${count(stopped, 'row')} with a text that says not to`;
  return proposed === 0
    ? `Order all of these rows${also}?`
    : `Do with ${count(proposed, 'row')} as in the other layout, and order the other rows${also}?`;
};

/**
 * Asks what to do with the rows of each value, unless the person accepts the proposal: as in the account's other layouts, otherwise order
 * them.
 *
 * @returns the known values of the file from now on; `isProposed`: the person accepted the whole proposal
 */
export const askValues = async (
  ask: Ask,
  terminal: Terminal,
  said: SaidByFile,
): Promise<{ known: KnownValues; isProposed: boolean }> => {
  const known = knownOfFile(said);
  const isProposed =
    said.unsaid.length === 0 ||
    (await askYes(ask, questionAbout(said.unsaid.flatMap(({ values }) => values))));
  for (const seen of said.unsaid) {
    const { column, values } = seen;
    const of = new Map(known.get(column));
    for (const value of values) {
      if (!isProposed) of.set(value.key, await askValue(ask, terminal, seen, value));
      else if (value.elsewhere) of.set(value.key, value.elsewhere.answer);
    }
    known.set(column, of);
  }
  return { known, isProposed };
};

/** The values with which later files of the layout are compared: all values of this file. Pure. */
export const knownOfFile = ({ seen }: SaidByFile): Map<string, ReadonlyMap<string, KnownValue>> =>
  new Map(
    seen.map(({ column, values }) => [column, new Map(values.map(({ key }) => [key, 'seen' as const]))]),
  );
