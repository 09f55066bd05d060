import { describing } from './answers.ts';
import { remarkKey } from './remarks.ts';
import { addValue, type ColumnValues, noValues, type ValueKey } from './telling-values.ts';

/** Fewer items may have different values by chance, as those of a status. */
const fewestItems = 4;
/** Statuses, units and codes are shorter than what describes items. */
const shortestOnAverage = 9;

/** Finds out whether a column has a text of its own for each item, and so describes the items whatever it is called. */
export const createItemTexts = () => {
  const textOf = new Map<string, ValueKey>();
  const texts = new Set<ValueKey>();
  let letters = 0;
  let holds = true;
  let comesAgain = false;
  /** It may: what is said once about each item may also be an instruction for its row, so only a person can say so. */
  const mayDescribe = () => holds && textOf.size >= fewestItems && letters >= shortestOnAverage * textOf.size;
  return {
    /** Must be called for each row until there are many different texts. */
    see: (item: string | undefined, key: ValueKey, cell: string): void => {
      if (!holds) return;
      const before = item === undefined ? '' : textOf.get(item);
      if (before === key && key !== '') {
        comesAgain = true;
        return;
      }
      // A blank one, an item with two texts, two items with one text, or a text about the order.
      holds =
        item !== undefined && key !== '' && before === undefined && !texts.has(key) && remarkKey(cell) === '';
      if (!holds) return;
      textOf.set(item!, key);
      texts.add(key);
      letters += cell.trim().length;
    },
    mayDescribe,
    /** An item that came again had its text again. */
    describes: () => comesAgain && mayDescribe(),
  };
};

/** What is kept of such a column in place of its values. */
export const itemDescriptions = (): ColumnValues => {
  const values = noValues();
  addValue(values, describing, '');
  return values;
};

/** What a column with too many different texts to compare says: only what says not to order counts, whatever else it holds. */
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
    /** Must be called with the values of the rows before, and then `see` for each row. */
    begin: ({ counts, texts }: ColumnValues): void => {
      for (const [value, rows] of counts) see(texts.get(value)!, rows);
    },
    see,
    /** Undefined: nothing says not to order. */
    said: (): ColumnValues | undefined => (said.counts.size > 1 ? said : undefined),
  };
};
