import type { JobHandler } from '../src/dispatch/job-schemas.ts';
import { handOn, type JobDeps } from '../src/dispatch/next-work.ts';

/** Writes an import's result file or an account's status report. Safe to repeat: writes a temporary file, then renames it. */
export const writeReport: JobHandler<'write-report', JobDeps> = async (data, deps) => {
  if (await handOn(deps, { name: 'write-report', data })) return;
  if (!('account' in data)) return deps.writeResult(data.importId);
  const { account, now = false } = data;
  await deps.runTask('report', account, { asked: now }, async () => {
    await deps.writeStatusReport(account);
    return undefined;
  });
};
