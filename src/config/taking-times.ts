import { lastRun, nextRuns } from './next-runs.ts';
import { type OpeningHours, readOpeningTimes, whyClosed } from './opening-hours.ts';

interface TakingTimes extends OpeningHours {
  takeFiles: string;
}

/** The last time at which files should have been picked up. */
export interface DueTake {
  at: Date;
  /** The run was missed while the account was closed, and starts at opening. */
  atOpening: boolean;
}

/** How far back to search for the time at which an account last opened. */
const searchedDays = 400;
const minuteMs = 60_000;

/** The times of day at which an account may open or close, as cron patterns. */
const changesOf = ({ open }: OpeningHours): { opens: string[]; closes: string[] } => {
  const times = open === undefined ? undefined : readOpeningTimes(open);
  const at = (minute: number): string => `${minute % 60} ${Math.floor(minute / 60) % 24} * * *`;
  return {
    opens: ['0 0 * * *', ...(times ? [at(times.from)] : [])],
    closes: ['0 0 * * *', ...(times ? [at(times.to)] : [])],
  };
};

const isOpen = (hours: OpeningHours, at: Date): boolean => whyClosed(hours, at) === undefined;

/** When the account opened last; undefined if it never did, or is always open. */
const lastOpening = (hours: OpeningHours, now: Date): Date | undefined => {
  const { opens } = changesOf(hours);
  let at = now;
  for (let searched = 0; searched < searchedDays; searched += 1) {
    const before = at;
    const found = opens.map((pattern) => lastRun(pattern, hours.timeZone, before).getTime());
    at = new Date(Math.max(...found));
    if (isOpen(hours, at) && !isOpen(hours, new Date(at.getTime() - minuteMs))) return at;
    at = new Date(at.getTime() - 1000);
  }
  return undefined;
};

/** When the account closes after it opened. */
const closingAfter = (hours: OpeningHours, opening: Date): Date => {
  const { closes } = changesOf(hours);
  let at = opening;
  for (let searched = 0; searched < searchedDays; searched += 1) {
    const after = at;
    const found = closes.flatMap((pattern) => nextRuns(pattern, hours.timeZone, after, 1));
    at = new Date(Math.min(...found.map(Number)));
    if (!isOpen(hours, at)) return at;
  }
  return opening;
};

/**
 * The last time at or before `now` at which files should have been picked up, by `takeFiles` and the opening hours: runs missed
 * while the account was closed start at opening. Undefined while such a run is the only one. Pure.
 */
export const lastTake = (times: TakingTimes, now: Date): DueTake | undefined => {
  const run = (at: Date): Date => lastRun(times.takeFiles, times.timeZone, at);
  const opening = lastOpening(times, now);
  if (opening === undefined) return isOpen(times, now) ? { at: run(now), atOpening: false } : undefined;
  const whileOpen = isOpen(times, now) ? now : new Date(closingAfter(times, opening).getTime() - 1000);
  const due = run(whileOpen);
  return due >= opening || isOpen(times, due)
    ? { at: due, atOpening: false }
    : { at: opening, atOpening: true };
};

const consideredRuns = 60;

/** Whether all of the next runs of `takeFiles` fall into times when the account is closed. Pure. */
export const neverTakesWhileOpen = (times: TakingTimes, now: Date): boolean =>
  nextRuns(times.takeFiles, times.timeZone, now, consideredRuns).every((at) => !isOpen(times, at));
