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

/** Whether a figure meets its target; undefined if it has none. */
const keeps = ({ value, target }: Figure): boolean | undefined => {
  const parts = /^(<=|>=|=) ([\d.]+)$/.exec(target ?? '');
  if (!parts || typeof value !== 'number') return undefined;
  const limit = Number(parts[2]);
  return parts[1] === '<=' ? value <= limit : parts[1] === '>=' ? value >= limit : value === limit;
};

/** Figures as rows of a Markdown table. */
export const figureRows = (figures: readonly Figure[]): string[] =>
  figures.map((figure) => {
    const kept = keeps(figure);
    return `| ${figure.name} | ${shown(figure)} | ${figure.target ?? ''} | ${kept === undefined ? '' : kept ? 'kept' : 'missed'} |`;
  });
