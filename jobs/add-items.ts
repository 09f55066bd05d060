import type { JobHandler } from '../src/dispatch/job-schemas.ts';
import type { JobDeps } from '../src/dispatch/next-work.ts';
import { placePurchaseOrder } from '../src/dispatch/place-purchase-order.ts';

/** Takes a PO whose cart is incomplete: adds the missing lines or has the cart rebuilt, and normally submits the order. */
export const addItems: JobHandler<'add-items', JobDeps, string> = placePurchaseOrder('add-items');
