import type { PoColumn } from './write.ts';

interface Change {
  /** Who makes it. */
  who: string;
  /** What must still be true of the PO, checked in the same statement. */
  guard: string;
  /** The change of state; undefined: none. */
  states?: string;
  /** The columns that it may set, besides derived ones (`changed_at`, the backlog of a PO without a next step). */
  sets: readonly PoColumn[];
}

const lease = ['lease_owner', 'lease_until'] as const;
const shownByPlacing = ['state', 'reason_code', 'reason_text', 'epoch', 'cancelling', 'holding'] as const;
const orderedBy = ['alarm', 'alarm_code', 'ordered_at'] as const;

/**
 * All changes of a PO in the ledger: who makes them and which columns they may set. Building a statement that sets another column throws;
 * docs/rules.md shows this table.
 */
export const changes = {
  take: {
    who: 'a worker, when its job runs',
    guard:
      'state, account; it is due, no worker has it, its account is not paused, no quote of its number is in progress',
    sets: [...lease, 'run', 'dispatch'],
  },
  'keep or give back the lease': {
    who: 'the worker that has it',
    guard: 'lease owner; a lease that has ended is not renewed',
    sets: lease,
  },
  'begin a step': {
    who: 'the worker that has it',
    guard: 'lease owner, epoch, state; no wish of a person and no pause that the worker does not know of',
    states: 'items_added → submitting',
    sets: ['state', 'baseline'],
  },
  'end a step': {
    who: 'the worker that has it',
    guard:
      'lease owner, epoch, state; the call that follows at once begins with it, unless a person has asked for something or paused',
    states: 'as the rules decide',
    sets: [
      'baseline',
      ...lease,
      ...shownByPlacing,
      ...orderedBy,
      'cart_epoch',
      'cart_number',
      'rebuilds',
      'lookups',
      'failures',
      'failing_since',
      'next_at',
      'dispatch',
    ],
  },
  act: {
    who: 'a person: release, retry, adopt, submit again; cancel and hold where no worker has it',
    guard: 'state, run; no worker has it',
    states: 'held, failed, rejected or in progress → ready, items_added, verifying, held or cancelled',
    sets: [
      ...shownByPlacing,
      'approvals',
      'rebuilds',
      'lookups',
      'failures',
      'failing_since',
      'alarm',
      'alarm_code',
      'next_at',
      'run',
      'dispatch',
    ],
  },
  wish: {
    who: 'a person: cancel or hold, at any time',
    guard: 'it has a next step',
    sets: ['cancelling', 'holding', 'run', 'dispatch', 'next_at'],
  },
  settle: {
    who: 'a person who says that it is not needed, or takes that back',
    guard: 'the alarm is the one that the person read; failed or rejected: it has not been tried again',
    sets: ['alarm_settled_at'],
  },
  'asked again': {
    who: 'a later file that has it as it is',
    guard: 'failed, and a person has said that it is not needed',
    sets: ['alarm_settled_at'],
  },
  'read again': {
    who: 'a person who has its file read again',
    guard: 'nothing was sent for any PO of the file',
    states: 'ready or held → cancelled',
    sets: ['state', 'holding', 'reason_code', 'reason_text', 'run'],
  },
  'comes again': {
    who: 'a later file that has it with a new value, in a row that is skipped, or with an issue',
    guard: 'not submitted; its own file did not say the same',
    states:
      'ready, cart_created or items_added → held, at once or by the worker that has it; held, with what the later file says',
    sets: ['state', 'holding', 'reason_code', 'reason_text', 'run', 'dispatch'],
  },
  answer: {
    who: 'a person who says what a value of its file means',
    guard: 'held for questions, all of which are answered; no worker has it',
    states: 'held → ready; rejected, or cancelled where no row is left',
    sets: [
      'state',
      'reason_code',
      'reason_text',
      'run',
      'first_row',
      'line_count',
      'options',
      'content_hash',
      'file_hash',
    ],
  },
  resume: {
    who: 'a person who resumes the account',
    guard: 'it has a next step, and no worker has it',
    sets: ['run', 'dispatch'],
  },
  'new run': {
    who: 'a job that could not take it; the sweep, when it is late or its lease is over; a worker that takes over',
    guard: 'it has a next step, and no worker has it, or only a dead one',
    sets: [...lease, 'run', 'dispatch', 'next_at', 'stalled_since'],
  },
  window: {
    who: 'any process that fills the window of its account',
    guard: 'it has a next step and is in the backlog',
    sets: ['dispatch', 'next_at'],
  },
  'end a quote': {
    who: 'an order of its PO number: a file, or a person who releases it',
    guard: 'it is a held quote',
    states: 'held → ready, to delete its cart',
    sets: ['state', 'cancelling', 'reason_code', 'reason_text', 'run', 'dispatch', 'next_at'],
  },
  'look up': { who: 'a poll', guard: 'ordered', sets: ['looked_up_at'] },
  compare: {
    who: 'a poll that shows another order, or none',
    guard: 'ordered or closed',
    sets: ['quantities_checked', 'alarm'],
  },
  adopt: {
    who: 'a poll that shows the order of a PO that was submitted',
    guard: 'held, epoch',
    states: 'held → ordered',
    sets: [...shownByPlacing, ...orderedBy, 'quantities_checked'],
  },
  close: {
    who: 'a poll',
    guard: 'ordered; every order is final, or nothing has changed for long',
    states: 'ordered → closed',
    sets: ['state', 'closed_at'],
  },
  reopen: {
    who: 'a poll, or a person who has its orders refreshed',
    guard: 'closed; an order has changed since, and its status is not final',
    states: 'closed → ordered',
    sets: ['state', 'closed_at'],
  },
  'file grew': {
    who: 'the check of files that were picked up',
    guard: 'submitted, or held after a submission',
    sets: ['alarm'],
  },
  corrected: {
    who: 'a later file that has the PO without the issue',
    guard: 'rejected or failed',
    sets: ['reason_code', 'reason_text'],
  },
  'rows removed': {
    who: 'the removal of what is old',
    guard: 'failed, and its import is over',
    sets: ['run'],
  },
} as const satisfies Record<string, Change>;

export type ChangeName = keyof typeof changes;

/** @throws Error if the change may not set one of these columns: a mistake in the program */
export const assertMaySet = (by: ChangeName, columns: readonly PoColumn[]): void => {
  const { sets }: Change = changes[by];
  const refused = columns.filter((column) => !sets.includes(column));
  if (refused.length > 0) throw new Error(`The change "${by}" may not set ${refused.join(', ')}.`);
};
