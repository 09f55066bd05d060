import type { Readable } from 'node:stream';
import type { ColumnShape } from '../../types.ts';

/** Column definitions come before the rows, so the search for them ends after this many characters. */
const longestHead = 1 << 18;

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(tag)?.[1];

const shapeOf = (tag: string): ColumnShape => {
  const width = Number(attribute(tag, 'width'));
  const hidden = attribute(tag, 'hidden');
  return {
    ...(width > 0 && width <= 255 ? { width } : {}),
    ...(hidden === '1' || hidden === 'true' ? { hidden: true } : {}),
  };
};

/**
 * The widths and visibility of a sheet's columns, in order, from the part of its XML above the rows. Missing or broken
 * definitions never refuse a file. Destroys the stream.
 */
export const readColumnShapes = async (xml: Readable, maxColumns: number): Promise<ColumnShape[]> => {
  let head = '';
  try {
    for await (const chunk of xml as AsyncIterable<Buffer>) {
      head += chunk.toString('latin1');
      if (/<(?:[\w.-]+:)?sheetData[\s/>]/.test(head) || head.length > longestHead) break;
    }
  } finally {
    xml.destroy();
  }
  const shapes: ColumnShape[] = [];
  for (const [tag] of head.matchAll(/<(?:[\w.-]+:)?col\s[^>]*>/g)) {
    const first = Number(attribute(tag, 'min'));
    const last = Math.min(Number(attribute(tag, 'max')), maxColumns);
    for (let at = first; at >= 1 && at <= last; at += 1) shapes[at - 1] = shapeOf(tag);
  }
  return Array.from(shapes, (shape) => shape ?? {});
};
