import { holdReasonOf } from '../../placing/hold-reasons.ts';
import type { OperatorAction } from '../../placing/operator-actions.ts';
import { shellWord } from '../../shell-word.ts';
import { actionCommands } from '../action-commands.ts';
import { showText } from './show-text.ts';

/** What to do about a held PO, where its reason text says only why: the text of a guard shows numbers. */
export const adviceBeside = (reasonCode: string | undefined): string | undefined => {
  const reason = holdReasonOf(reasonCode);
  return reason?.release === 'approve_numbers' ? reason.advice : undefined;
};

/**
 * The commands for what a PO allows, in the order of its buttons.
 * @param importId of the PO that is meant, where another PO has its number, too
 */
export const commandsFor = (
  actions: readonly OperatorAction[],
  poNumber: string,
  importId?: string,
): string[] =>
  actions
    .flatMap((action) => actionCommands.filter((command) => command.action === action))
    .map(
      ({ name }) =>
        `cartwright ${name} ${shellWord(showText(poNumber))}${importId === undefined ? '' : ` --import ${importId}`}`,
    );
