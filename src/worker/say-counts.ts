/** `3 ordered, 1 held`, in the given order and without zeros. Pure. */
export const sayCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`]))
    .join(', ') || 'nothing to order';
