/** Times that lists can be limited to. */
export const spans: [value: string, word: string][] = [
  ['1d', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
  ['365d', 'Last year'],
];

/**
 * When a span began, to the whole minute, so that the same page asks the same question for a while. Anything else stays as
 * it is in the address: the console reads a time, and says of other text what is wrong.
 */
export const sinceOf = (span: string | undefined): string | undefined => {
  const days = Number(/^(\d+)d$/.exec(span ?? '')?.[1]);
  if (!(days > 0)) return span;
  return new Date(Math.floor((Date.now() - days * 86_400_000) / 60_000) * 60_000).toISOString();
};
