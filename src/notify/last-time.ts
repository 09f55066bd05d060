import { CronExpressionParser } from 'cron-parser';

/** The last moment at or before `at` at which a cron pattern was due; `times` 2: the one before it. Pure. */
export const lastTime = (pattern: string, timeZone: string, at: Date, times = 1): Date => {
  // The library looks strictly before the given moment.
  const schedule = CronExpressionParser.parse(pattern, {
    tz: timeZone,
    currentDate: new Date(at.getTime() + 1000),
  });
  let last = at;
  for (let back = 0; back < times; back += 1) last = schedule.prev().toDate();
  return last;
};

/** The beginning of the day of a moment in a time zone. Pure. */
export const startOfDay = (timeZone: string, at: Date): Date => lastTime('0 0 * * *', timeZone, at);
