import type { JobHandler } from '../src/dispatch/job-schemas.ts';
import { enqueueFinished, handOn, type JobDeps, pollJob } from '../src/dispatch/next-work.ts';
import { pollAccount } from '../src/tracking/poll-account.ts';

/** Fetches the statuses of an account's due open POs, or of all if a person asked, and enqueues the result files to update. */
export const pollStatus: JobHandler<'poll-status', JobDeps> = async (data, deps) => {
  if (await handOn(deps, { name: 'poll-status', data })) return;
  const { account, now = false, due = false } = data;
  const tracking = deps.trackingOf(account);
  if (!tracking) return;
  await deps.runTask('poll', account, { asked: now }, async () => {
    const polled = await pollAccount(account, tracking, { all: now && !due });
    // The next scheduled poll may be a day away.
    if ('waitMs' in polled && polled.waitMs !== undefined)
      await deps.enqueue([pollJob(account, polled.waitMs)]);
    await enqueueFinished(deps, account);
    return 'message' in polled ? polled.message : undefined;
  });
};
