import { advance } from '../src/placing/advance.ts';
import type { JobHandler } from '../src/queue/jobs.ts';
import type { JobDeps } from '../src/queue/next-work.ts';
import { enqueueNext } from '../src/queue/next-work.ts';

/** Adds every line of the PO to its cart, or has the cart deleted (states: cart_created). */
export const addItems: JobHandler<'add-items', JobDeps> = async ({ purchaseOrderId }, deps) => {
  const advanced = await advance(deps.placing, purchaseOrderId, ['cart_created']);
  await enqueueNext(deps, purchaseOrderId, advanced);
};
