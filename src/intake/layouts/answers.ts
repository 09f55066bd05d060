import { maySayNotToOrder } from '../rows/says-not-to-order.ts';
import { shapes, type ValueKey } from './telling-values.ts';

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

/**
 * What is known of a value of a column; undefined: nobody has said what it means. Pure.
 *
 * @param value.shape of an identifier: what it looks like; otherwise empty
 * @param value.isDoubtful it was perhaps seen without anybody looking at it, so only an answer counts
 */
export const answerTo = (
  answers: ReadonlyMap<ValueKey, KnownValue>,
  { key, shape, isDoubtful }: { key: ValueKey; shape: ValueKey; isDoubtful: boolean },
): KnownValue | undefined => {
  const own = answers.get(key);
  const other = answers.get(anyValue);
  // Each number with this shape may be an order, and a person has looked at one of them.
  // Nor did somebody who has every other value ordered mean one that says not to.
  const isUnseen =
    other === 'leave_out' ? shape === shapes.one : other === 'order' && (isDoubtful || maySayNotToOrder(key));
  const any = isUnseen ? undefined : other;
  if (isDoubtful) return own === undefined || own === 'seen' ? any : own;
  return own ?? (shape === '' ? undefined : answers.get(shape)) ?? any;
};
