import type { Account } from '../../config/config.ts';
import { neverTakesWhileOpen } from '../../config/taking-times.ts';
import { type Finding, note } from './finding.ts';

/** Checks schedules for times that do not fit together. */
export const checkAccountSchedule = ({ name, schedule }: Account, now: Date): Finding[] => {
  const { takeFiles } = schedule;
  if (takeFiles === undefined || !neverTakesWhileOpen({ ...schedule, takeFiles }, now)) return [];
  return [
    note(
      'schedule_take_files',
      `Every run of takeFiles (${takeFiles}, ${schedule.timeZone}) falls into a time when the account is closed, so files are picked up when it opens.`,
      `Set accounts.${name}.schedule.takeFiles to times within accounts.${name}.schedule.open.`,
    ),
  ];
};
