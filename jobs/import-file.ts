import type { JobHandler } from '../src/dispatch/job-schemas.ts';
import { enqueueImport, handOn, type JobDeps } from '../src/dispatch/next-work.ts';

/** Imports one file that was picked up and enqueues its POs. For an account: picks up the files in its inbox. */
export const importFile: JobHandler<'import-file', JobDeps> = async (data, deps) => {
  if (await handOn(deps, { name: 'import-file', data })) return;
  if ('account' in data) {
    const { account, now = false } = data;
    return deps.runTask('take_files', account, { asked: now }, async () => {
      await deps.takeFiles(account);
      return undefined;
    });
  }
  await deps.importFile(data.importId);
  await enqueueImport(deps, data.importId);
};
