import { isWithin, zoneClock } from './zone-clock.ts';

/** When an account's files are picked up and its orders started; see `accounts.NAME.schedule`. */
export interface OpeningHours {
  timeZone: string;
  /** `08:00-17:00`; the end is not included. Undefined: at any time. */
  open?: string | undefined;
  /** Weekdays (`sat`), days (`2026-11-26`), and days of every year (`12-25`). */
  closedOn: readonly string[];
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

const time = /^(?:([01]\d|2[0-3]):([0-5]\d)|24:00)$/;
const minutesOfDay = 24 * 60;

/** Parses `08:00-17:00` to minutes of the day; the end may be 24:00. Undefined for other text, and if both are equal. Pure. */
export const readOpeningTimes = (text: string): { from: number; to: number } | undefined => {
  const [from, to, ...rest] = text.split('-').map((part) => {
    const found = time.exec(part.trim());
    if (!found) return undefined;
    return found[1] === undefined ? minutesOfDay : Number(found[1]) * 60 + Number(found[2]);
  });
  if (from === undefined || to === undefined || rest.length > 0) return undefined;
  return from === minutesOfDay || from === to ? undefined : { from, to };
};

/** Whether text is a valid entry of `closedOn`. Pure. */
export const isClosedDay = (text: string): boolean => {
  if ((weekdays as readonly string[]).includes(text)) return true;
  // 2028 is a leap year, so that 02-29 is valid.
  const day = /^\d\d-\d\d$/.test(text) ? `2028-${text}` : text;
  const at = /^\d{4}-\d\d-\d\d$/.test(day) ? new Date(`${day}T00:00:00Z`) : undefined;
  return at !== undefined && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
};

/** Why an account is closed at a moment, as the end of a sentence; undefined while it is open. Pure. */
export const whyClosed = ({ timeZone, open, closedOn }: OpeningHours, at: Date): string | undefined => {
  if (open === undefined && closedOn.length === 0) return undefined;
  const { day, weekday, minute } = zoneClock(timeZone, at);
  const closed = closedOn.find((one) => one === weekday || one === day || one === day.slice(5));
  if (closed !== undefined) return `${day} is a day in schedule.closedOn (${closed})`;
  const times = open === undefined ? undefined : readOpeningTimes(open);
  if (!times) return undefined;
  return isWithin(times, minute) ? undefined : `schedule.open is ${open} (${timeZone})`;
};
