import { shorten } from '../rows/row-issue.ts';
import type { RawRow } from '../types.ts';
import { textKey } from './telling-values.ts';
import type { KnownValues, SeenColumn } from './watch-columns.ts';

/** What a file has besides its lines. */
type OtherKind = 'row' | 'title' | 'sheet';

/** Where a layout keeps what its files have besides their lines. Keys of columns never begin with a blank. */
const columnOf: Record<OtherKind, string> = { row: ' other rows', title: ' titles', sheet: ' sheets' };

/** Whether a column of a layout is none of its files, but what they have besides their lines. Pure. */
export const isOther = (column: string): boolean => Object.values(columnOf).includes(column);

interface Other {
  kind: OtherKind;
  /** Row 14. */
  rowNumber?: number;
  text: string;
}

/** So many texts of a file are kept with its layout, and so many new ones named: the others are asked about in the next file. */
const most = 200;
/** Of a further sheet. */
const mostRows = 50;

const languages = ['en', 'de', 'fr', 'es', 'it', 'nl'];
/** The names of months and days, which are a part of dates. */
const ofDates = new Set(
  languages
    .flatMap((language) =>
      (['long', 'short'] as const).flatMap((width) => {
        const month = new Intl.DateTimeFormat(language, { month: width, timeZone: 'UTC' });
        const day = new Intl.DateTimeFormat(language, { weekday: width, timeZone: 'UTC' });
        const all = Array.from({ length: 12 }, (_, at) => new Date(Date.UTC(2026, at, 1 + at)));
        return all.flatMap((one) => [month.format(one), day.format(one)]);
      }),
    )
    .map((name) => name.toLowerCase().replace('.', '')),
);

/** The same for texts that differ only in numbers and dates. Pure. */
export const otherKey = (text: string): string =>
  textKey(
    text
      .split(/[\s\p{P}\d]+/u)
      .filter((word) => !ofDates.has(word.toLowerCase()))
      .join(' '),
  );

/** A title that is a label with its value (`Hold: No`, `Department | Returns`) or a form's boxes says another value in each file: only its label counts. */
const isLabelled = (filled: readonly string[]): boolean =>
  filled.length !== 1 || /[:=]|\[.?\]|_{2}/.test(filled[0]!);

const say = ({ kind, rowNumber, text }: Other): string => {
  const quoted = JSON.stringify(text);
  if (kind === 'sheet') return `a sheet that is not read says ${quoted}`;
  return kind === 'title'
    ? `row ${rowNumber}, above the table, says ${quoted}`
    : `row ${rowNumber} says ${quoted} and is no line`;
};

/**
 * Watches what a file has besides its lines: rows that are none, titles above the table, further sheets. Memory does not grow with the file.
 *
 * @param isFirst nothing was agreed about the header of the file; `known` is then what other files of its account have
 */
export const createOtherWatch = (known: KnownValues | undefined, isFirst: boolean) => {
  const found = new Map<string, Other & { key: string; rows: number }>();
  const isKnown = (kind: OtherKind, key: string) => known?.get(columnOf[kind])?.has(key) ?? false;
  // Counted apart: what is known must not keep a new text from being seen.
  const counts = { known: 0, fresh: 0 };
  const add = (other: Other) => {
    const key = otherKey(other.text);
    const id = `${other.kind} ${key}`;
    const before = found.get(id);
    const group = isKnown(other.kind, key) ? 'known' : 'fresh';
    if (before) before.rows += 1;
    else if (counts[group] < most) {
      counts[group] += 1;
      found.set(id, { ...other, key, rows: 1, text: shorten(other.text) });
    }
  };
  const filledOf = ({ cells }: RawRow) => cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return {
    addRow: (row: RawRow) => add({ kind: 'row', rowNumber: row.rowNumber, text: filledOf(row).join(' | ') }),
    addTitle: (row: RawRow) => {
      const filled = filledOf(row);
      const [text = ''] = filled;
      add({
        kind: 'title',
        rowNumber: row.rowNumber,
        text: isLabelled(filled) ? text.split(/[:=]/)[0]! : text,
      });
    },
    addSheet: ({ name, rows }: { name: string; rows: readonly RawRow[] }) => {
      const said = rows.slice(0, mostRows).map((row) => filledOf(row).join(' | '));
      add({ kind: 'sheet', text: `${name}: ${said.join('; ')}` });
    },
    /**
     * What no earlier file had, in words.
     *
     * @param isForm texts around the lines are those of a form that the account has configured
     */
    unseen: (isForm: boolean): string[] =>
      [...found.values()].flatMap((other) => {
        if ((isForm && other.kind !== 'sheet') || other.key === '' || (isFirst && other.kind === 'title'))
          return [];
        const isWatched = isFirst || known?.has(columnOf[other.kind]);
        return isWatched && !isKnown(other.kind, other.key) ? [say(other)] : [];
      }),
    /** All of it, to be kept with the layout. */
    seen: (): SeenColumn[] =>
      (Object.keys(columnOf) as OtherKind[]).map((kind) => {
        const values = [...found.values()].filter((other) => other.kind === kind);
        // A blank value says that the layout is watched for it, also where its first file had none.
        return {
          column: columnOf[kind],
          header: '',
          values: [
            { key: '', text: '', rows: 0 },
            ...values.map(({ key, text, rows }) => ({ key, text, rows })),
          ],
        };
      }),
  };
};
