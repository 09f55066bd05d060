import { CronExpressionParser } from 'cron-parser';

const computeLastRun = (pattern: string, timeZone: string, second: number, times: number): Date => {
  // The library searches strictly before the given moment, in whole seconds.
  const runs = CronExpressionParser.parse(pattern, {
    tz: timeZone,
    currentDate: new Date((second + 1) * 1000),
  });
  let last = new Date(second * 1000);
  for (let back = 0; back < times; back += 1) last = runs.prev().toDate();
  return last;
};

/** Cache for the current second, because a thousand accounts mostly have the same patterns. */
const computed = { second: 0, runs: new Map<string, Date>() };

/** The last due time of a cron pattern at or before `at`; with `times` 2 the one before that. Pure. */
export const lastRun = (pattern: string, timeZone: string, at: Date, times = 1): Date => {
  const second = Math.floor(at.getTime() / 1000);
  if (second !== computed.second) Object.assign(computed, { second, runs: new Map() });
  const key = `${times} ${timeZone} ${pattern}`;
  const known = computed.runs.get(key) ?? computeLastRun(pattern, timeZone, second, times);
  computed.runs.set(key, known);
  return new Date(known);
};

/** The start of the day that contains `at`, in a time zone. Pure. */
export const startOfDay = (timeZone: string, at: Date): Date => lastRun('0 0 * * *', timeZone, at);

/** The next `count` runs of a cron pattern after a moment, by the library that BullMQ uses; fewer if the pattern ends. */
export const nextRuns = (pattern: string, timeZone: string, after: Date, count: number): Date[] => {
  const runs = CronExpressionParser.parse(pattern, { tz: timeZone, currentDate: after });
  const found: Date[] = [];
  while (found.length < count && runs.hasNext()) found.push(runs.next().toDate());
  return found;
};
