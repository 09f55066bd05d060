/** `3 ordered, 1 held` in the order given, without what there is none of. Pure. */
export const sayCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`]))
    .join(', ') || 'nothing to order';
