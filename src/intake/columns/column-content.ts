import { cleanCell } from '../rows/clean-cell.ts';
import { pieceCount } from '../rows/piece-count.ts';
import { isDate } from './date-text.ts';

/** Statistics about the values of a column. Numbers without a unit are shares of its filled cells, from 0 to 1. */
export interface ColumnContent {
  /** The cleaned cells, in order; a blank one is ''. */
  cells: string[];
  filled: number;
  values: number;
  distinct: number;
  /** Number of runs of equal adjacent values; a value that recurs later begins a new run. */
  runs: number;
  /** Whole numbers of at least 1, also `2.0` and `12 ST`. */
  counts: number;
  decimals: number;
  dates: number;
  /** Includes those with the name of a month. */
  datesInWords: number;
  /** Has a digit and no space, or only capitals: B-4711, 00501, BLKBOOTL. */
  codes: number;
  /** Two words or more of small letters: a name or a text. */
  texts: number;
  digits: number;
  longest: number;
  shortest: number;
  /** Increases by 1 or 10 per row, possibly restarting from a small number: a line number. */
  steps: boolean;
}

const date = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:$|[ T])/;
const code = /^(?=[^\p{Ll}]*$|.*\d)[^\s]{1,40}$/u;
const otherWords = /\p{Script=Han}{3}|[\u3040-\u30ff]{3}|[\uac00-\ud7af]{2}/u;
const isText = (value: string): boolean =>
  (/\s/.test(value) && /\p{Ll}{2}/u.test(value)) || otherWords.test(value);

/** Longer values are texts anyway, and hostile ones must not cost time. */
const judgedLength = 200;

const areSteps = (numbers: readonly number[]): boolean => {
  if (numbers.length < 2 || numbers.some((number) => !Number.isInteger(number))) return false;
  const first = numbers[0]!;
  if (first > 10 || ![0, 1, 10].includes(first)) return false;
  const step = first === 10 ? 10 : 1;
  let rises = 0;
  for (let at = 1; at < numbers.length; at += 1) {
    if (numbers[at]! - numbers[at - 1]! === step) rises += 1;
    else if (numbers[at] !== first) return false;
  }
  return rises > 0;
};

/** Describes a column by its cells. Pure. */
export const describeContent = (raw: readonly string[]): ColumnContent => {
  const cells = raw.map((cell) => cleanCell(cell.slice(0, judgedLength), 'identifier').text);
  const values = cells.filter((cell) => cell !== '');
  const share = (test: (value: string) => boolean) => values.filter(test).length / Math.max(1, values.length);
  return {
    cells,
    filled: values.length / Math.max(1, cells.length),
    values: values.length,
    distinct: new Set(values).size,
    runs: values.filter((value, at) => at === 0 || value !== values[at - 1]).length,
    counts: share((value) => (pieceCount(value) ?? 0) > 0),
    decimals: share((value) => /^[-+$€£]?\d*[.,]\d+$/.test(value) && pieceCount(value) === undefined),
    dates: share((value) => date.test(value)),
    datesInWords: share(isDate),
    codes: share((value) => code.test(value) && !date.test(value)),
    texts: share(isText),
    digits: share((value) => /\d/.test(value)),
    longest: Math.max(0, ...values.map((value) => value.length)),
    shortest: Math.min(...values.map((value) => value.length)),
    steps: areSteps(values.map(Number)),
  };
};
