import { advance } from '../src/placing/advance.ts';
import type { JobHandler } from '../src/queue/jobs.ts';
import type { JobDeps } from '../src/queue/next-work.ts';
import { enqueueNext } from '../src/queue/next-work.ts';

/** Submits the cart as an order, at most once an epoch, and verifies what is unclear (states: items_added, submitting, verifying). */
export const submitOrder: JobHandler<'submit-order', JobDeps> = async ({ purchaseOrderId }, deps) => {
  const advanced = await advance(deps.placing, purchaseOrderId, ['items_added', 'submitting', 'verifying']);
  await enqueueNext(deps, purchaseOrderId, advanced);
};
