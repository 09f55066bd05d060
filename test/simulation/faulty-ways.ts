import type { CallResult, DealerApi, FailedCall, Gate } from '../../src/dealer-api/answers.ts';
import type { PlacingLedger } from '../../src/placing/placing-ledger.ts';
import type { ChangingStep } from '../../src/placing/types.ts';
import { type Effect, type ModelService, noAddress } from './model-service.ts';
import type { Process } from './process.ts';
import type { Random, Scheduler } from './scheduler.ts';

export type ChangingCall = 'createCart' | 'addItem' | 'deleteCart' | 'createOrder';

const stepOf = {
  createCart: 'create_cart',
  addItem: 'add_items',
  deleteCart: 'delete_cart',
  createOrder: 'submit_order',
} as const satisfies Record<ChangingCall, ChangingStep>;

export interface Weather {
  /** The current probability of a fault. */
  faultRate(): number;
  requestTimeoutMs: number;
  readLagMs: number;
  /** Called when a changing call is sent. */
  sends(poNumber: string, step: ChangingStep): void;
  /** The calls that a proxy occasionally sends twice. */
  doubles: readonly ChangingCall[];
}

/** How a call failed, and when it still took effect (undefined: never). */
interface Fate {
  result: FailedCall | undefined;
  answeredMs: number;
  effectMs: number | undefined;
}

const unknown: FailedCall = { kind: 'unknown', message: 'no answer' };
const refusals: FailedCall[] = [
  { kind: 'limited', waitMs: undefined, message: 'answered 429' },
  { kind: 'limited', waitMs: 2000, message: 'answered 429' },
  { kind: 'denied', status: 401, message: 'answered 401' },
  { kind: 'unsupported', status: 405, message: 'answered 405' },
];

const fateOf = (random: Random, weather: Weather): Fate => {
  const timeoutMs = weather.requestTimeoutMs;
  const effectMs = random.between(0, timeoutMs / 10);
  const fine: Fate = {
    result: undefined,
    effectMs,
    answeredMs: effectMs + random.between(0, timeoutMs / 10),
  };
  if (!random.chance(weather.faultRate())) return fine;
  const somewhen = random.between(0, timeoutMs);
  const bySending = random.between(0, timeoutMs);
  // A request takes effect within twice the timeout or never (docs/promise.md), no matter when the client gave up.
  const lateMs = timeoutMs * random.between(0.1, 1.99);
  switch (Math.floor(random.between(0, 9))) {
    // The request was lost.
    case 0:
      return { result: unknown, answeredMs: somewhen, effectMs: undefined };
    case 1:
      return { result: unknown, answeredMs: timeoutMs, effectMs: undefined };
    // The answer was lost, before or after the effect.
    case 2:
      return { result: unknown, answeredMs: somewhen, effectMs: bySending };
    // The effect comes after the client gave up, by up to the timeout.
    case 3:
      return { result: unknown, answeredMs: timeoutMs, effectMs: timeoutMs + bySending };
    case 4:
      return {
        result: { kind: 'misdirected', message: 'a web page' },
        answeredMs: somewhen,
        effectMs: random.pick([somewhen / 2, lateMs, undefined]),
      };
    // Cut off, a 5xx or an empty answer at once, and the effect late.
    case 5:
      return { result: unknown, answeredMs: somewhen / 10, effectMs: lateMs };
    // Slow but successful.
    case 6:
      return { result: undefined, effectMs: somewhen * 0.9, answeredMs: somewhen };
    default:
      return { result: random.pick(refusals), answeredMs: somewhen / 4, effectMs: undefined };
  }
};

/** The connection from one process to the service: calls take time, get lost, act late or get a wrong answer. */
export const createFaultyApi = (
  service: ModelService,
  process: Process,
  scheduler: Scheduler,
  random: Random,
  weather: Weather,
): DealerApi => {
  const call = <T>(gate: Gate | undefined, act: () => Effect<T>): Promise<CallResult<T>> =>
    new Promise((resolve) =>
      process.deliver(random.between(0, 20), () => {
        if (gate && !gate()) return resolve({ kind: 'not_sent', message: 'not started' });
        if (random.chance(weather.faultRate() / 4)) {
          return process.deliver(random.between(0, 50), () =>
            resolve({ kind: 'not_sent', message: 'ECONNREFUSED' }),
          );
        }
        const fate = fateOf(random, weather);
        let effect: Effect<T> | undefined;
        if (fate.effectMs !== undefined) {
          scheduler.after(fate.effectMs, () => {
            effect = act();
          });
        }
        process.deliver(fate.answeredMs + 0.001, () => {
          if (fate.result) return resolve(fate.result);
          const { kind } = effect!;
          if (kind === 'ok') resolve(effect as { kind: 'ok'; value: T });
          else if (kind === 'refused') resolve({ kind, status: 422, message: 'answered 422' });
          else resolve({ kind, message: kind === 'conflict' ? 'answered 409' : 'answered 404' });
        });
      }),
    );
  const change = <T>(
    name: ChangingCall,
    poNumber: string,
    gate: Gate | undefined,
    act: () => Effect<T>,
  ): Promise<CallResult<T>> => {
    const twice = weather.doubles.includes(name) && random.chance(0.05);
    const passes = (): boolean => {
      if (gate && !gate()) return false;
      weather.sends(poNumber, stepOf[name]);
      return true;
    };
    return call(passes, () => {
      if (twice) act();
      return act();
    });
  };
  const agoMs = () => random.between(0, weather.readLagMs);
  const found = <T>(value: T | undefined): Effect<T> =>
    value === undefined ? { kind: 'not_found' } : { kind: 'ok', value };
  let known: string[] = [];
  return {
    createCart: ({ poNumber }, gate) =>
      change('createCart', poNumber, gate, () => service.createCart(poNumber)),
    addItem: (poNumber, item, gate) =>
      change('addItem', poNumber, gate, () => service.addItem(poNumber, item)),
    deleteCart: (poNumber, gate) => change('deleteCart', poNumber, gate, () => service.deleteCart(poNumber)),
    createOrder: (poNumber, gate) =>
      change('createOrder', poNumber, gate, () => service.createOrder(poNumber)),
    showCart: (poNumber, gate) => call(gate, () => found(service.showCart(poNumber, agoMs()))),
    showOrder: (poNumber, gate) => {
      known = [...new Set([...known, poNumber])];
      return call(gate, () => {
        const orders = service.showOrders(poNumber, agoMs());
        return found(orders.length === 0 ? undefined : { ...noAddress, poNumber, orders });
      });
    },
    listOrders: (_from, _to, gate) =>
      call(gate, () => ({
        kind: 'ok',
        value: known.map((poNumber) => ({
          ...noAddress,
          poNumber,
          orders: service.showOrders(poNumber, agoMs()),
        })),
      })),
    stop: () => {},
  };
};

/** The connection to the ledger: a statement takes time, and may fail before or after its commit. */
export const createFaultyLedger = (
  ledger: PlacingLedger,
  process: Process,
  scheduler: Scheduler,
  random: Random,
  weather: Weather,
): PlacingLedger => {
  const statement = <T>(work: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const broken = random.chance(weather.faultRate() / 20);
      const done = !broken || random.chance(0.5);
      scheduler.after(random.between(0, 5), async () => {
        const result = done ? work() : Promise.reject(new Error('the connection to the ledger broke'));
        const settled = await result.then(
          (value) => () => resolve(value),
          (error) => () => reject(error),
        );
        process.deliver(
          random.between(0, 5),
          broken ? () => reject(new Error('the connection broke')) : settled,
        );
      });
    });
  return {
    take: (...args) => statement(() => ledger.take(...args)),
    renewLease: (...args) => statement(() => ledger.renewLease(...args)),
    giveBack: (...args) => statement(() => ledger.giveBack(...args)),
    beginStep: (...args) => statement(() => ledger.beginStep(...args)),
    endStep: (...args) => statement(() => ledger.endStep(...args)),
    transition: (...args) => statement(() => ledger.transition(...args)),
    transitionKeepingLease: (...args) => statement(() => ledger.transitionKeepingLease(...args)),
    pauseAccount: (...args) => statement(() => ledger.pauseAccount(...args)),
    clearPause: (...args) => statement(() => ledger.clearPause(...args)),
    noteReadLag: (...args) => statement(() => ledger.noteReadLag(...args)),
  };
};
