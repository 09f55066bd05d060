import { fitName } from '../../intake/inbox/file-names.ts';
import { noPurchaseFileEnding, purchaseFileEnding } from '../../intake/purchase-file-ending.ts';
import { ConsoleProblem } from '../problems.ts';

/** Bytes for what makes a name unique and for the ending of a note. */
const reservedBytes = 60;

/** Control characters, surrogates without a partner, and marks that change the direction of text or that nobody sees. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/**
 * The name of an uploaded file without what could lead elsewhere or look like something else: no folders, no control
 * characters or direction marks, no dot at the beginning, short enough for a file system. Pure.
 *
 * @throws ConsoleProblem `not_possible` if it does not end like a purchase file
 */
export const safeFileName = (given: string): string => {
  const last = given.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const shown = last.replace(unseen, '').replace(/\s+/g, ' ').trim();
  const ending = purchaseFileEnding(`x${shown}`);
  if (ending === undefined) {
    throw new ConsoleProblem(
      'not_possible',
      `The name of the file ${noPurchaseFileEnding}. Save it in one of these formats and upload it again.`,
    );
  }
  const at = shown.length - ending.length;
  // Names that begin so are taken for unfinished or hidden files.
  const stem = shown.slice(0, at).replace(/^[\s.~$]+/, '');
  return fitName(stem === '' ? 'upload' : stem, shown.slice(at), reservedBytes);
};
