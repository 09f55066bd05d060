import type { ScheduleKind } from '../api-contract/accounts.ts';
import { UserError } from '../errors.ts';
import { readPause } from '../ledger/console/operator-pauses.ts';
import { isServed } from '../ledger/workers.ts';
import type { ConsoleDeps } from './console-app.ts';
import { ConsoleProblem } from './problems.ts';

/** Enqueues a job, or explains why the queue does not accept it. */
export const enqueue = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (thrown) {
    if (thrown instanceof UserError)
      throw new ConsoleProblem('unavailable', `Nothing was started: ${thrown.message}`, { retryAfter: 5 });
    throw thrown;
  }
};

/**
 * Checks that a worker can run an account's task now.
 * @throws ConsoleProblem `not_possible` if no worker can, because the queue would silently drop the job
 */
export const assertCanRun = async (
  pool: ConsoleDeps['pool'],
  kind: ScheduleKind,
  account: string,
): Promise<void> => {
  const what = kind === 'poll' ? 'places' : 'reads';
  if (!(await isServed(pool, what, account)))
    throw new ConsoleProblem(
      'not_possible',
      what === 'places'
        ? `No running worker calls the service of ${account}. Start \`cartwright up\` or \`cartwright work\` with this account in its configuration.`
        : `No running worker has the folder of ${account}. Start \`cartwright up\` or \`cartwright watch\` on the machine that has it.`,
    );
  if (kind !== 'poll') return;
  const pause = await readPause(pool, account);
  if (pause?.running)
    throw new ConsoleProblem(
      'not_possible',
      pause.pausedBy === null
        ? `${account} is paused (${pause.code}), so its service is not called now: ${pause.reason ?? 'no reason is known'}`
        : `${account} is paused, so its service is not called: ${pause.reason}. Resume it first.`,
    );
};
