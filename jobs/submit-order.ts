import type { JobHandler } from '../src/dispatch/job-schemas.ts';
import type { JobDeps } from '../src/dispatch/next-work.ts';
import { placePurchaseOrder } from '../src/dispatch/place-purchase-order.ts';

/** Takes a PO whose cart is full and submits it, at most once per epoch, or verifies a submission with an unclear outcome. */
export const submitOrder: JobHandler<'submit-order', JobDeps, string> = placePurchaseOrder('submit-order');
