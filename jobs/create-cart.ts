import { advance } from '../src/placing/advance.ts';
import type { JobHandler } from '../src/queue/jobs.ts';
import type { JobDeps } from '../src/queue/next-work.ts';
import { enqueueNext } from '../src/queue/next-work.ts';

/** Looks what stands under the PO number and creates its cart (states: ready). */
export const createCart: JobHandler<'create-cart', JobDeps> = async ({ purchaseOrderId }, deps) => {
  const advanced = await advance(deps.placing, purchaseOrderId, ['ready']);
  await enqueueNext(deps, purchaseOrderId, advanced);
};
