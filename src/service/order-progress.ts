import { createHash } from 'node:crypto';
import { type OrderStatus, orderStatuses } from '../contract/codes.ts';

/** When an order reaches each status: milliseconds of the service's clock after it was placed. */
export type OrderSteps = Partial<Record<Exclude<OrderStatus, 'In O/E'>, number>>;

const hour = 3_600_000;

/** Hours before each status (spec 3): the minimum, and how much more it can be. */
const waits = {
  straight: { Picking: [1, 3], Checking: [1, 2], Shipped: [2, 10], Invoiced: [4, 20] },
  backordered: { 'B/O': [1, 1], Picking: [24, 24], Checking: [1, 2], Shipped: [2, 10], Invoiced: [4, 20] },
} as const;

/**
 * Plans an order's progress: In O/E → Picking → Checking → Shipped → Invoiced, with B/O before Picking if something is
 * back-ordered. `seed` determines the exact times. An order on hold (spec 2.1: hold_order) has no steps and stays
 * In O/E until it is released.
 */
export const planSteps = (seed: string, backordered: boolean): OrderSteps => {
  const hash = createHash('sha256').update(seed).digest();
  const steps: OrderSteps = {};
  let at = 0;
  for (const [status, [least, more]] of Object.entries(waits[backordered ? 'backordered' : 'straight'])) {
    const share = hash.readUInt16BE(2 * Object.keys(steps).length) / 65_536;
    at += Math.round((least + more * share) * hour);
    steps[status as keyof OrderSteps] = at;
  }
  return steps;
};

/** The status of an order `elapsedMs` after it was placed: the last one that it reached. */
export const statusAt = (steps: OrderSteps | null, elapsedMs: number): OrderStatus => {
  let status: OrderStatus = 'In O/E';
  let latest = Number.NEGATIVE_INFINITY;
  // In the order of the statuses, so that the later one of two at the same time wins.
  for (const name of orderStatuses) {
    const at = name === 'In O/E' ? undefined : steps?.[name];
    if (at !== undefined && at <= elapsedMs && at >= latest) [status, latest] = [name, at];
  }
  return status;
};

/** The steps of an order that is in this status `elapsedMs` after it was placed, and stays in it. */
export const stepsTo = (status: OrderStatus, steps: OrderSteps, elapsedMs: number): OrderSteps => {
  const before = orderStatuses.slice(0, orderStatuses.indexOf(status) + 1);
  const kept: OrderSteps = {};
  for (const name of before) {
    const at = name === 'In O/E' ? undefined : steps[name];
    const isReached = at !== undefined && at <= elapsedMs;
    // Not every order has a back order.
    if (name === 'In O/E' || (name === 'B/O' && status !== 'B/O' && !isReached)) continue;
    kept[name] = isReached ? at : elapsedMs;
  }
  return kept;
};
