import { cartOptionNames, optionsText } from '../columns/fields.ts';
import type { CartOptionValues } from '../types.ts';

/** Merges the options of a heading row into the item row below it. `differs` names an option that has two values. Pure. */
export const mergeOptions = (
  above: string,
  own: string,
): { options: string; differs: string | undefined } => {
  const first = JSON.parse(above) as CartOptionValues;
  const second = JSON.parse(own) as CartOptionValues;
  return {
    options: optionsText({ ...first, ...second }),
    differs: cartOptionNames.find(
      (name) => first[name] !== undefined && second[name] !== undefined && first[name] !== second[name],
    ),
  };
};
