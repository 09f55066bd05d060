import { CronExpressionParser } from 'cron-parser';

/** The next runs of a cron pattern after a moment, by the library that BullMQ uses. Fewer if there are no more. */
export const nextRuns = (pattern: string, timeZone: string, after: Date, count: number): Date[] => {
  const runs = CronExpressionParser.parse(pattern, { tz: timeZone, currentDate: after });
  const found: Date[] = [];
  while (found.length < count && runs.hasNext()) found.push(runs.next().toDate());
  return found;
};
