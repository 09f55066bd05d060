import type { PoAction } from '../api-contract/action-words.ts';
import type { AdvisedPlace } from '../api-contract/basics.ts';
import type { ImportDetail } from '../api-contract/imports.ts';
import { canBeReadAgain } from '../intake/needs-another-file.ts';
import type { ShownImport } from '../ledger/console/imports.ts';
import { activeStates } from '../placing/types.ts';
import { adviseOn, adviseOnGroup } from './advised-actions.ts';
import { forNextFile } from './console-words.ts';

type Action = ImportDetail['actions'][number];

const exact = (count: number) => ({ count, more: false });

/** Why an import cannot be read again with another mapping; null: it can. Pure. */
const whyNotReread = ({
  state,
  states,
  reasonCode,
}: Pick<ShownImport, 'state' | 'states' | 'reasonCode'>): string | null => {
  if (state === 'taken') return 'It is being read; wait until it is read or refused.';
  if (state === 'repeated') return 'The same bytes were imported before; read that import again.';
  if (state === 'refused' && !canBeReadAgain(reasonCode))
    return 'No other way of reading it helps. Upload the file again once it is corrected.';
  if (state === 'refused' || state === 'waiting') return null;
  const sent = (states.ordered ?? 0) + (states.closed ?? 0) + (states.failed ?? 0);
  if (sent > 0)
    return `${sent} of its POs are sent to the service already. Send what is left under a new file.`;
  const open = [...activeStates, 'held'].reduce(
    (sum, one) => sum + (states[one as keyof typeof states] ?? 0),
    0,
  );
  return open > 0
    ? `${open} of its POs are not cancelled or rejected. Cancel them first, then read the file again.`
    : null;
};

/** Rewords advice about a file if the file can no longer be read again. Pure. */
export const advisingOn = (one: ShownImport): ((text: string) => string) =>
  whyNotReread(one) === null ? (text) => text : forNextFile;

/**
 * The rank of an action on all held or failed POs of a file: advised only if it is the advice for each of their reasons. If the reasons
 * need different actions, none is advised for all.
 */
const rankOf = (
  action: PoAction,
  { heldFor, quoteOnly, states }: ShownImport,
): Pick<Action, 'rank' | 'why'> => {
  const about =
    action === 'retry'
      ? [adviseOnGroup('failed', null)]
      : action === 'settle'
        ? []
        : heldFor.map(({ reasonCode }) =>
            adviseOn({ state: 'held', reasonCode, quoteOnly, alarm: null, settled: false }),
          );
  const reasons = about.map(({ unlikely }) => unlikely[action]);
  if (about.length > 0 && reasons.every((why) => why !== undefined))
    return { rank: 'unlikely', why: reasons[0]! };
  const isOnlyHeld = action !== 'cancel' || activeStates.every((state) => (states[state] ?? 0) === 0);
  return about.length > 0 && isOnlyHeld && about.every(({ first }) => first[0] === action)
    ? { rank: 'advised', why: null }
    : { rank: 'possible', why: null };
};

/** Where a person follows the advice about a file; null if an action of the file is advised. Pure. */
export const placeForImport = (one: ShownImport): AdvisedPlace | null => {
  const { state, states, reasonCode, settled } = one;
  if (state === 'refused') return settled || canBeReadAgain(reasonCode) ? null : 'upload';
  const notOrdered = (states.failed ?? 0) + (states.rejected ?? 0);
  return notOrdered > 0 && !importActions(one).some(({ rank, possible }) => possible && rank === 'advised')
    ? 'correct'
    : null;
};

const ofFile = (action: Action['action'], label: string): Action => ({
  ...{ action, label, possible: true, rank: 'possible', why: null, count: null },
});

/** For a refused file, settles the file itself; otherwise its POs that still need something. */
const settling = (
  { state, states, settled }: ShownImport,
  some: (action: 'settle', label: string, pos: number, none: string) => Action,
): Action[] => {
  if (state !== 'refused')
    return [
      some(
        'settle',
        'Not needed: what failed or was rejected',
        (states.failed ?? 0) + (states.rejected ?? 0),
        'None of its POs has failed or was rejected, or nothing is left to do about them.',
      ),
    ];
  return settled
    ? [ofFile('unsettle', 'Needed after all')]
    : [ofFile('settle', 'Not needed'), ofFile('assign', 'Assign')];
};

/** The possible actions on an import. Pure. */
export const importActions = (one: ShownImport): Action[] => {
  const { states } = one;
  const reread = whyNotReread(one);
  const count = (...names: (keyof typeof states)[]) =>
    names.reduce((sum, name) => sum + (states[name] ?? 0), 0);
  const some = (action: PoAction & Action['action'], label: string, pos: number, none: string): Action => ({
    action,
    label,
    possible: pos > 0,
    ...(pos > 0 ? rankOf(action, one) : { rank: 'possible', why: none }),
    count: exact(pos),
  });
  const isOver = one.state === 'read' || one.state === 'refused';
  return [
    some('release', 'Release what is held', count('held'), 'None of its POs is held.'),
    some('retry', 'Retry what failed', count('failed'), 'None of its POs has failed.'),
    some(
      'cancel',
      'Cancel what is not ordered',
      count('held', 'ready', 'cart_created', 'items_added'),
      'None of its POs can be cancelled.',
    ),
    ...settling(one, some),
    {
      ...ofFile('reread', one.state === 'waiting' ? 'Say what it means' : 'Read again with another mapping'),
      possible: reread === null,
      rank:
        one.state === 'waiting' || (one.state === 'refused' && !one.settled && reread === null)
          ? 'advised'
          : 'possible',
      why: reread,
    },
    ...(one.state === 'waiting' ? [ofFile('no_order', 'It is no order')] : []),
    {
      ...ofFile('write_report', 'Write the result file now'),
      possible: isOver,
      why: isOver ? null : 'It has no result file of its own.',
    },
  ];
};
