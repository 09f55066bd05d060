const maxLength = 500;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const entryText = (entry: unknown): string | undefined => {
  if (typeof entry !== 'object' || entry === null) return textOf(entry);
  const { field, message, detail } = entry as Record<string, unknown>;
  const words = textOf(message) ?? textOf(detail);
  return words !== undefined && textOf(field) !== undefined ? `${textOf(field)}: ${words}` : words;
};

/**
 * The service's own words about a refusal, as one line for a person: RFC 9457 problems with entries per
 * field, other JSON with a message, or the bare text. At most 500 characters.
 */
export const readProblem = (status: number, body: string): string => {
  let words: string | undefined;
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === 'object' && parsed !== null) {
      const { title, detail, message, error, errors } = parsed as Record<string, unknown>;
      const entries = Array.isArray(errors)
        ? errors.map(entryText).filter((entry) => entry !== undefined)
        : [];
      const head = textOf(detail) ?? textOf(message) ?? textOf(error) ?? textOf(title);
      words = [head, ...entries].filter((part) => part !== undefined).join('; ');
    }
    words ||= textOf(parsed) ?? body;
  } catch {
    words = body;
  }
  const line = words
    .replace(/[\s\0]+/g, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed();
  return line === '' ? `answered ${status}` : `answered ${status}: ${line}`;
};
