import type { ShownImport } from '../ledger/console/imports.ts';
import { activeStates } from '../placing/types.ts';
import type { ImportDetail } from './api/schemas/imports.ts';

type Action = ImportDetail['actions'][number];

const exact = (count: number) => ({ count, more: false });

/** Why an import cannot be read again with another mapping; null: it can. Pure. */
const whyNotReread = ({ state, states }: Pick<ShownImport, 'state' | 'states'>): string | null => {
  if (state === 'taken') return 'It is being read; wait until it is read or refused.';
  if (state === 'repeated') return 'The same bytes were imported before; read that import again.';
  if (state === 'refused' || state === 'waiting') return null;
  const sent = (states.ordered ?? 0) + (states.closed ?? 0);
  if (sent > 0) return `${sent} of its POs are ordered already. Send what is left under a new file.`;
  const open = [...activeStates, 'held', 'failed'].reduce(
    (sum, one) => sum + (states[one as keyof typeof states] ?? 0),
    0,
  );
  return open > 0
    ? `${open} of its POs are not cancelled or rejected. Cancel them first, then read the file again.`
    : null;
};

/** What a person can do with an import. Pure. */
export const importActions = (one: ShownImport): Action[] => {
  const { states } = one;
  const reread = whyNotReread(one);
  const count = (...names: (keyof typeof states)[]) =>
    names.reduce((sum, name) => sum + (states[name] ?? 0), 0);
  const some = (action: Action['action'], label: string, pos: number, none: string): Action => ({
    action,
    label,
    possible: pos > 0,
    why: pos > 0 ? null : none,
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
    {
      action: 'reread',
      label: one.state === 'waiting' ? 'Say what it means' : 'Read again with another mapping',
      possible: reread === null,
      why: reread,
      count: null,
    },
    ...(one.state === 'waiting'
      ? [{ action: 'no_order' as const, label: 'It is no order', possible: true, why: null, count: null }]
      : []),
    {
      action: 'write_report',
      label: 'Write the result file now',
      possible: isOver,
      why: isOver ? null : 'It has no result file of its own.',
      count: null,
    },
  ];
};
