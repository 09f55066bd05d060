import type { JobHandler } from '../src/queue/jobs.ts';
import { handOn, type JobDeps } from '../src/queue/next-work.ts';

/** Writes an import's result file, or an account's status report. Written beside, then renamed: safe to repeat. */
export const writeReport: JobHandler<'write-report', JobDeps> = async (data, deps) => {
  if (await handOn(deps, { name: 'write-report', data })) return;
  await ('account' in data ? deps.writeStatusReport(data.account) : deps.writeResult(data.importId));
};
