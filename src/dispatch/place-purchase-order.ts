import { advance } from '../placing/advance.ts';
import { describeRun } from '../placing/describe-run.ts';
import { activeStates } from '../placing/types.ts';
import type { JobHandler } from './job-schemas.ts';
import { enqueueNext, type JobDeps, jobOf } from './next-work.ts';

type PlacingJob = 'create-cart' | 'add-items' | 'submit-order';

/**
 * A job that advances one PO under one lease until it is ordered, ended, or has to wait; then it enqueues the next work. The
 * jobs differ only in the states that they take, as assigned by `jobOf`.
 */
export const placePurchaseOrder = <N extends PlacingJob>(name: N): JobHandler<N, JobDeps, string> => {
  const states = activeStates.filter((state) => jobOf[state] === name);
  return async ({ purchaseOrderId, ...labels }, deps) => {
    const advanced = await deps.trace(
      'place purchase order',
      { purchaseOrderId, ...labels },
      async (note) => {
        const done = await advance(deps.placing, purchaseOrderId, states, labels.account);
        note({ result: done.kind, state: 'state' in done ? done.state : undefined });
        return done;
      },
    );
    await enqueueNext(deps, purchaseOrderId, advanced);
    return describeRun(advanced);
  };
};
