import type { Figure } from './figures.ts';

/** A section of RESULTS.md: the kind of machine, and the figures by name. */
export interface Recorded {
  machine: string;
  figures: Map<string, number>;
}

/** The machine without version and day: `2 cores (AMD EPYC)`. */
export const machineOf = (text: string): string => /\d+ cores \([^)]*\)/.exec(text)?.[0] ?? '';

/** Reads the figures of a section written by `run.ts`; skips text. Pure. */
export const readRecorded = (section: string): Recorded => ({
  machine: machineOf(section),
  figures: new Map(
    [...section.matchAll(/^\| (.+?) \| (-?[\d.]+)(?: [^|]*)? \|/gm)].map(([, name, value]) => [
      name!,
      Number(value),
    ]),
  ),
});

const moreIsBetter = ({ name, target }: Figure): boolean =>
  target?.startsWith('>=') ?? /\bper second\b|\bordered\b/.test(name);

export interface Compared {
  name: string;
  before: number;
  now: number;
  /** Ratio; above 1 is worse than before. */
  worse: number;
}

/** Compares each figure with the recorded one, worst first. Skips figures that are new, not numbers or 0. Pure. */
export const compareFigures = (figures: readonly Figure[], recorded: Recorded): Compared[] =>
  figures
    .flatMap((figure) => {
      const before = recorded.figures.get(figure.name);
      const now = figure.value;
      if (before === undefined || typeof now !== 'number' || before === 0 || now === 0) return [];
      return { name: figure.name, before, now, worse: moreIsBetter(figure) ? before / now : now / before };
    })
    .sort((a, b) => b.worse - a.worse);

const percent = (worse: number): string =>
  worse >= 1.005
    ? `${((worse - 1) * 100).toFixed(0)} % worse`
    : worse <= 0.995
      ? `${((1 - worse) * 100).toFixed(0)} % better`
      : 'the same';

export const comparedRows = (compared: readonly Compared[]): string[] =>
  compared.map(
    ({ name, before, now, worse }) =>
      `| ${name} | ${before} | ${Number(now.toFixed(2))} | ${percent(worse)} |`,
  );
