/** One measured figure. Ratios come from one run on one machine; absolute times only describe that machine. */
export interface Figure {
  name: string;
  value: number | string;
  unit?: string;
  /** The target, such as `<= 1.10`. */
  target?: string;
}

const shown = ({ value, unit }: Figure): string =>
  `${typeof value === 'number' ? (Number.isInteger(value) ? value : value.toFixed(2)) : value}${unit ? ` ${unit}` : ''}`;

/** Whether a figure meets its target; undefined if it has none. Text instead of a number never does. */
const keeps = ({ value, target }: Figure): boolean | undefined => {
  const parts = /^(<=|>=|=) ([\d.]+)$/.exec(target ?? '');
  if (!parts) return undefined;
  if (typeof value !== 'number') return false;
  const limit = Number(parts[2]);
  return parts[1] === '<=' ? value <= limit : parts[1] === '>=' ? value >= limit : value === limit;
};

/** Figures as rows of a Markdown table. */
export const figureRows = (figures: readonly Figure[]): string[] =>
  figures.map((figure) => {
    const kept = keeps(figure);
    return `| ${figure.name} | ${shown(figure)} | ${figure.target ?? ''} | ${kept === undefined ? '' : kept ? 'kept' : 'missed'} |`;
  });

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** @param part 0 to 1 */
export const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)]!;
