const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const blank = 0x20;

/** Placeholder for an inner quote during parsing: a Unicode noncharacter, which no text contains. */
const mark = '\ufdd0';
const markBytes = Buffer.from(mark);
/** A quote that does not follow a digit is hardly an inch sign. */
const doubtful = new RegExp(`(?:^|[^\\p{N}])${mark}`, 'u');

/**
 * Finds quotes in the middle of a value that is not quoted, such as the inch sign of `Pipe 3/4" steel`. Every spreadsheet program reads
 * them as ordinary characters, but the parser has no mode that allows them and still refuses text after a closing quote. Looks at quotes
 * only, so a chunk without one costs next to nothing.
 *
 * @param delimiter one byte
 */
export const createInnerQuotes = (delimiter: string, spacedQuotes: boolean) => {
  const separator = delimiter.charCodeAt(0);
  let quoted = false;
  /** The previous chunk ended with a quote within a quoted value: it closes the value unless the next byte repeats it. */
  let undecided = false;
  let begins = true;
  let seen = false;

  /** Whether a quote at this position opens a value: only blanks precede it. */
  const opensAt = (chunk: Buffer, at: number): boolean => {
    let before = at - 1;
    while (spacedQuotes && before >= 0 && chunk[before] === blank) before -= 1;
    if (before < 0) return begins;
    const byte = chunk[before];
    return byte === separator || byte === lineFeed || byte === carriageReturn;
  };

  /** The chunk, with a mark in place of each inner quote. */
  const hide = (chunk: Buffer): Buffer => {
    if (chunk.length === 0) return chunk;
    const parts: Buffer[] = [];
    let copied = 0;
    let at = 0;
    if (undecided) {
      undecided = false;
      if (chunk[0] === quote) at = 1;
      else quoted = false;
    }
    for (at = chunk.indexOf(quote, at); at >= 0; at = chunk.indexOf(quote, at)) {
      if (quoted) {
        if (at + 1 === chunk.length) undecided = true;
        else if (chunk[at + 1] === quote) at += 1;
        else quoted = false;
      } else if (opensAt(chunk, at)) quoted = true;
      else {
        parts.push(chunk.subarray(copied, at), markBytes);
        copied = at + 1;
        seen = true;
      }
      at += 1;
    }
    if (!quoted) begins = opensAt(chunk, chunk.length);
    else if (undecided) begins = false;
    return parts.length === 0 ? chunk : Buffer.concat([...parts, chunk.subarray(copied)]);
  };

  return {
    hide,
    /** Restores the quotes of a row. @returns the positions of cells with a quote that is not an inch sign */
    restore: (cells: string[]): number[] => {
      const odd: number[] = [];
      if (!seen) return odd;
      for (const [at, cell] of cells.entries()) {
        if (!cell.includes(mark)) continue;
        if (doubtful.test(cell)) odd.push(at);
        cells[at] = cell.replaceAll(mark, '"');
      }
      return odd;
    },
  };
};
