import { useState } from 'react';
import { formatCount } from '../data/format.ts';
import type { Tone } from './badges.tsx';
import { PartPager } from './Pager.tsx';
import css from './Timeline.module.css';
import { Time, UntrustedText } from './text.tsx';

export interface TimelineEntry {
  at: string;
  tone: Tone;
  what: string;
  detail: string | null;
  /** A person; null: Cartwright. */
  who: string | null;
  notes?: (string | undefined)[];
}

interface TimelineProps {
  entries: readonly TimelineEntry[];
  account?: string | undefined;
}

/** A longer timeline shows failures first, and the other entries in pages. */
const entriesAtOnce = 20;
const failuresFirst = 10;

const Entries = ({ entries, account }: TimelineProps) => (
  <ol className={css.timeline}>
    {entries.map(({ at, tone, what, detail, who, notes = [] }, index) => {
      const words = notes.filter(Boolean).join(' · ');
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries are only ever added at the end.
        <li key={index} className={`${css.entry} tone-${tone}`}>
          <p>
            <UntrustedText text={what} />
            {who ? (
              <strong>
                {' '}
                by <UntrustedText text={who} />
              </strong>
            ) : null}
          </p>
          {detail ? (
            <div className="dim small">
              <UntrustedText as="block" text={detail} />
            </div>
          ) : null}
          <p className={css.when}>
            <Time at={at} account={account} />
            {words ? ` · ${words}` : ''}
          </p>
        </li>
      );
    })}
  </ol>
);

const LongTimeline = ({ entries, account }: TimelineProps) => {
  const last = entries.length - 1;
  // Start at the end, because people look for the latest events.
  const [from, setFrom] = useState(last - (last % entriesAtOnce));
  const failed = entries.filter(({ tone }) => tone === 'failed');
  const latest = failed.slice(-failuresFirst).reverse();
  return (
    <div className="stack-tight">
      {failed.length > 0 ? (
        <>
          <h3>
            {failed.length > failuresFirst
              ? `The last ${failuresFirst} of ${formatCount(failed.length)} failures, latest first`
              : 'What failed, latest first'}
          </h3>
          <Entries entries={latest} account={account} />
        </>
      ) : null}
      <h3>Everything, oldest first</h3>
      <Entries entries={entries.slice(from, from + entriesAtOnce)} account={account} />
      <PartPager
        label="the timeline"
        from={from}
        size={entriesAtOnce}
        total={entries.length}
        onFrom={setFrom}
      />
    </div>
  );
};

/** Events, oldest first; a long timeline starts with the failures. */
export const Timeline = ({ entries, account }: TimelineProps) => {
  if (entries.length === 0) return <p className="dim">Nothing has happened yet.</p>;
  const Shown = entries.length > entriesAtOnce ? LongTimeline : Entries;
  return <Shown entries={entries} account={account} />;
};
