import type { PoState } from '../../api/schemas/basics.ts';
import type { ImportOutcome } from '../../api/schemas/imports.ts';
import { Icon } from './Icon.tsx';
import css from './StateBadge.module.css';
import { importLooks, type Look, poLooks } from './tones.ts';

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
}

/** Quotes are never ordered, so their finished state has the colour and word of a quote. */
export const PoBadge = ({ state, quoteOnly = false, cancelling = false, holding = false }: PoBadgeProps) => {
  const look = poLooks[state];
  if (cancelling && state !== 'cancelled') {
    return <Badge look={{ tone: 'progress', icon: 'clock', word: 'Cancelling' }} />;
  }
  if (holding && !cancelling) return <Badge look={{ tone: 'progress', icon: 'clock', word: 'Holding' }} />;
  if (quoteOnly && state === 'cancelled') return <Badge look={{ ...look, icon: 'info', word: 'Quote' }} />;
  return <Badge look={look} word={quoteOnly ? `${look.word} (quote)` : look.word} />;
};

export const ImportBadge = ({ outcome }: { outcome: ImportOutcome }) => <Badge look={importLooks[outcome]} />;
