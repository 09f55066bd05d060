/** Times that lists can be limited to. */
export const spans: [value: string, word: string][] = [
  ['1d', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
  ['365d', 'Last year'],
];

/** So long ago, to the whole minute, so that the same page asks the same question for a while. */
export const timeBefore = (ms: number): string =>
  new Date(Math.floor((Date.now() - ms) / 60_000) * 60_000).toISOString();

/**
 * When a span began. Anything else stays as
 * it is in the address: the console reads a time, and says of other text what is wrong.
 */
export const sinceOf = (span: string | undefined): string | undefined => {
  const days = Number(/^(\d+)d$/.exec(span ?? '')?.[1]);
  return days > 0 ? timeBefore(days * 86_400_000) : span;
};
