import { CronExpressionParser } from 'cron-parser';

/** When a cron pattern last ran up to a moment; undefined if it never did. */
export const lastRun = (pattern: string, timeZone: string, at: Date): Date | undefined => {
  const runs = CronExpressionParser.parse(pattern, { tz: timeZone, currentDate: at });
  return runs.hasPrev() ? runs.prev().toDate() : undefined;
};

/** The next runs of a cron pattern after a moment, by the library that BullMQ uses. Fewer if there are no more. */
export const nextRuns = (pattern: string, timeZone: string, after: Date, count: number): Date[] => {
  const runs = CronExpressionParser.parse(pattern, { tz: timeZone, currentDate: after });
  const found: Date[] = [];
  while (found.length < count && runs.hasNext()) found.push(runs.next().toDate());
  return found;
};
