import type { CellAnnotation } from '../../types.ts';
import { columnOf } from './sheet-xml.ts';
import { relationships, smallPart, unescapeText } from './workbook-parts.ts';
import { readXml } from './xml-events.ts';
import type { ZipParts } from './zip-parts.ts';

const longest = 500;

/** What the comment on a cell says, cut where it is long. Pure. */
export const commentOn = (column: number, comment: string): CellAnnotation => ({
  column,
  kind: 'commented',
  comment: comment.slice(0, longest).toWellFormed(),
});

/** The comments on the cells of a sheet of an XLSX workbook, by the numbers of their rows. Those of a conversation are in the same part, as one text each. */
export const readComments = async (
  zip: ZipParts,
  sheet: string,
): Promise<ReadonlyMap<number, CellAnnotation[]>> => {
  const found = new Map<number, CellAnnotation[]>();
  for (const { type, target } of (await relationships(zip, sheet)).values()) {
    if (type !== 'comments' || !zip.has(target)) continue;
    let reference: string | undefined;
    let isText = false;
    let comment = '';
    readXml(target, await zip.text(target, smallPart), {
      open: (name, { ref }) => {
        if (name === 'comment') [reference, comment] = [ref, ''];
        isText = name === 't';
      },
      text: (more) => {
        if (isText && comment.length < longest) comment += more;
      },
      close: (name) => {
        isText = false;
        const rowNumber = Number(/\d+$/.exec(reference ?? '')?.[0]);
        if (name !== 'comment' || !rowNumber) return;
        const before = found.get(rowNumber) ?? [];
        const here = commentOn(columnOf(reference!, rowNumber), unescapeText(comment));
        found.set(rowNumber, [...before, here]);
      },
    });
  }
  return found;
};
