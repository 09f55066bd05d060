import type { KnownValue, KnownValues } from './answers.ts';
import type { AnsweredElsewhere, SeenColumn } from './seen-column.ts';

type Answers = { answers: Set<KnownValue>; layout: string };

/**
 * Adds to the columns of a file with a new header the answers that people gave to the same values under other headers of the account, if
 * they are unanimous and not "order". Only proposals, which a person confirms. Pure.
 */
export const withAnsweredElsewhere = (
  columns: readonly SeenColumn[],
  layouts: readonly { name: string; known?: KnownValues }[],
): SeenColumn[] => {
  const found = new Map<string, Answers>();
  for (const { name, known } of layouts)
    for (const [column, values] of known ?? [])
      for (const [key, answer] of values) {
        const at = `${column}\n${key}`;
        const { answers, layout } = found.get(at) ?? { answers: new Set(), layout: name };
        found.set(at, { answers: answers.add(answer), layout });
      }
  const proposed = (at: string): { elsewhere?: AnsweredElsewhere } => {
    const { answers = [], layout = '' } = found.get(at) ?? {};
    const [answer, ...others] = answers;
    return answer === undefined || answer === 'seen' || answer === 'order' || others.length > 0
      ? {}
      : { elsewhere: { answer, layout } };
  };
  return columns.map((one) => ({
    ...one,
    values: one.values.map((value) => ({ ...value, ...proposed(`${one.column}\n${value.key}`) })),
  }));
};
