import type { Figure } from './figures.ts';

/** A section of RESULTS.md: on which kind of machine it was measured, and its figures by name. */
export interface Recorded {
  machine: string;
  figures: Map<string, number>;
}

/** Without version and day: `2 cores (AMD EPYC)`. */
export const machineOf = (text: string): string => /\d+ cores \([^)]*\)/.exec(text)?.[0] ?? '';

/** The figures of a section as `run.ts` writes it; those that are not numbers are skipped. Pure. */
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
  /** Above 1: worse than before. */
  worse: number;
}

/** Each figure beside the recorded one, worst first. Figures that are new, not numbers or 0 are skipped. Pure. */
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
