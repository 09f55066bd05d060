import { CronExpressionParser } from 'cron-parser';

const computeLastRun = (pattern: string, timeZone: string, second: number, times: number): Date => {
  // The library looks strictly before the given moment, in whole seconds.
  const runs = CronExpressionParser.parse(pattern, {
    tz: timeZone,
    currentDate: new Date((second + 1) * 1000),
  });
  let last = new Date(second * 1000);
  for (let back = 0; back < times; back += 1) last = runs.prev().toDate();
  return last;
};

/** What was computed for the present second: a thousand accounts mostly have the same patterns. */
const computed = { second: 0, runs: new Map<string, Date>() };

/** The last moment at or before `at` at which a cron pattern was due; `times` 2: the one before it. Pure. */
export const lastRun = (pattern: string, timeZone: string, at: Date, times = 1): Date => {
  const second = Math.floor(at.getTime() / 1000);
  if (second !== computed.second) Object.assign(computed, { second, runs: new Map() });
  const key = `${times} ${timeZone} ${pattern}`;
  const known = computed.runs.get(key) ?? computeLastRun(pattern, timeZone, second, times);
  computed.runs.set(key, known);
  return new Date(known);
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
