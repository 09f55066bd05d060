import type { PoState } from '../../api/schemas/basics.ts';
import type { ImportOutcome } from '../../api/schemas/imports.ts';
import { Icon } from './Icon.tsx';
import css from './StateBadge.module.css';
import { importLooks, type Look, poLooks, solvedLooks } from './tones.ts';

/** A state as colour, icon and word. */
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
  /** A person has said that it is not needed. */
  settled?: boolean;
}

/**
 * Quotes are never ordered, so their finished state has the colour and word of a quote. What failed or was rejected is grey when nothing
 * is left to do.
 */
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
