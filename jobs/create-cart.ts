import type { JobHandler } from '../src/dispatch/job-schemas.ts';
import type { JobDeps } from '../src/dispatch/next-work.ts';
import { placePurchaseOrder } from '../src/dispatch/place-purchase-order.ts';

/** Takes a PO without a cart: checks the service, creates the cart, adds the lines, and normally submits the order. */
export const createCart: JobHandler<'create-cart', JobDeps, string> = placePurchaseOrder('create-cart');
