import { randomUUID } from 'node:crypto';
import type { OrderStatus } from '../../contract/codes.ts';
import type { ClockState, ServiceClock } from '../clock.ts';
import { codeListsOf } from '../code-lists.ts';
import { RefusedRequest } from '../read-body.ts';
import type { CallDeps } from '../serve-call.ts';
import type { Journal } from './journal.ts';
import { releaseOrder } from './release-order.ts';
import { type ResetCounts, type ResetScope, removeData } from './reset.ts';
import { applySeed, type Seed, type Seeded, type SeedInput, seedSchema } from './seeds.ts';
import { setStatus } from './set-status.ts';

/** A change of the clock. Several are made in this order: `speed` or `freeze`, `set`, `advanceMs`. */
export interface ClockChange {
  /** How many times faster than real time it runs from now on. */
  speed?: number | undefined;
  /** true stops the clock; false lets it run as configured. */
  freeze?: boolean | undefined;
  /** The moment that it shows from now on; `real` is the real time. */
  set?: Date | 'real' | undefined;
  /** How far to step it forward. */
  advanceMs?: number | undefined;
}

/** What tests can do to the service from outside its interface. */
export interface Control {
  /**
   * Removes carts, orders, audit rows and journal entries of the scope. Without a scope it brings the whole service back to
   * its start: clock, fault rules and seeds as configured, numbers from the beginning.
   */
  reset(scope?: ResetScope): Promise<ResetCounts>;
  /** Creates carts and orders. Stops at the first that is refused; what was created before it stays. */
  seed(seeds: readonly SeedInput[], requestId?: string): Promise<Seeded[]>;
  /** Changes the clock and returns what it shows. */
  clock(change?: ClockChange): Promise<ClockState>;
  /** Sets the status of an order, which then stays in it. False if there is no such order. */
  setStatus(orderNumber: string, status: OrderStatus): Promise<boolean>;
  /** Releases an order on hold. False if there is none with this number. */
  release(orderNumber: string): Promise<boolean>;
  journal: Journal;
}

/** The carts that the examples of the OpenAPI document need: the one that is deleted. */
const exampleSeeds: SeedInput[] = [{ po_number: 'PO-1002' }];

export const createControl = (
  deps: CallDeps,
  { clock, journal }: { clock: ServiceClock; journal: Journal },
): Control & { seedAtStart(): Promise<void> } => {
  const { config } = deps;
  const schema = seedSchema(codeListsOf(config), config.maxQuantity);

  const parse = (seed: SeedInput, at: number): Seed => {
    const parsed = schema.safeParse(seed);
    if (parsed.success) return parsed.data;
    const errors = parsed.error.issues.flatMap((issue) => {
      const names = issue.code === 'unrecognized_keys' ? issue.keys : [undefined];
      return names.map((name) => ({
        field: [at, ...issue.path, ...(name === undefined ? [] : [name])].map(String).join('.'),
        code: name === undefined ? issue.code : 'unknown_field',
        message: name === undefined ? issue.message : 'unknown field',
      }));
    });
    throw new RefusedRequest('invalid', `Seed ${at + 1} is invalid; nothing was stored.`, errors);
  };

  const apply = async (seeds: readonly Seed[], options: { requestId: string; skipUsed?: boolean }) => {
    const made: Seeded[] = [];
    for (const [at, seed] of seeds.entries()) {
      try {
        const seeded = await applySeed(deps, seed, options);
        if (seeded) made.push(seeded);
      } catch (thrown) {
        if (!(thrown instanceof RefusedRequest)) throw thrown;
        throw new RefusedRequest(
          thrown.code,
          `Seed ${at + 1} (PO ${seed.po_number}): ${thrown.message.replace(/\.$/, '')}. What was created before it stays.`,
          thrown.errors?.map((entry) => ({ ...entry, field: `${at}.${entry.field}` })),
        );
      }
    }
    return made;
  };

  const seedAtStart = async () => {
    const seeds = [...(config.examples ? exampleSeeds : []), ...(config.seed as SeedInput[])];
    // A sandbox that was stopped still has them.
    await apply(seeds.map(parse), { requestId: 'seed-at-start', skipUsed: true });
  };

  return {
    journal,
    seedAtStart,
    reset: async (scope = {}) => {
      const isAll = scope.dealer === undefined && scope.poNumber === undefined;
      if (isAll) deps.faultInjector.release();
      return deps.gate.runAlone(async () => {
        const counts = await removeData(deps.pool, scope);
        journal.clear(scope);
        if (isAll) {
          deps.faults.replace(config.faults);
          await clock.setSpeed(config.clockSpeed);
          await clock.set();
          await seedAtStart();
        }
        return counts;
      });
    },
    seed: async (seeds, requestId = `seed-${randomUUID()}`) => {
      const parsed = seeds.map(parse);
      return deps.gate.run(() => apply(parsed, { requestId }));
    },
    clock: async (change = {}) => {
      if (change.freeze !== undefined) await clock.setSpeed(change.freeze ? 0 : config.clockSpeed);
      if (change.speed !== undefined) await clock.setSpeed(change.speed);
      if (change.set !== undefined) await clock.set(change.set === 'real' ? undefined : change.set);
      if (change.advanceMs !== undefined) await clock.advance(change.advanceMs);
      return clock.state();
    },
    setStatus: (orderNumber, status) => setStatus(deps.pool, orderNumber, status),
    release: (orderNumber) => releaseOrder(deps.pool, orderNumber),
  };
};
