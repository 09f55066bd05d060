import { enqueueFinished } from '../queue/next-work.ts';
import type { Runtime } from './open-runtime.ts';

const atOnce = 500;

/**
 * Brings result files up to date before a command ends: no worker may be running. One that cannot be written here (its
 * account's folder is on another machine) is left to the workers, and so is what another process writes already.
 */
export const writeDueResults = async ({ jobs, logger }: Pick<Runtime, 'jobs' | 'logger'>): Promise<void> => {
  for (const importId of await jobs.work.listFinishedImports(atOnce)) {
    try {
      await jobs.writeResult(importId);
    } catch (err) {
      logger.debug({ err, importId }, 'A result file is left to the workers');
    }
  }
  await enqueueFinished(jobs);
};
