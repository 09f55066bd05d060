import { CronExpressionParser } from 'cron-parser';
import { z } from 'zod';
import { messageOf } from '../errors.ts';

export const cron = z.string().regex(/^\S+( \S+){4,5}$/, {
  error: 'must be a cron pattern with five or six fields, such as "0 2 * * *"',
  // One message is enough for text without this shape.
  abort: true,
});

/** Caches checks: most accounts have the same time zone and patterns, and a check takes almost a millisecond. */
const remember = <Given extends string[], Value>(
  check: (...given: Given) => Value,
): ((...given: Given) => Value) => {
  const known = new Map<string, Value>();
  return (...given) => {
    const key = JSON.stringify(given);
    if (!known.has(key)) known.set(key, check(...given));
    return known.get(key)!;
  };
};

const isTimeZone = remember((name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
});

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');

/** Time zones that contain the given place, such as `berlin` or `New York`; otherwise one of each continent. */
const zonesLike = (written: string): string => {
  const place = plain(written);
  const like =
    place.length < 3 ? [] : Intl.supportedValuesOf('timeZone').filter((zone) => plain(zone).includes(place));
  return (like.length > 0 ? like : ['America/Chicago', 'Europe/Berlin', 'Asia/Tokyo']).slice(0, 3).join(', ');
};

export const timeZone = z
  .string()
  .refine(isTimeZone, {
    error: ({ input }) => `must be a time zone such as ${zonesLike(String(input))}`,
  })
  .default('UTC');

/** Why this cron pattern would never run, according to the library that BullMQ uses; undefined if it would. */
const whyNeverDue = remember((pattern: string, zone: string): string | undefined => {
  try {
    CronExpressionParser.parse(pattern, { tz: zone }).next();
    return undefined;
  } catch (thrown) {
    return messageOf(thrown);
  }
});

/** Refuses the cron patterns that never run, among settings with one time zone. */
export const refuseNeverDue = (
  { timeZone: zone, ...patterns }: { timeZone: string } & Record<string, unknown>,
  context: z.RefinementCtx,
): void => {
  // An invalid time zone has its own message and would make every pattern fail.
  if (!isTimeZone(zone)) return;
  for (const [setting, pattern] of Object.entries(patterns)) {
    // Texts with fewer fields are not cron patterns, or were refused already.
    const why =
      typeof pattern === 'string' && cron.safeParse(pattern).success ? whyNeverDue(pattern, zone) : undefined;
    if (why === undefined) continue;
    context.addIssue({
      code: 'custom',
      path: [setting],
      message: `must be a cron pattern that runs, such as "0 6 * * *" (every day at 6:00); "${pattern}" never runs: ${why}`,
    });
  }
};
