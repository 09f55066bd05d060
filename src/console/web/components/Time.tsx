import { useContext } from 'react';
import { isFirstView } from '../data/first-data.ts';
import { formatExact, formatRelative, formatTime } from '../data/format.ts';
import { useNow } from '../data/use-now.ts';
import { PageZone, useSeenTimes, useZoneOf } from '../data/zones.tsx';

interface TimeProps {
  at: string | null;
  /** Times of an account are shown in its zone, if the head of the page names no other. */
  account?: string | null | undefined;
  /** The zone that the heading of its column names, in place of the account's. */
  column?: { zone: string | undefined };
  /** `4 min ago` in place of the time, unless the person wants to see times in another way. */
  relative?: boolean;
  /** In place of a time that is not there. */
  none?: string;
}

/** A moment, as the person wants to see times. Its tooltip has it in full, with the offset of its zone. */
export const Time = ({ at, account, column, relative = false, none = '–' }: TimeProps) => {
  const own = useZoneOf(account);
  const page = useContext(PageZone);
  const named = column ?? page;
  const zone = named ? named.zone : own;
  const { times } = useSeenTimes();
  const now = useNow();
  if (!at) return <span className="dim">{none}</span>;
  return (
    <time dateTime={at} className="no-wrap" title={isFirstView ? undefined : formatExact(at, zone)}>
      {times === 'relative' || (relative && times === 'mixed')
        ? formatRelative(Date.parse(at), now)
        : formatTime(at, zone, now)}
    </time>
  );
};
