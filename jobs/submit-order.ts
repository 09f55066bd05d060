import { advance } from '../src/placing/advance.ts';
import type { JobHandler } from '../src/queue/jobs.ts';
import type { JobDeps } from '../src/queue/next-work.ts';
import { enqueueNext } from '../src/queue/next-work.ts';

/** Takes a PO whose cart is full, or whose submission is not clear: submits it, at most once an epoch, or verifies. */
export const submitOrder: JobHandler<'submit-order', JobDeps> = async ({ purchaseOrderId }, deps) => {
  const advanced = await advance(deps.placing, purchaseOrderId, ['items_added', 'submitting', 'verifying']);
  await enqueueNext(deps, purchaseOrderId, advanced);
};
