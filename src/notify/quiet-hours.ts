import { isWithin, zoneClock } from '../config/zone-clock.ts';

const dayMinutes = 24 * 60;

/** The end of the quiet hours that contain `at`; `at` itself outside of quiet hours. Pure. */
export const afterQuietHours = (
  at: Date,
  { quietHours, timeZone }: { quietHours: { from: number; to: number } | undefined; timeZone: string },
): Date => {
  if (!quietHours) return at;
  let end = at;
  // Twice, because the first guess is an hour early if clocks change during the quiet hours.
  for (let tries = 0; tries < 2; tries += 1) {
    const minute = zoneClock(timeZone, end).minute;
    if (!isWithin(quietHours, minute)) return end;
    const left = (quietHours.to - minute + dayMinutes) % dayMinutes;
    end = new Date(Math.floor(end.getTime() / 60_000) * 60_000 + left * 60_000);
  }
  return end;
};
