import { Foreign } from './Foreign.tsx';
import { Time } from './Time.tsx';
import css from './Timeline.module.css';
import type { Tone } from './tones.ts';

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

/** What happened, oldest first. */
export const Timeline = ({ entries, account }: TimelineProps) => {
  if (entries.length === 0) return <p className="dim">Nothing has happened yet.</p>;
  return (
    <ol className={css.timeline}>
      {entries.map(({ at, tone, what, detail, who, notes = [] }, index) => {
        const words = notes.filter(Boolean).join(' · ');
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries are only ever added at the end.
          <li key={index} className={`${css.entry} tone-${tone}`}>
            <p>
              <Foreign text={what} />
              {who ? (
                <strong>
                  {' '}
                  by <Foreign text={who} />
                </strong>
              ) : null}
            </p>
            {detail ? (
              <div className="dim small">
                <Foreign as="block" text={detail} />
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
};
