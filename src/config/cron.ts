import { CronExpressionParser } from 'cron-parser';
import { z } from 'zod';
import { messageOf } from '../errors.ts';

export const cron = z.string().regex(/^\S+( \S+){4,5}$/, {
  error: 'must be a cron pattern with five or six fields, such as "0 2 * * *"',
  // What has no such shape is not checked further: one message is enough.
  abort: true,
});

export const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

/** Why this cron pattern would never run, by the library that BullMQ uses; undefined if it would. */
export const whyNeverDue = (pattern: string, timeZone: string): string | undefined => {
  try {
    CronExpressionParser.parse(pattern, { tz: timeZone }).next();
    return undefined;
  } catch (thrown) {
    return messageOf(thrown);
  }
};
