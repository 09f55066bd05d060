import type { JobHandler } from '../src/queue/jobs.ts';
import { enqueueImport, handOn, type JobDeps } from '../src/queue/next-work.ts';

/** Reads one taken file into the ledger and has its POs placed; or takes what waits in an account's inbox. */
export const importFile: JobHandler<'import-file', JobDeps> = async (data, deps) => {
  if (await handOn(deps, { name: 'import-file', data })) return;
  if ('account' in data) return deps.takeFiles(data.account);
  await deps.importFile(data.importId);
  await enqueueImport(deps, data.importId);
};
