import { advance } from '../src/placing/advance.ts';
import type { JobHandler } from '../src/queue/jobs.ts';
import type { JobDeps } from '../src/queue/next-work.ts';
import { enqueueNext } from '../src/queue/next-work.ts';

/** Takes a PO that is ready: looks what stands under its number, creates its cart, and goes on from there. */
export const createCart: JobHandler<'create-cart', JobDeps> = async ({ purchaseOrderId }, deps) => {
  const advanced = await advance(deps.placing, purchaseOrderId, ['ready']);
  await enqueueNext(deps, purchaseOrderId, advanced);
};
