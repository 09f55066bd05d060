import { isFirstView } from '../data/first-data.ts';
import { formatExact, formatRelative, formatTime } from '../data/format.ts';
import { useNow } from '../data/use-now.ts';
import { useZoneOf } from '../data/zones.tsx';

interface TimeProps {
  at: string | null;
  /** Times of an account are shown in its zone. */
  account?: string | null | undefined;
  /** `4 min ago` in place of the time. */
  relative?: boolean;
  /** In place of a time that is not there. */
  none?: string;
}

/** A moment. Its tooltip has it in full, with the offset of its zone. */
export const Time = ({ at, account, relative = false, none = '–' }: TimeProps) => {
  const zone = useZoneOf(account);
  const now = useNow();
  if (!at) return <span className="dim">{none}</span>;
  return (
    <time dateTime={at} className="no-wrap" title={isFirstView ? undefined : formatExact(at, zone)}>
      {relative ? formatRelative(Date.parse(at), now) : formatTime(at, zone, now)}
    </time>
  );
};
