import { itemDescriptions } from './item-texts.ts';
import { remarkKey } from './remarks.ts';
import { addValue, type ColumnValues } from './telling-values.ts';

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
