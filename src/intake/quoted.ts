/** A text of a file in quotes, so short that it hides no sentence around it. Pure. */
export const quoted = (text: string): string => `"${text.slice(0, 40)}"`;

/** The first few of a list, and how many there are besides: `a, b and 3 more`. Pure. */
export const listed = (parts: readonly string[], most: number): string => {
  const more = parts.length - most;
  return `${parts.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};
