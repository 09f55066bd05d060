import type { CellAnnotation } from '../../types.ts';
import { columnOf } from './sheet-xml.ts';
import { relationships, smallPart, unescapeText } from './workbook-parts.ts';
import { readXml } from './xml-events.ts';
import type { ZipParts } from './zip-parts.ts';

const longest = 500;

/** The comments on the cells of a sheet, by the numbers of their rows. Those of a conversation are in the same part, as one text each. */
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
        const text = unescapeText(comment).slice(0, longest).toWellFormed();
        const before = found.get(rowNumber) ?? [];
        found.set(rowNumber, [
          ...before,
          { column: columnOf(reference!, rowNumber), kind: 'commented', comment: text },
        ]);
      },
    });
  }
  return found;
};
