import { belowPieces, shapes, type ValueKey } from './telling-values.ts';

/** The key of all values of a column that have no answer of their own. Keys of cells never begin with a blank. */
export const anyValue = ' *';

/** Marks a column that describes the items, instead of its values: only a text that says not to order raises a question. */
export const describing = ' describes items';

/** What to do with rows that have a value: order, skip, or ask each time. */
export type Answer = 'order' | 'leave_out' | 'ask';

/** The status of a value: `seen` in the first file, or a person's answer; `pieces 12`: a quantity of 1 means twelve pieces. */
export type KnownValue = 'seen' | Answer | `pieces ${number}`;

/** The known values of a layout's telling columns, by header key. */
export type KnownValues = ReadonlyMap<string, ReadonlyMap<ValueKey, KnownValue>>;

/** A value of a column that may need an answer. */
interface AskedValue {
  key: ValueKey;
  /** The shape of an identifier; otherwise empty. */
  shape: ValueKey;
  isPoNumber: boolean;
  /** It may have been seen without a person looking at it, so only an answer counts. */
  isDoubtful: boolean;
  /** It says not to order something; evaluated lazily because few values need it. */
  saysNotToOrder: () => boolean;
}

/** Column-wide answers that do not apply to a value, by its kind. */
export const notFor = {
  /** It says not to order. */
  stop: ['order'],
  /** Several numbers in one cell. */
  several: ['order', 'leave_out'],
  /** An ordinary number. */
  number: ['leave_out'],
  /** A blank cell below a row that is counted in pieces. */
  blank: ['order', 'leave_out'],
  /** A PO number that withdraws another: skipping the row does not decide about the withdrawn PO. */
  withdrawal: ['order', 'leave_out'],
} as const satisfies Record<string, readonly KnownValue[]>;

/** The kind of value, if column-wide answers may not apply to it. Pure. */
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

/** The known answer for a value of a column; undefined: none. Pure. */
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
