import { holdReasonOf } from '../../placing/hold-reasons.ts';
import type { OperatorAction } from '../../placing/operator-actions.ts';
import { shellWord } from '../../shell-word.ts';
import { actionCommands } from '../action-commands.ts';
import { showText } from './show-text.ts';

/** Advice for a held PO, if its reason text has none, as with guards, whose text shows numbers. */
export const adviceBeside = (reasonCode: string | undefined): string | undefined => {
  const reason = holdReasonOf(reasonCode);
  return reason?.release === 'approve_numbers' ? reason.advice : undefined;
};

/**
 * The commands for the actions that a PO allows, in the order of the console's buttons.
 * @param importId identifies the PO if another one has the same number
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
