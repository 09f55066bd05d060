import type { Account } from '../config-schema.ts';
import type { Schedule } from '../queue/schedules.ts';

/** What an account has done for it by the clock: polling, the status report, and the inbox where it has hours. */
export const schedulesOf = (account: Account): Schedule[] => {
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
            timing: typeof poll === 'number' ? { everyMs: poll } : cron(poll),
          },
        ]
      : []),
    { id: `report ${name}`, job: { name: 'write-report' as const, data }, timing: cron(statusReport) },
    ...(takeFiles
      ? [{ id: `take ${name}`, job: { name: 'import-file' as const, data }, timing: cron(takeFiles) }]
      : []),
  ];
};
