/** The smallest of 1, 2, 5, 10, 20 … that is at least the highest bar. */
export const roundUp = (top: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, top)));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= top) ?? top;
};
