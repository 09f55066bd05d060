import type { SaidByFile } from '../intake/layout-of-mapping.ts';
import type { KnownValue, KnownValues } from '../intake/layouts/answers.ts';
import { whyNotAnswer } from '../intake/layouts/known-values.ts';
import { standsForMany } from '../intake/layouts/telling-values.ts';
import { type Ask, askYes } from './ask-person.ts';
import { count, shorten, showText } from './output/show-text.ts';
import { drawTable } from './output/table.ts';
import type { Terminal } from './output/terminal.ts';

const longest = 40;

const say = (text: string): string => (text === '' ? 'nothing' : `"${shorten(showText(text), longest)}"`);

/** What a file says in columns that are not read, and what it has besides its lines; blank: nothing. */
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
            [{ head: 'Column' }, { head: 'Says', wraps: true }, { head: 'Rows', align: 'right' }],
            unsaid.flatMap(({ header, values }) =>
              values.map(({ key, text, rows, saysNotToOrder }) => [
                showText(header),
                `${standsForMany(key) ? shorten(showText(text), longest) : say(text)}${saysNotToOrder ? terminal.paint('red', '\nnot to be ordered?') : ''}`,
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

/**
 * Asks a person what to do with the rows of each value, if not all of them are to be ordered.
 *
 * @returns what is known of the file's values from now on; `ordersAll`: the rows of each are ordered
 */
export const askValues = async (
  ask: Ask,
  terminal: Terminal,
  said: SaidByFile,
): Promise<{ known: KnownValues; ordersAll: boolean }> => {
  const known = knownOfFile(said);
  const stops = said.unsaid.flatMap(({ values }) => values.filter(({ saysNotToOrder }) => saysNotToOrder));
  const stopped = stops.reduce((sum, { rows }) => sum + rows, 0);
  const also = stopped === 0 ? '' : `, also ${count(stopped, 'row')} with a text that says not to`;
  if (said.unsaid.length === 0 || (await askYes(ask, `Order all of these rows${also}?`)))
    return { known, ordersAll: true };
  for (const { column, header, values } of said.unsaid) {
    const of = new Map(known.get(column));
    for (const { key, text, rows } of values) {
      let answer: KnownValue | undefined;
      while (answer === undefined) {
        const given = answerOf(
          await ask(
            `${count(rows, 'row')} in which "${shorten(showText(header), longest)}" says ${say(text)}: order, leave-out, ask or pieces N? `,
          ),
        );
        const why = given && whyNotAnswer(key, given);
        if (given !== undefined && why === undefined) answer = given;
        else
          terminal.note(why ? `The value ${why}.` : 'Write order, leave-out, ask, or for example: pieces 12');
      }
      of.set(key, answer);
    }
    known.set(column, of);
  }
  return { known, ordersAll: false };
};

/** What later files of the layout are compared with: all values that this file has. Pure. */
export const knownOfFile = ({ seen }: SaidByFile): Map<string, ReadonlyMap<string, KnownValue>> =>
  new Map(
    seen.map(({ column, values }) => [column, new Map(values.map(({ key }) => [key, 'seen' as const]))]),
  );
