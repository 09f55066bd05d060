import { isFirstView } from '../data/first-data.ts';
import { formatExact, formatRelative, formatTime } from '../data/format.ts';
import { useNow } from '../data/use-now.ts';
import { useZoneOf } from '../data/zones.tsx';

interface TimeProps {
  at: string | null;
  /** Times of an account are shown in its zone. */
  account?: string | null | undefined;
  /** The zone that the heading of its column names, in place of the account's. */
  column?: { zone: string | undefined };
  /** `4 min ago` in place of the time. */
  relative?: boolean;
  /** In place of a time that is not there. */
  none?: string;
}

/** A moment. Its tooltip has it in full, with the offset of its zone. */
export const Time = ({ at, account, column, relative = false, none = '–' }: TimeProps) => {
  const own = useZoneOf(account);
  const zone = column ? column.zone : own;
  const now = useNow();
  if (!at) return <span className="dim">{none}</span>;
  return (
    <time dateTime={at} className="no-wrap" title={isFirstView ? undefined : formatExact(at, zone)}>
      {relative ? formatRelative(Date.parse(at), now) : formatTime(at, zone, now)}
    </time>
  );
};
