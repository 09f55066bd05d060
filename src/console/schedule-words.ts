import type { ScheduleRun } from '../ledger/schedule-runs.ts';
import type { KnownSchedule } from './console-work.ts';
import { cronWords } from './cron-words.ts';

const unit = (ms: number): string => {
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000} h`;
  if (ms % 60_000 === 0) return `${ms / 60_000} min`;
  return `${ms / 1000} s`;
};

/** `every 15 min`, `Monday to Friday at 06:00 (Europe/Berlin)`. A complex pattern is shown unchanged. Pure. */
export const timingWords = (timing: KnownSchedule['timing']): string =>
  'everyMs' in timing
    ? `every ${unit(timing.everyMs)}`
    : `${cronWords(timing.cron) ?? `by the pattern ${timing.cron}`} (${timing.timeZone})`;

/** The last run of a schedule with its result, and the next run. Pure. */
export const shownSchedule = (
  { account, kind, timing, nextAtMs }: KnownSchedule,
  runs: readonly Pick<ScheduleRun, 'account' | 'task' | 'startedAt' | 'result' | 'note'>[],
) => {
  const run = runs.find((one) => one.account === account && one.task === kind);
  return {
    account,
    kind,
    timing: timingWords(timing),
    lastAt: run?.startedAt?.toISOString() ?? null,
    lastResult: run?.startedAt ? (run.result ?? ('running' as const)) : null,
    lastNote: run?.note ?? null,
    nextAt: nextAtMs === undefined ? null : new Date(nextAtMs).toISOString(),
  };
};
