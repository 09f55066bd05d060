import type { JobHandler } from '../src/dispatch/job-schemas.ts';
import { handOn, type JobDeps } from '../src/dispatch/next-work.ts';

/** Writes an import's result file or an account's status report. Safe to repeat: the file is written beside, then renamed. */
export const writeReport: JobHandler<'write-report', JobDeps> = async (data, deps) => {
  if (await handOn(deps, { name: 'write-report', data })) return;
  await ('account' in data ? deps.writeStatusReport(data.account) : deps.writeResult(data.importId));
};
