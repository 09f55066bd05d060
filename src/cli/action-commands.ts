import type { OperatorAction } from '../placing/operator-actions.ts';

/** The options of these commands. */
export interface ActionOptions {
  account?: string;
  import?: string;
  reason?: string;
  note?: string;
  yes?: boolean;
  url?: string;
}

/** A command for an operator action: its help and its messages. */
export interface ActionCommand {
  name: string;
  action: OperatorAction;
  summary: string;
  description: string;
  example: string;
  /** The text if nothing matched. */
  none: string;
}

export const actionCommands: readonly ActionCommand[] = [
  {
    name: 'release',
    action: 'release',
    summary: 'continue held POs',
    description:
      'Continues held POs. If a guard held the PO, its current numbers are approved; otherwise the PO is looked up again before anything is sent.',
    example: 'cartwright release NS-1004\n  cartwright release --reason price_above --import 12',
    none: 'No matching PO is held.',
  },
  {
    name: 'cancel',
    action: 'cancel',
    summary: 'cancel POs that are not ordered',
    description:
      'Cancels POs that are not ordered and deletes their carts. A PO for which nothing was sent is cancelled at once. Otherwise the wish is recorded, also while a worker processes the PO, and carried out at its next step; if the submission was sent before, the PO is ordered, and an alarm says so. A held PO that may have been ordered is only marked as cancelled: nothing changes at the service.',
    example: 'cartwright cancel NS-1004 --note "dealer called"',
    none: 'No matching PO can be cancelled.',
  },
  {
    name: 'hold',
    action: 'hold',
    summary: 'hold POs before they are submitted',
    description:
      'Holds POs that are in progress, at their next step and before they are submitted. `release` continues them. If the submission of a PO was sent before, it is ordered, and an alarm says so.',
    example: 'cartwright hold NS-1004 --note "dealer asked to wait"',
    none: 'No matching PO is in progress.',
  },
  {
    name: 'retry',
    action: 'retry',
    summary: 'retry failed POs',
    description: 'Starts a new attempt for POs that the service refused.',
    example: 'cartwright retry --import 12',
    none: 'No matching PO has failed.',
  },
  {
    name: 'adopt',
    action: 'adopt',
    summary: 'link the order already at the service to this PO',
    description:
      'Links the order that exists at the service under a held PO’s number to this PO. Compare the two first.',
    example: 'cartwright adopt 4500081',
    none: 'No matching PO is held.',
  },
  {
    name: 'submit-again',
    action: 'submit_again',
    summary: 'resubmit POs whose submission result is unknown',
    description:
      'Starts a new attempt for POs whose submission result is unknown, beginning with a lookup. Use it only after the service’s operator has confirmed that no order exists under these PO numbers.',
    example: 'cartwright submit-again 4500081 --note "confirmed by phone"',
    none: 'No matching PO is held.',
  },
  {
    name: 'settle',
    action: 'settle',
    summary: 'mark failed POs, rejected POs, alarms or refused files as not needed',
    description:
      'Marks POs that failed or were rejected, alarms of POs or, with --import, a file that was refused as not needed. They are still shown, but the console, `status --check`, the metrics and messages no longer count them. A new difference, and a new attempt that fails, raise them again; `unsettle` undoes it.',
    example:
      'cartwright settle 4500081 --note "service sends the rest tomorrow"\n  cartwright settle --import 12 --note "dealer sends a new file"',
    none: 'No matching PO has failed, was rejected or has an alarm, or all of them are settled.',
  },
  {
    name: 'unsettle',
    action: 'unsettle',
    summary: 'undo `settle`',
    description: 'Undoes `settle`: the POs, or the refused file, count as something to do again.',
    example: 'cartwright unsettle 4500081 --note "dealer wants it after all"',
    none: 'No matching PO is settled.',
  },
];
