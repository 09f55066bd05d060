import { belowPieces, shapes, type ValueKey } from './telling-values.ts';

/** The key of all values of a column that have no answer of their own. Keys of cells never begin with a blank. */
export const anyValue = ' *';

/** Instead of the values of a column that describes the items: only a text that says not to order is asked about. */
export const describing = ' describes items';

/** What to do with rows that have a value: order them, skip them, or ask each time. */
export type Answer = 'order' | 'leave_out' | 'ask';

/** What is known of a value: `seen` in the first file, or answered by a person; `pieces 12`: one in the quantity is twelve pieces. */
export type KnownValue = 'seen' | Answer | `pieces ${number}`;

/** The telling columns of a layout with the values that are known, by the key of their header. */
export type KnownValues = ReadonlyMap<string, ReadonlyMap<ValueKey, KnownValue>>;

/** A value of a column. */
interface AskedValue {
  key: ValueKey;
  /** Of an identifier: what it looks like; otherwise empty. */
  shape: ValueKey;
  isPoNumber: boolean;
  /** It was perhaps seen without anybody looking at it, so only an answer counts. */
  isDoubtful: boolean;
  /** It says that something is not to be ordered; few values are ever asked for that. */
  saysNotToOrder: () => boolean;
}

/** Which answers for all other new values of a column do not apply to one, by what it is. */
export const notFor = {
  /** It says not to order. */
  stop: ['order'],
  /** Several numbers in one cell, which are no one order. */
  several: ['order', 'leave_out'],
  /** An ordinary number. */
  number: ['leave_out'],
  /** A blank cell below a row that is counted in pieces. */
  blank: ['order', 'leave_out'],
  /** A PO number that takes one back: who only leaves it out does not say what becomes of the one that is meant. */
  withdrawal: ['order', 'leave_out'],
} as const satisfies Record<string, readonly KnownValue[]>;

/** Why an answer for all other new values of the column may not apply to this one. Pure. */
export const exceptionOf = ({
  key,
  shape,
  isPoNumber,
  saysNotToOrder,
}: AskedValue): keyof typeof notFor | undefined => {
  if (key === belowPieces) return 'blank';
  if (saysNotToOrder()) return isPoNumber ? 'withdrawal' : 'stop';
  if (shape === shapes.several) return 'several';
  return shape === shapes.one ? 'number' : undefined;
};

/** What is known of a value of a column; undefined: nobody has said what it means. Pure. */
export const answerTo = (
  answers: ReadonlyMap<ValueKey, KnownValue>,
  value: AskedValue,
): KnownValue | undefined => {
  const { key, shape, isDoubtful } = value;
  const own = answers.get(key);
  if (own !== undefined && !(isDoubtful && own === 'seen')) return own;
  const likeIt = shape === '' || isDoubtful ? undefined : answers.get(shape);
  if (likeIt !== undefined) return likeIt;
  const any = answers.get(anyValue);
  const exception = any === undefined ? undefined : exceptionOf(value);
  return exception && (notFor[exception] as readonly KnownValue[]).includes(any!) ? undefined : any;
};
