import type { PoState } from '../../../api-contract/basics.ts';
import type { ImportOutcome } from '../../../api-contract/imports.ts';
import { Icon, type IconName } from './Icon.tsx';
import css from './StateBadge.module.css';
import { visibleText } from './text.tsx';

/** The six looks of states; the colours are in styles/tokens.css. */
export type Tone = 'ordered' | 'progress' | 'held' | 'failed' | 'ended' | 'closed';

export interface Look {
  tone: Tone;
  icon: IconName;
  /** Text of a badge. */
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

/** Failed and rejected POs that need nothing more. */
export const solvedLooks = {
  corrected: { tone: 'ended', icon: 'check', word: 'Corrected' },
  not_needed: { tone: 'ended', icon: 'minus', word: 'Not needed' },
} as const satisfies Record<string, Look>;

const importLooks: Record<ImportOutcome, Look> = {
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

/** The groups of states, in the order of bars and filters. */
export const stateGroups: (Pick<Look, 'tone' | 'word'> & { states: PoState[] })[] = [
  { ...poLooks.ordered, states: ['ordered'] },
  { ...poLooks.closed, states: ['closed'] },
  {
    ...{ tone: 'progress', word: 'In progress' },
    states: ['ready', 'cart_created', 'items_added', 'submitting', 'verifying'],
  },
  { ...poLooks.held, states: ['held'] },
  { ...poLooks.failed, word: 'Failed or rejected', states: ['failed', 'rejected'] },
  { ...poLooks.cancelled, states: ['cancelled'] },
];

/** A state as a badge with colour, icon and word. */
export const Badge = ({ look, word = look.word }: { look: Look; word?: string }) => (
  <span className={`${css.badge} tone-${look.tone}`}>
    <Icon name={look.icon} size={13} />
    {word}
  </span>
);

interface PoBadgeProps {
  state: PoState;
  quoteOnly?: boolean;
  cancelling?: boolean;
  holding?: boolean;
  reasonCode?: string | null;
  /** A person marked it as not needed. */
  settled?: boolean;
}

/** Quotes are never ordered, so a completed one has its own colour and word. Failed and rejected POs that need nothing more are grey. */
export const PoBadge = (po: PoBadgeProps) => {
  const { state, quoteOnly = false, cancelling = false, holding = false, reasonCode, settled = false } = po;
  const look = poLooks[state];
  if (state === 'failed' || state === 'rejected') {
    const solved = reasonCode === 'corrected' ? 'corrected' : settled ? 'not_needed' : null;
    if (solved !== null)
      return (
        <Badge look={solvedLooks[solved]} word={`${look.word}, ${solvedLooks[solved].word.toLowerCase()}`} />
      );
  }
  if (cancelling && state !== 'cancelled') {
    return <Badge look={{ tone: 'progress', icon: 'clock', word: 'Cancelling' }} />;
  }
  if (holding && !cancelling) return <Badge look={{ tone: 'progress', icon: 'clock', word: 'Holding' }} />;
  if (quoteOnly && state === 'cancelled') return <Badge look={{ ...look, icon: 'info', word: 'Quote' }} />;
  return <Badge look={look} word={quoteOnly ? `${look.word} (quote)` : look.word} />;
};

export const ImportBadge = ({ outcome }: { outcome: ImportOutcome }) => <Badge look={importLooks[outcome]} />;

/** The looks of the statuses in the interface; the service may return others. */
const looks: Record<string, Omit<Look, 'word'>> = {
  'In O/E': { tone: 'progress', icon: 'clock' },
  Picking: { tone: 'progress', icon: 'clock' },
  Checking: { tone: 'progress', icon: 'search' },
  'B/O': { tone: 'held', icon: 'pause' },
  Shipped: { tone: 'ordered', icon: 'check' },
  Invoiced: { tone: 'closed', icon: 'check' },
};
const unknown: Omit<Look, 'word'> = { tone: 'ended', icon: 'info' };

interface OrderBadgeProps {
  /** The service's status; null: no status check has shown the order yet. */
  status: string | null;
  meaning: string | null;
}

/** The status of an order, with its meaning as tooltip. */
export const OrderBadge = ({ status, meaning }: OrderBadgeProps) => (
  <span title={meaning ?? undefined}>
    <Badge
      look={{
        ...((status !== null && Object.hasOwn(looks, status) && looks[status]) || unknown),
        word: status === null ? 'Not shown yet' : visibleText(status.slice(0, 40)),
      }}
    />
  </span>
);
