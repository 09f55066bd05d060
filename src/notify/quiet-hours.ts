const dayMinutes = 24 * 60;

const minuteOfDay = (at: Date, timeZone: string): number => {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at);
  const read = (type: string) => Number(parts.find((part) => part.type === type)!.value);
  return read('hour') * 60 + read('minute');
};

/** The moment at which the quiet hours that contain `at` end; `at` itself outside of them. Pure. */
export const afterQuietHours = (
  at: Date,
  { quietHours, timeZone }: { quietHours: { from: number; to: number } | undefined; timeZone: string },
): Date => {
  if (!quietHours) return at;
  const { from, to } = quietHours;
  let end = at;
  // Twice: where clocks change during the quiet hours, the first guess is an hour early.
  for (let tries = 0; tries < 2; tries += 1) {
    const minute = minuteOfDay(end, timeZone);
    const isQuiet = from < to ? minute >= from && minute < to : minute >= from || minute < to;
    if (!isQuiet) return end;
    const left = (to - minute + dayMinutes) % dayMinutes;
    end = new Date(Math.floor(end.getTime() / 60_000) * 60_000 + left * 60_000);
  }
  return end;
};
