import { holdReasonOf } from '../../placing/hold-reasons.ts';
import { shellWord } from '../../shell-word.ts';
import { showText } from './show-text.ts';

/** What to do about a held PO, where its reason text says only why: the text of a guard shows numbers. */
export const adviceBeside = (reasonCode: string | undefined): string | undefined => {
  const reason = holdReasonOf(reasonCode);
  return reason?.release === 'approve_numbers' ? reason.advice : undefined;
};

/**
 * The commands that a text about a held PO advises.
 * @param importId of the PO that is meant, where another PO has its number, too
 */
export const commandsIn = (text: string, poNumber: string, importId?: string): string[] =>
  ['release', 'adopt', 'submit-again', 'cancel']
    .filter((name) => new RegExp(`\\b${name}\\b`, 'i').test(text))
    .map(
      (name) =>
        `cartwright ${name} ${shellWord(showText(poNumber))}${importId === undefined ? '' : ` --import ${importId}`}`,
    );
