import type { PoState } from '../../api/schemas/basics.ts';
import type { ImportOutcome } from '../../api/schemas/imports.ts';
import type { IconName } from './Icon.tsx';

/** The six looks that a state can have; the colours are in styles/tokens.css. */
export type Tone = 'ordered' | 'progress' | 'held' | 'failed' | 'ended' | 'closed';

export interface Look {
  tone: Tone;
  icon: IconName;
  /** On a badge. */
  word: string;
}

export const poLooks: Record<PoState, Look> = {
  ready: { tone: 'progress', icon: 'clock', word: 'Ready' },
  cart_created: { tone: 'progress', icon: 'clock', word: 'Cart created' },
  items_added: { tone: 'progress', icon: 'clock', word: 'Items added' },
  submitting: { tone: 'progress', icon: 'clock', word: 'Submitting' },
  verifying: { tone: 'progress', icon: 'search', word: 'Verifying' },
  held: { tone: 'held', icon: 'pause', word: 'Held' },
  ordered: { tone: 'ordered', icon: 'check', word: 'Ordered' },
  closed: { tone: 'closed', icon: 'lock', word: 'Closed' },
  failed: { tone: 'failed', icon: 'cross', word: 'Failed' },
  rejected: { tone: 'failed', icon: 'alert', word: 'Rejected' },
  cancelled: { tone: 'ended', icon: 'minus', word: 'Cancelled' },
};

/** Failed and rejected POs with which nothing is left to do. */
export const solvedLooks = {
  corrected: { tone: 'ended', icon: 'check', word: 'Corrected' },
  not_needed: { tone: 'ended', icon: 'minus', word: 'Not needed' },
} as const satisfies Record<string, Look>;

export const importLooks: Record<ImportOutcome, Look> = {
  reading: { tone: 'progress', icon: 'clock', word: 'Reading' },
  waiting: { tone: 'held', icon: 'pause', word: 'Waiting for you' },
  placing: { tone: 'progress', icon: 'clock', word: 'Placing' },
  complete: { tone: 'ordered', icon: 'check', word: 'Complete' },
  partly_ordered: { tone: 'held', icon: 'pause', word: 'Partly ordered' },
  held: { tone: 'held', icon: 'pause', word: 'Waiting for you' },
  not_needed: solvedLooks.not_needed,
  nothing_ordered: { tone: 'failed', icon: 'cross', word: 'Nothing ordered' },
  refused: { tone: 'failed', icon: 'alert', word: 'Refused' },
  repeated: { tone: 'ended', icon: 'minus', word: 'Repeated' },
};

/** The groups of states in the order in which bars and filters show them. */
export const stateGroups: { tone: Tone; word: string; icon: IconName; states: PoState[] }[] = [
  { tone: 'ordered', word: 'Ordered', icon: 'check', states: ['ordered'] },
  { tone: 'closed', word: 'Closed', icon: 'lock', states: ['closed'] },
  {
    tone: 'progress',
    word: 'In progress',
    icon: 'clock',
    states: ['ready', 'cart_created', 'items_added', 'submitting', 'verifying'],
  },
  { tone: 'held', word: 'Held', icon: 'pause', states: ['held'] },
  { tone: 'failed', word: 'Failed or rejected', icon: 'cross', states: ['failed', 'rejected'] },
  { tone: 'ended', word: 'Cancelled', icon: 'minus', states: ['cancelled'] },
];
