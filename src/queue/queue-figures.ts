import type { BullQueue } from './backend.ts';

/** What waits in one queue. */
export interface QueueFigures {
  queue: string;
  /** Jobs that may run now and have not started. */
  waiting: number;
  active: number;
  /** Jobs that become due later, the next runs of schedules included. */
  delayed: number;
  /** When the job that has waited longest was added; undefined: none waits. */
  waitingSince: Date | undefined;
}

/** How many jobs each queue holds, and since when the oldest one waits. */
export const readQueueFigures = (queues: readonly BullQueue[]): Promise<QueueFigures[]> =>
  Promise.all(
    queues.map(async (queue) => {
      const {
        waiting = 0,
        prioritized = 0,
        active = 0,
        delayed = 0,
      } = await queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed');
      const [oldest] = waiting === 0 ? [] : await queue.getJobs(['waiting'], 0, 0, true);
      return {
        queue: queue.name,
        waiting: waiting + prioritized,
        active,
        delayed,
        waitingSince: oldest && new Date(oldest.timestamp + (oldest.delay ?? 0)),
      };
    }),
  );
