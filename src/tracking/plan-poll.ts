import type { Days } from '../placing/list-range.ts';

/** The poll interval for orders of an age. */
export interface PollAge {
  /** Applies to orders that were placed more days ago than this. */
  olderThanDays: number;
  everyMs: number;
}

/** An age with the submission days of its POs; both inclusive. */
export interface AgedDays extends Days {
  /** 0: orders that every poll asks for. */
  olderThanDays: number;
  everyMs: number;
}

export interface PollPlan {
  /** The days to ask for, with an extra day on both ends, because the service's calendar day may differ from ours. */
  range: Days;
  /** The ages whose POs the range covers, youngest first. */
  ages: AgedDays[];
}

/** Tolerates scheduled runs that are a little early; otherwise an age would miss every other daily poll. */
const dueShare = 0.9;

/** Whether something is due that is asked for at this interval; also true after the clock was set back. */
export const isDue = (askedAt: Date | undefined, everyMs: number, at: Date): boolean => {
  if (askedAt === undefined) return true;
  const elapsedMs = at.getTime() - askedAt.getTime();
  return elapsedMs < 0 || elapsedMs >= everyMs * dueShare;
};

/** POs that were looked up since this moment are not due again. */
export const turnSince = (everyMs: number, at: Date): Date => new Date(at.getTime() - everyMs * dueShare);

/**
 * Chooses the days that a poll asks for: always those of the youngest open POs, and back to those of the oldest age that is
 * due. The range has no gap up to tomorrow: a PO can get another order long after its first one, and the service lists
 * each order under its own day. Pure.
 *
 * @param facts.openDays the days of the submissions of open POs, ascending; at least one
 * @param facts.ages ascending
 * @param facts.askedAt by `olderThanDays`
 * @param facts.all a person asked: every age is due
 */
export const planPoll = (facts: {
  today: number;
  openDays: readonly number[];
  ages: readonly PollAge[];
  askedAt: ReadonlyMap<number, Date>;
  at: Date;
  all: boolean;
}): PollPlan => {
  const { today, openDays, askedAt, at, all } = facts;
  const oldest = openDays[0]!;
  const newest = Math.max(today, openDays.at(-1)!);
  const ages = [{ olderThanDays: 0, everyMs: 0 }, ...facts.ages].map((age, place): AgedDays => {
    const older = facts.ages[place];
    const last = place === 0 ? newest : today - age.olderThanDays - 1;
    return { ...age, first: Math.max(oldest, older ? today - older.olderThanDays : oldest), last };
  });
  const hasOpen = ({ first, last }: Days): boolean => openDays.some((day) => day >= first && day <= last);
  const goesTo = ages.findLastIndex(
    (age, place) =>
      place === 0 || (hasOpen(age) && (all || isDue(askedAt.get(age.olderThanDays), age.everyMs, at))),
  );
  const asked = ages.slice(0, goesTo + 1).filter(({ first, last }) => first <= last);
  // An older PO that is not due must not make the range longer.
  const oldestAsked = openDays.find((day) => day >= asked.at(-1)!.first) ?? newest;
  return { range: { first: oldestAsked - 1, last: newest + 1 }, ages: asked };
};
