import type { StateCounts } from '../../../api-contract/basics.ts';
import { formatBounded, formatCount } from '../data/format.ts';
import { solvedLooks, stateGroups } from './badges.tsx';
import css from './StateBar.module.css';
import { dash } from './text.tsx';

const groups = [
  ...stateGroups,
  // Not a separate state: a quote ends when it has its prices.
  { tone: 'ended', word: 'Quoted', states: ['quoted'] },
  { ...solvedLooks.corrected, states: ['corrected'] },
  { ...solvedLooks.not_needed, states: ['not_needed'] },
] as const;

const groupsOf = (counts: StateCounts) =>
  groups
    .map((group) => ({ ...group, count: group.states.reduce((sum, state) => sum + (counts[state] ?? 0), 0) }))
    .filter(({ count }) => count > 0);

/** Sums the POs of a file and of other files by state. */
export const addedUp = (some: StateCounts, others: StateCounts): StateCounts => {
  const sum: Record<string, number> = { ...some };
  for (const [state, count] of Object.entries(others)) sum[state] = (sum[state] ?? 0) + count;
  return sum;
};

interface StateBarProps {
  states: StateCounts;
  words?: boolean;
  /** Whether counting a state stopped at 10,000. */
  counted?: 'all' | 'up to 10,000';
}

/** POs by state, as a bar and in words. */
export const StateBar = ({ states, words = true, counted = 'all' }: StateBarProps) => {
  const format = counted === 'all' ? formatCount : formatBounded;
  const shown = groupsOf(states);
  if (shown.length === 0) return dash;
  const text = shown.map(({ word, count }) => `${format(count)} ${word.toLowerCase()}`).join(', ');
  return (
    <span className={css.whole} title={text}>
      <svg className={css.bar} role="img" aria-label={text} preserveAspectRatio="none" viewBox="0 0 100 6">
        {bars(shown).map(({ tone, word, x, width }) => (
          <rect key={word} className={`tone-${tone} ${css.part}`} x={x} y="0" width={width} height="6" />
        ))}
      </svg>
      {words ? (
        <span className={`small ${css.words}`} aria-hidden="true">
          {shown.map(({ tone, word, count }) => (
            <span key={word} className={`toned tone-${tone}`}>
              {format(count)} {word.toLowerCase()}
            </span>
          ))}
        </span>
      ) : null}
    </span>
  );
};

/** Every group is visible, however small its share. */
const bars = (shown: ReturnType<typeof groupsOf>) => {
  const total = shown.reduce((sum, { count }) => sum + count, 0);
  const widths = shown.map(({ count }) => Math.max(2, (count / total) * 100));
  const all = widths.reduce((sum, width) => sum + width, 0);
  let x = 0;
  return shown.map(({ tone, word }, index) => {
    const width = (widths[index]! / all) * 100;
    x += width;
    return { tone, word, x: x - width, width: Math.max(0.5, width - 0.6) };
  });
};
