import { CronExpressionParser } from 'cron-parser';

/** The last moment at or before `at` at which a cron pattern was due; `times` 2: the one before it. Pure. */
export const lastRun = (pattern: string, timeZone: string, at: Date, times = 1): Date => {
  // The library looks strictly before the given moment, in whole seconds.
  const runs = CronExpressionParser.parse(pattern, {
    tz: timeZone,
    currentDate: new Date((Math.floor(at.getTime() / 1000) + 1) * 1000),
  });
  let last = at;
  for (let back = 0; back < times; back += 1) last = runs.prev().toDate();
  return last;
};

/** The beginning of the day of a moment in a time zone. Pure. */
export const startOfDay = (timeZone: string, at: Date): Date => lastRun('0 0 * * *', timeZone, at);

/** The next runs of a cron pattern after a moment, by the library that BullMQ uses. Fewer if there are no more. */
export const nextRuns = (pattern: string, timeZone: string, after: Date, count: number): Date[] => {
  const runs = CronExpressionParser.parse(pattern, { tz: timeZone, currentDate: after });
  const found: Date[] = [];
  while (found.length < count && runs.hasNext()) found.push(runs.next().toDate());
  return found;
};
