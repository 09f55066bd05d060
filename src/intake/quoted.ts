/** A text of a file in quotes, shortened so that it does not drown the sentence around it. Pure. */
export const quoted = (text: string): string => `"${text.slice(0, 40)}"`;

/** The first few of a list and the number of the others: `a, b and 3 more`. Pure. */
export const listed = (parts: readonly string[], most: number): string => {
  const more = parts.length - most;
  return `${parts.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};
