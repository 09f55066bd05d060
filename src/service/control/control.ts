import { randomUUID } from 'node:crypto';
import type { OrderStatus } from '../../contract/codes.ts';
import { plainIssues } from '../../contract/plain-issues.ts';
import type { ClockState, ServiceClock } from '../clock.ts';
import { codeListsOf } from '../code-lists.ts';
import { inTransaction } from '../in-transaction.ts';
import { RefusedRequest } from '../read-body.ts';
import type { CallDeps } from '../serve-call.ts';
import { checked, entriesOf, sentenceOf } from './checked.ts';
import { controlSchemas } from './control-schemas.ts';
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
  /** The moment that it shows from now on, also as text (ISO 8601); `real` is the real time. */
  set?: Date | string | undefined;
  /** How far to step it forward. */
  advanceMs?: number | undefined;
}

/**
 * What tests can do to the service from outside its interface. All input is checked as over HTTP; invalid input throws
 * RefusedRequest, whose message names the fields and their allowed values.
 */
export interface Control {
  /**
   * Removes carts, orders, audit rows and journal entries of the scope. Without a scope it brings the whole service back to
   * its start: clock, fault rules and seeds as configured, numbers from the beginning.
   */
  reset(scope?: ResetScope): Promise<ResetCounts>;
  /** Creates carts and orders. Stops at the first seed that is refused, which creates nothing; earlier ones stay. */
  seed(seeds: readonly SeedInput[], requestId?: string): Promise<Seeded[]>;
  /** Changes the clock and returns what it shows. */
  clock(change?: ClockChange): Promise<ClockState>;
  /** Sets the status of an order, which then stays in it. False if there is no such order. */
  setStatus(orderNumber: string, status: OrderStatus): Promise<boolean>;
  /** Releases an order on hold. False if there is none with this number. */
  release(orderNumber: string): Promise<boolean>;
  journal: Pick<Journal, 'list' | 'clear'>;
}

export const createControl = (
  deps: CallDeps,
  { clock, journal }: { clock: ServiceClock; journal: Journal },
): Control & { seedAtStart(): Promise<void> } => {
  const { config } = deps;
  const schemas = controlSchemas(config);
  const schema = seedSchema(codeListsOf(config), config.maxQuantity);

  const parse = (seed: unknown, at: number): Seed => {
    const parsed = schema.safeParse(seed, { error: plainIssues });
    if (parsed.success) return parsed.data;
    const sentence = sentenceOf(
      `Seed ${at + 1} is invalid; nothing was stored`,
      entriesOf(parsed.error, { schema }),
    );
    throw new RefusedRequest('invalid', sentence, entriesOf(parsed.error, { schema, within: [at] }));
  };

  /** Says how many seeds were created before one was refused. */
  const leftOver = (made: number): string =>
    made === 0
      ? 'Nothing was created.'
      : `Nothing of it was created; the ${made === 1 ? 'seed' : `${made} seeds`} before it stay${made === 1 ? 's' : ''}.`;

  const apply = async (seeds: readonly Seed[], options: { requestId: string; skipUsed?: boolean }) => {
    const made: Seeded[] = [];
    for (const [at, seed] of seeds.entries()) {
      try {
        const seeded = await inTransaction(deps.pool, (client) =>
          applySeed({ ...deps, pool: client }, seed, options),
        );
        if (seeded) made.push(seeded);
      } catch (thrown) {
        if (!(thrown instanceof RefusedRequest)) throw thrown;
        throw new RefusedRequest(
          thrown.code,
          `Seed ${at + 1} (PO ${seed.po_number}): ${thrown.message.replace(/\.$/, '')}. ${leftOver(made.length)}`,
          thrown.errors?.map((entry) => ({ ...entry, field: `${at}.${entry.field}` })),
        );
      }
    }
    return made;
  };

  const seedAtStart = async () => {
    // A restarted sandbox still has the seeds.
    await apply(config.seed.map(parse), { requestId: 'seed-at-start', skipUsed: true });
  };

  return {
    journal: {
      list: (filter = {}) =>
        journal.list(checked(schemas.journalFilter, filter, 'The journal cannot be filtered')),
      clear: (scope = {}) => journal.clear(checked(schemas.scope, scope, 'The journal was not cleared')),
    },
    seedAtStart,
    reset: async (given = {}) => {
      const scope = checked(schemas.scope, given, 'Nothing was reset');
      const isAll = scope.dealer === undefined && scope.poNumber === undefined;
      if (isAll) deps.faultInjector.release();
      return deps.gate.runAlone(scope, async () => {
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
    seed: async (given, requestId = `seed-${randomUUID()}`) => {
      const seeds = checked(schemas.seeds, given, 'Nothing was seeded', { allowsUndefined: true }).map(parse);
      return deps.gate.run(() => apply(seeds, { requestId }));
    },
    clock: async (given) => {
      const change =
        given === undefined ? {} : checked(schemas.clockChange, given, 'The clock was not changed');
      if (change.freeze !== undefined) await clock.setSpeed(change.freeze ? 0 : config.clockSpeed);
      if (change.speed !== undefined) await clock.setSpeed(change.speed);
      if (change.set !== undefined) await clock.set(change.set === 'real' ? undefined : change.set);
      if (change.advanceMs !== undefined) await clock.advance(change.advanceMs);
      return clock.state();
    },
    setStatus: async (orderNumber, status) => {
      const order = checked(schemas.status, { orderNumber, status }, 'No status was set');
      return setStatus(deps.pool, order.orderNumber, order.status);
    },
    release: async (orderNumber) =>
      releaseOrder(
        deps.pool,
        checked(schemas.orderNumber, { orderNumber }, 'No order was released').orderNumber,
      ),
  };
};
