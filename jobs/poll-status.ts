import type { JobHandler } from '../src/queue/jobs.ts';
import { enqueueFinished, handOn, type JobDeps, pollJob } from '../src/queue/next-work.ts';
import { pollAccount } from '../src/tracking/poll-account.ts';

/** Asks for the statuses of all open POs of an account, and has the result files written that they change. */
export const pollStatus: JobHandler<'poll-status', JobDeps> = async ({ account }, deps) => {
  if (await handOn(deps, { name: 'poll-status', data: { account } })) return;
  const tracking = deps.trackingOf(account);
  if (!tracking) return;
  const polled = await pollAccount(account, tracking);
  // The schedule may be a day away.
  if ('waitMs' in polled) await deps.enqueue([pollJob(account, polled.waitMs)]);
  await enqueueFinished(deps);
};
