import { describing } from './answers.ts';
import { remarkKey } from './remarks.ts';
import { addValue, type ColumnValues, noValues, type ValueKey } from './telling-values.ts';

/** With fewer items, values such as statuses may differ by chance. */
const fewestItems = 4;
/** Statuses, units and codes are shorter than descriptions of items. */
const shortestOnAverage = 9;

/** Detects whether a column has one text per item and so describes the items, whatever its name. */
export const createItemTexts = () => {
  const textOf = new Map<string, ValueKey>();
  const texts = new Set<ValueKey>();
  let letters = 0;
  let holds = true;
  let comesAgain = false;
  /** Only a possibility: a text that occurs once per item may also be an instruction for its row, so a person must confirm. */
  const mayDescribe = () => holds && textOf.size >= fewestItems && letters >= shortestOnAverage * textOf.size;
  return {
    /** Call for each row until there are too many different texts. */
    see: (item: string | undefined, key: ValueKey, cell: string): void => {
      if (!holds) return;
      const before = item === undefined ? '' : textOf.get(item);
      if (before === key && key !== '') {
        comesAgain = true;
        return;
      }
      // Refuted by a blank cell, an item with two texts, two items with one text, or a text about the order.
      holds =
        item !== undefined && key !== '' && before === undefined && !texts.has(key) && remarkKey(cell) === '';
      if (!holds) return;
      textOf.set(item!, key);
      texts.add(key);
      letters += cell.trim().length;
    },
    mayDescribe,
    /** Repeated items had the same text each time. */
    describes: () => comesAgain && mayDescribe(),
  };
};

/** The value stored for such a column instead of its texts. */
export const itemDescriptions = (): ColumnValues => {
  const values = noValues();
  addValue(values, describing, '');
  return values;
};

/** Watches a column with too many different texts to compare: only texts that say not to order count. */
export const createFreeTexts = () => {
  const said = itemDescriptions();
  let last = '';
  let key = '';
  const see = (cell: string, rows = 1): void => {
    if (cell !== last) key = remarkKey(cell);
    last = cell;
    for (let row = 0; row < rows && key !== ''; row += 1) addValue(said, key, cell);
  };
  return {
    /** Call with the values of the previous rows, then `see` for each row. */
    begin: ({ counts, texts }: ColumnValues): void => {
      for (const [value, rows] of counts) see(texts.get(value)!, rows);
    },
    see,
    /** Undefined: no text says not to order. */
    said: (): ColumnValues | undefined => (said.counts.size > 1 ? said : undefined),
  };
};
