import type { Account } from '../config/config.ts';
import type { Schedule } from '../queue/schedules.ts';

/** The schedules of an account: polling, the status report, and picking up files if it has a takeFiles schedule. */
export const accountSchedules = (account: Account): Schedule[] => {
  const { name, schedule } = account;
  const { timeZone, poll, statusReport, takeFiles } = schedule;
  const cron = (pattern: string) => ({ cron: pattern, timeZone });
  const data = { account: name };
  return [
    ...(account.baseUrl !== undefined
      ? [
          {
            id: `poll ${name}`,
            job: { name: 'poll-status' as const, data },
            timing: 'everyMs' in poll ? poll : cron(poll.cron),
          },
        ]
      : []),
    { id: `report ${name}`, job: { name: 'write-report' as const, data }, timing: cron(statusReport) },
    ...(takeFiles
      ? [{ id: `take ${name}`, job: { name: 'import-file' as const, data }, timing: cron(takeFiles) }]
      : []),
  ];
};
