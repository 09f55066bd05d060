import { advance } from '../src/placing/advance.ts';
import type { JobHandler } from '../src/queue/jobs.ts';
import type { JobDeps } from '../src/queue/next-work.ts';
import { enqueueNext } from '../src/queue/next-work.ts';

/** Takes a PO whose cart was left empty or half filled: adds every line or has the cart deleted, and goes on from there. */
export const addItems: JobHandler<'add-items', JobDeps> = async ({ purchaseOrderId }, deps) => {
  const advanced = await advance(deps.placing, purchaseOrderId, ['cart_created']);
  await enqueueNext(deps, purchaseOrderId, advanced);
};
