import { newLeaseOwner } from '../../src/ledger/po/take-over.ts';
import type { Logger } from '../../src/logger.ts';
import { advance } from '../../src/placing/advance.ts';
import { createCircuit } from '../../src/placing/circuit.ts';
import { planOperatorAction } from '../../src/placing/operator-actions.ts';
import type { PlacingRules } from '../../src/placing/options.ts';
import { activeStates } from '../../src/placing/types.ts';
import { type ChangingCall, createFaultyApi, createFaultyLedger, type Weather } from './faulty-ways.ts';
import { judge, type Verdict } from './judge.ts';
import { createMemoryLedger, isActive, type LedgerRow, mayHaveOrdered } from './memory-ledger.ts';
import { createModelService, type Variant } from './model-service.ts';
import { type Plan, planOf, variantOf } from './plan.ts';
import { createProcess, type Process } from './process.ts';
import { ledgerRow } from './purchase-orders.ts';
import { createRandom, createScheduler } from './scheduler.ts';
import { watchStandingStill } from './standing-still.ts';
import { createPoll } from './tracking.ts';

/** Truthful declarations about a service: nothing, its treatment of existing carts, or also of ordered numbers. */
const declared = (manners: 'unknown' | 'cart' | 'all', variant: Variant) => ({
  createRefusesExistingCart: manners !== 'unknown' && !variant.replacing,
  createRefusesOrderedPo: manners === 'all' && !variant.reuse && !variant.overOrders && !variant.cartKept,
});

/** The calls that a proxy may send twice without causing a wrong order that nobody could detect or prevent. */
const doubled = (variant: Variant): ChangingCall[] => [
  'deleteCart',
  // A refusal means that nothing was done; a conflict does not (docs/promise.md#what-is-assumed-of-the-service).
  ...(variant.refusing ? [] : (['createCart'] as const)),
  ...(variant.itemsUnreadable ? [] : (['addItem'] as const)),
  ...(variant.cartKept && (variant.reuse || variant.overOrders) ? [] : (['createOrder'] as const)),
];

const requestTimeoutMs = 1000;
const leaseMs = 5000;
const stormEndsMs = 90_000;
const limitMs = 24 * 3_600_000;

const silent = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger;

/**
 * The life of a few POs: workers, faults, crashes, suspensions, a person who cancels, a restored ledger, all
 * determined by the seed. The verdict comes from the model service's own log.
 */
export const simulate = async (seed: number, trace?: (text: string) => void): Promise<Verdict> => {
  const random = createRandom(seed);
  const scheduler = createScheduler(random);
  const variant = variantOf(seed);
  const { now } = scheduler;
  const service = createModelService(variant, now);
  const ledger = createMemoryLedger(now);
  const storm = random.pick([0, 0.02, 0.05, 0.1, 0.2, 0.35]);
  const mortality = random.pick([0, 0, 0.005, 0.02]);
  const weather: Weather = {
    faultRate: () => (now() < stormEndsMs ? storm : 0),
    requestTimeoutMs,
    readLagMs: variant.readLagMs,
    doubles: variant.doubling ? doubled(variant) : [],
    sends: (poNumber, step) => {
      const open = [...ledger.rows.values()].some(
        (row) =>
          row.poNumber === poNumber && row.intents.some((it) => it.step === step && it.outcome === undefined),
      );
      if (!open) service.violations.push(`${poNumber}: ${step} was sent without an intent`);
    },
  };
  const manners = random.pick(['unknown', 'cart', 'all'] as const);
  const settleMs = 2 * requestTimeoutMs + variant.readLagMs + 1000;
  const rules: PlacingRules = {
    poNumbersReused: variant.reuse,
    submissionConsumesCart: !variant.cartKept,
    ...declared(manners, variant),
    requestTimeoutMs,
    readLagMs: variant.readLagMs,
    settleMs,
    unreachableAllowedMs: random.chance(0.03) ? 20_000 : 3_600_000,
    deniedPauseMs: 10_000,
    linesInFlight: random.pick([1, 1, 2, 8]),
    rebuildsAllowed: 5,
    guards: { backorder: false, unknownPrice: true },
  };

  const plans = Array.from({ length: 1 + Math.floor(random.between(0, 3)) }, (_, at) =>
    planOf(String(at + 1), random),
  );
  for (const plan of plans) {
    const { id, poNumber, lines, foreignCart, foreignOrders, handOrder, quoteOnly } = plan;
    ledger.rows.set(id, ledgerRow(id, lines, { quoteOnly }));
    service.plant(poNumber, {
      ...(foreignCart ? { cart: [{ sku: 'Z', quantity: 9 }] } : {}),
      ...(foreignOrders ? { orders: [[{ sku: random.pick(['A', 'Z']), quantity: 9 }]] } : {}),
    });
    if (handOrder)
      scheduler.after(random.between(0, 4000), () =>
        service.orderByHand(poNumber, [{ sku: 'Z', quantity: 9 }]),
      );
  }

  const processes: Process[] = [];
  const workerIds = new Map<Process, string>();
  let started = 0;
  let restoring = false;
  const isStormy = () => now() < stormEndsMs;
  // Often long enough for another worker to claim the PO and still be working when it ends.
  const suspensionMs = () => {
    const [low, high] = random.pick([
      [0, 2],
      [1.4, 2.6],
      [0, 15],
    ] as const);
    return leaseMs * random.between(low, high);
  };

  const start = (): void => {
    started += 1;
    const process = createProcess(`worker ${started}`, scheduler, random);
    const workerId = `00000000-0000-4${started.toString(16).padStart(3, '0')}-8000-000000000000`;
    processes.push(process);
    workerIds.set(process, workerId);
    const api = createFaultyApi(service, process, scheduler, random, weather);
    const deps = {
      ledger: createFaultyLedger(ledger, process, scheduler, random, weather),
      accounts: () => ['default'],
      apiOf: () => api,
      rulesOf: () => rules,
      leaseMs,
      graceMs: requestTimeoutMs + settleMs,
      newLeaseOwner: () => newLeaseOwner(workerId),
      // Like the worker, free leases that its runs gave up, once the ledger can be reached.
      abandoned: (owner: string) =>
        void process
          .sleep(random.between(0, 2000))
          .then(() => ledger.takeOver(owner, { graceMs: requestTimeoutMs + settleMs, settleMs }, true)),
      logger: silent,
      circuit: createCircuit(),
      reasonLog: { note() {}, stop() {} },
      clock: process.clock,
      checkpoint: async () => {
        if (!isStormy() || !random.chance(mortality)) return;
        if (random.chance(0.6)) die(process);
        else process.freeze(suspensionMs());
        await process.sleep(0);
      },
    };
    void (async () => {
      for (;;) {
        await process.sleep(random.between(0, 100));
        const active = [...ledger.rows.values()].filter((row) => isActive(row.state));
        if (active.length === 0) {
          await process.sleep(5000);
          continue;
        }
        const { id } = random.pick(active);
        // A job whose ledger cannot be reached fails and is retried.
        const advanced = await advance(deps, id, activeStates).catch(() => undefined);
        const state = ledger.rows.get(id)?.state;
        trace?.(`${now().toFixed(0)} ${process.name} PO-${id} ${JSON.stringify(advanced)} ${state}`);
        if (advanced?.kind === 'later') await process.sleep(Math.min(advanced.waitMs, 10_000));
      }
    })();
  };

  const die = (process: Process): void => {
    if (!process.alive()) return;
    process.kill();
    trace?.(`${now().toFixed(0)} ${process.name} vanished`);
    // A process of the same machine notices it, if there is one.
    if (random.chance(0.7)) {
      const settle = { graceMs: requestTimeoutMs + settleMs, settleMs };
      scheduler.after(random.between(0, 6000), () => ledger.takeOver(workerIds.get(process)!, settle));
    }
    if (!restoring) scheduler.after(random.between(0, 5000), () => !restoring && start());
  };

  const workers = 1 + Math.floor(random.between(0, 3));
  for (let at = 0; at < workers; at += 1) start();

  // At any await, not only at checkpoints.
  const strike = (): void =>
    scheduler.after(random.between(0, 8000), () => {
      if (!isStormy()) return;
      const living = processes.filter((process) => process.alive());
      if (mortality > 0 && living.length > 0) {
        const process = random.pick(living);
        if (random.chance(0.5)) die(process);
        else process.freeze(suspensionMs());
      }
      strike();
    });
  strike();

  // Like `recordWish`: at any moment, even while a worker has the PO or has submitted it.
  const wish = (row: LedgerRow, what: 'cancelling' | 'holding'): void => {
    row[what] = true;
    if (row.leaseOwner !== undefined) return;
    row.run += 1;
    if (['ready', 'cart_created', 'items_added'].includes(row.state)) row.nextAt = now();
  };
  if (random.chance(0.1)) {
    const { id } = random.pick(plans);
    scheduler.after(random.between(0, 10_000), () => {
      const row = ledger.rows.get(id)!;
      if (isActive(row.state)) wish(row, 'holding');
    });
  }
  // A person pauses the account during the work, and resumes it.
  if (random.chance(0.1)) {
    const pause = (pausedByPerson: boolean) => (): void => {
      const known = ledger.accounts.get('default');
      const none = { pausedUntil: Number.NEGATIVE_INFINITY, code: undefined, pauses: 0 };
      ledger.accounts.set('default', { ...(known ?? none), pausedByPerson });
    };
    const at = random.between(0, 10_000);
    scheduler.after(at, pause(true));
    scheduler.after(at + random.between(0, 60_000), pause(false));
  }
  const cancelled = random.chance(0.1) ? random.pick(plans).id : undefined;
  if (cancelled) {
    scheduler.after(random.between(0, 10_000), () => {
      const row = ledger.rows.get(cancelled)!;
      if (!isActive(row.state)) return;
      wish(row, 'cancelling');
      if (random.chance(0.7)) {
        awaited = true;
        succeed(cancelled);
      }
    });
  }

  // The simulation ends only after the corrected file has arrived.
  let awaited = false;
  // The corrected file arrives right after the cancellation: requests of the old PO may still take effect.
  const succeed = (id: string): void =>
    scheduler.after(random.between(0, 200), () => {
      const { state } = ledger.rows.get(id)!;
      if (isActive(state)) return succeed(id);
      awaited = false;
      const plan = plans.find((each) => each.id === id)!;
      if (state !== 'cancelled' || plan.quoteOnly || restored) return;
      plan.succeeded = true;
      const corrected: Plan = {
        ...plan,
        id: `${id}-corrected`,
        lines: plan.lines.map((each) => ({ ...each, quantity: each.quantity + 1 })),
        succeeded: false,
      };
      plans.push(corrected);
      ledger.rows.set(
        corrected.id,
        ledgerRow(corrected.id, corrected.lines, { poNumber: plan.poNumber, nextAt: now() }),
      );
    });

  // A person has the file read again before anything was sent for the PO; another file had repeated it.
  if (random.chance(0.1)) {
    const { id } = random.pick(plans);
    scheduler.after(random.between(0, 3000), () => {
      const row = ledger.rows.get(id)!;
      const isUntouched = row.intents.length === 0 && row.leaseOwner === undefined;
      if (restored || !isUntouched || (row.state !== 'ready' && row.state !== 'held')) return;
      Object.assign(row, {
        state: 'cancelled',
        reason: { code: 'read_again', text: 'read again' },
        run: row.run + 1,
      });
      const plan = plans.find((each) => each.id === id)!;
      plan.succeeded = true;
      plans.push({ ...plan, id: `${id}-again`, succeeded: false });
      const { quoteOnly, poNumber } = plan;
      ledger.rows.set(
        `${id}-again`,
        ledgerRow(`${id}-again`, plan.lines, { poNumber, quoteOnly, nextAt: now() }),
      );
    });
  }

  // Polls, even of closed orders: orders that appear late are adopted and compared again.
  const tracking = createPoll(ledger, service);
  const polls = (): void =>
    scheduler.after(random.between(2000, 20_000), () => {
      if (!isStormy()) return;
      void tracking.poll(variant.readLagMs).then(() => random.chance(0.3) && tracking.close());
      polls();
    });
  polls();

  const { stood } = watchStandingStill({
    ...{ ledger, scheduler, leaseEndsMs: requestTimeoutMs + settleMs },
    isDown: () => restoring,
  });

  // A person who resolves a hold as soon as it appears.
  const hasty = random.chance(0.15);
  const releaseHeld = (): void =>
    scheduler.after(random.between(0, 3000), () => {
      if (!isStormy()) return;
      for (const row of ledger.rows.values()) {
        if (row.state !== 'held' || row.leaseOwner !== undefined) continue;
        const released = planOperatorAction('release', {
          ...row,
          reasonCode: row.reason?.code,
          reasonText: row.reason?.text,
          leased: false,
          mayHaveOrdered: mayHaveOrdered(row),
        });
        if (released.kind !== 'plan') continue;
        const { state, nextEpoch, approvals, cancelling } = released.plan;
        Object.assign(row, {
          ...{ state, cancelling, holding: false, approvals: { ...row.approvals, ...approvals } },
          ...{ epoch: row.epoch + (nextEpoch ? 1 : 0), reason: undefined, alarm: undefined },
          ...{
            rebuilds: 0,
            lookups: 0,
            failures: 0,
            failingSince: undefined,
            nextAt: now(),
            run: row.run + 1,
          },
        });
      }
      releaseHeld();
    });
  if (hasty) releaseHeld();

  // A backup that is restored later: the ledger forgets what happened since, the service does not. Where
  // carts can't be read, a backup from between a cart's creation and its last line is outside the promise:
  // lines that were added since would be added again, and nobody could see it.
  const restored = random.chance(0.1) && !variant.itemsUnreadable;
  if (restored) {
    scheduler.after(random.between(0, random.pick([2000, 20_000])), () => {
      const backup = ledger.dump();
      scheduler.after(random.between(0, 40_000), () => {
        restoring = true;
        for (const process of processes) process.kill();
        scheduler.after(10 * requestTimeoutMs, () => {
          trace?.(`${now().toFixed(0)} ledger restored`);
          for (const [id, row] of backup.rows) ledger.rows.set(id, row);
          ledger.accounts.clear();
          restoring = false;
          for (let at = 0; at < workers; at += 1) start();
        });
      });
    });
  }

  const drained = await scheduler.run(
    () =>
      now() > stormEndsMs &&
      !restoring &&
      !awaited &&
      ![...ledger.rows.values()].some((row) => isActive(row.state)),
    limitMs,
  );
  // Requests in flight arrive.
  const endsAt = now() + 3 * requestTimeoutMs;
  for (const process of processes) process.kill();
  await scheduler.run(() => now() > endsAt, limitMs);
  await tracking.poll(0);
  if (trace)
    for (const { at, poNumber, what } of service.log) trace(`service ${at.toFixed(0)} ${poNumber} ${what}`);
  return judge({
    ...{ seed, plans, rows: ledger.rows, service, drained, restored, unexplained: variant.doubling },
    stood: [...stood],
  });
};
