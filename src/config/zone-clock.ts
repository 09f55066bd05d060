/** The local time of a moment in a time zone. */
export interface ZoneClock {
  /** `2026-11-22` */
  day: string;
  /** `sun` */
  weekday: string;
  /** `06:00` */
  time: string;
  /** Minute of the day. */
  minute: number;
}

/** Pure. */
export const zoneClock = (timeZone: string, at: Date): ZoneClock => {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    weekday: 'short',
    hourCycle: 'h23',
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    day: `${parts.year}-${parts.month}-${parts.day}`,
    weekday: parts.weekday!.slice(0, 3).toLowerCase(),
    time: `${parts.hour}:${parts.minute}`,
    minute: Number(parts.hour) * 60 + Number(parts.minute),
  };
};

/** Whether a minute of the day is in a range, which may contain midnight. Pure. */
export const isWithin = ({ from, to }: { from: number; to: number }, minute: number): boolean =>
  from < to ? minute >= from && minute < to : minute >= from || minute < to;
