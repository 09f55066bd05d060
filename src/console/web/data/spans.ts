/** Time ranges that lists can be limited to. */
export const spans: [value: string, word: string][] = [
  ['1d', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
  ['365d', 'Last year'],
];

/** The time this long ago, rounded to the minute, so that the query stays the same for a while. */
export const timeBefore = (ms: number): string =>
  new Date(Math.floor((Date.now() - ms) / 60_000) * 60_000).toISOString();

/** The start of a span. Other text is passed on unchanged: the API accepts a time and reports anything else. */
export const sinceOf = (span: string | undefined): string | undefined => {
  const days = Number(/^(\d+)d$/.exec(span ?? '')?.[1]);
  return days > 0 ? timeBefore(days * 86_400_000) : span;
};
