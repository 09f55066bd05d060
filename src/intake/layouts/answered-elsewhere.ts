import type { KnownValue, KnownValues } from './answers.ts';
import type { AnsweredElsewhere, SeenColumn } from './seen-column.ts';

type Answers = { answers: Set<KnownValue>; layout: string };

/**
 * The columns of a file whose header is new, each value with what people answered about it in the account's files of other headers: other
 * than to order it, and the same wherever it was seen. It is proposed: a person confirms it. Pure.
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
