import { enqueueFinished } from '../dispatch/next-work.ts';
import type { Runtime } from './open-runtime.ts';

const atOnce = 500;

/**
 * Updates result files before a command ends, because no worker may be running. Leaves a file to the workers if it cannot be
 * written here (its account's folder may be on another machine), or if another process is writing it.
 */
export const writeDueResults = async ({ jobs, logger }: Pick<Runtime, 'jobs' | 'logger'>): Promise<void> => {
  for (const importId of await jobs.work.listFinishedImports(atOnce)) {
    try {
      await jobs.writeResult(importId);
    } catch (err) {
      logger.debug({ err, importId }, 'left a result file to the workers');
    }
  }
  await enqueueFinished(jobs);
};
