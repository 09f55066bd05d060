import type { BullQueue } from './backend.ts';

/** The jobs of one queue. */
export interface QueueFigures {
  queue: string;
  /** Jobs that may run now and have not started. */
  waiting: number;
  active: number;
  /** Jobs that become due later, the next runs of schedules included. */
  delayed: number;
  /** When the longest-waiting job was added; undefined if none waits. */
  waitingSince: Date | undefined;
}

/** Counts the jobs of each queue, and finds out since when the oldest one waits. */
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
