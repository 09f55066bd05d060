import { importFile } from '../../jobs/import-file.ts';
import { pollStatus } from '../../jobs/poll-status.ts';
import { writeReport } from '../../jobs/write-report.ts';
import type { ScheduledTask } from '../dispatch/job-schemas.ts';
import { UserError } from '../errors.ts';
import type { Runtime } from './open-runtime.ts';

/**
 * Runs a task of an account in this process regardless of its schedule, and records the run.
 * @throws UserError `no_service`, `no_folder` if this process cannot do it
 */
export const runTaskNow = async (
  { jobs, accounts }: Pick<Runtime, 'jobs' | 'accounts'>,
  task: ScheduledTask,
  account: string,
): Promise<void> => {
  const open = accounts.get(account);
  const data = { account, now: true as const };
  if (task === 'poll') {
    if (open.serviceProblem !== undefined) throw new UserError('no_service', open.serviceProblem);
    return pollStatus(data, jobs);
  }
  open.assertFolder();
  return task === 'report' ? writeReport(data, jobs) : importFile(data, jobs);
};
