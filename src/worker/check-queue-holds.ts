import { recordQueueHolds } from '../ledger/queue-holds.ts';
import { redisItself } from '../queue/holds.ts';
import type { Runtime } from './open-runtime.ts';

/**
 * Finds job queues that somebody paused or limited from outside, records them for `status`, and resumes them unless
 * people may change queues on the queues page. Logs each hold once.
 */
export const createQueueHoldCheck = ({
  config,
  logger,
  queues,
  ledger,
}: Pick<Runtime, 'config' | 'logger' | 'queues' | 'ledger'>): (() => Promise<void>) => {
  const lift = config.console.queues.readOnly;
  let logged = new Set<string>();
  return async () => {
    const holds = await queues.checkHolds({ lift });
    for (const { queue, what } of holds) {
      if (queue === redisItself || logged.has(`${queue} ${what}`)) continue;
      logger.warn(
        { queue, reason: what },
        lift
          ? 'the queue was paused or limited from outside; resumed it'
          : 'the queue was paused or limited from outside; left as it is because console.queues.readOnly is false',
      );
    }
    logged = new Set(lift ? [] : holds.map(({ queue, what }) => `${queue} ${what}`));
    await recordQueueHolds(
      ledger.pool,
      holds.map((hold) => ({ ...hold, lifted: lift && hold.queue !== redisItself })),
    );
  };
};
