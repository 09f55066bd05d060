import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultKinds } from '../../src/service/fault-rules.ts';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { ordersByPo, readAudit } from '../../src/service/read-audit.ts';
import { createTestDatabase } from '../support/database.ts';
import { judge, readStandings, type Verdict } from '../support/judge.ts';
import { createSystem, fileOf, type System, startService } from '../support/run-system.ts';
import { planFaults, planLateEffects, requestTimeoutMs } from './fault-plan.ts';

/** How a service may be other than ours is by default, and what its account says of it. */
const variants = {
  'cart kept': {
    service: { cartAfterSubmission: 'kept' },
    account: { submissionConsumesCart: false },
  },
  'same SKU merged': { service: { sameSku: 'merged' }, account: {} },
  're-use allowed': { service: { poReuse: 'allowed' }, account: { poNumbersReused: true } },
  'lagging reads': {
    service: { readLagMs: 300 },
    account: { readLag: '300ms', settle: `${2 * requestTimeoutMs + 400}ms` },
  },
  'create replacing': { service: { existingCart: 'replaced' }, account: {} },
  'items hidden': { service: { cartItems: 'hidden' }, account: {} },
} satisfies Record<string, { service: object; account: object }>;

type Variant = keyof typeof variants;
const names = Object.keys(variants) as Variant[];

/** Each way of being a service, and the seeds it is tried with. */
const ways: { variants: Variant[]; seeds: number[]; third?: number; late?: true }[] = [
  { variants: [], seeds: [1, 2, 3] },
  { variants: [], seeds: [], late: true },
  { variants: ['items hidden'], seeds: [], late: true },
  { variants: ['items hidden', 'same SKU merged'], seeds: [], late: true },
  ...names.map((name) => ({ variants: [name], seeds: [1] })),
  ...names
    .flatMap((one, at) => names.slice(at + 1).map((other) => [one, other]))
    .map((pair, at) => ({ variants: pair, seeds: [5], third: at % 3 })),
];
const titleOf = ({ variants: kinds, late }: (typeof ways)[number]) =>
  `${kinds.join(' and ') || 'default'}${late ? ', effects that come late after every early failure' : ''}`;
const dealerOf = (at: number) => `way-${at}`;

describe('every call with every fault', () => {
  const plans = ways.map((way) => (way.late ? planLateEffects() : planFaults(way.seeds, way.third)));
  const services: ListeningService[] = [];
  const verdicts: Verdict[] = [];
  let pool: pg.Pool;
  let system: System;
  let end: () => Promise<void>;

  // One system places everything: POs don't wait for each other, and an account's pause is its own.
  beforeAll(async () => {
    const [ledger, served] = [await createTestDatabase(), await createTestDatabase()];
    pool = new pg.Pool({ connectionString: served.url, max: 20 });
    const accounts: Parameters<typeof createSystem>[0]['accounts'] = {};
    for (const [at, way] of ways.entries()) {
      const token = `secret-${at}`;
      const service = await startService(pool, {
        dealers: [{ name: dealerOf(at), token }],
        faults: plans[at]!.faults,
        ...Object.assign({}, ...way.variants.map((name) => variants[name].service)),
      });
      services.push(service);
      accounts[dealerOf(at)] = {
        baseUrl: service.url,
        token,
        requestTimeout: `${requestTimeoutMs}ms`,
        settle: `${2 * requestTimeoutMs + 100}ms`,
        deniedPause: '1s',
        ...Object.assign({}, ...way.variants.map((name) => variants[name].account)),
      };
    }
    system = await createSystem({
      ledgerUrl: ledger.url,
      accounts,
      worker: { lease: '20s', concurrency: { importFile: 4, createCart: 32, addItems: 32, submitOrder: 32 } },
    });
    end = async () => {
      await system.stop();
      await Promise.all(services.map((service) => service.stop()));
      await pool.end();
      await Promise.all([ledger.drop(), served.drop()]);
    };
    await system.spawn();
    for (const [at, plan] of plans.entries()) await system.drop(dealerOf(at), 'orders.csv', fileOf(plan.pos));
    await system.settled(ways.length, 480_000);
    for (const [at, plan] of plans.entries()) {
      const dealer = dealerOf(at);
      verdicts.push(
        judge(plan.pos, await ordersByPo(pool, { dealer }), await readStandings(system.ledger, dealer)),
      );
    }
  }, 500_000);
  afterAll(() => end?.());

  it.each(ways.map((way, at) => ({ title: titleOf(way), at })))(
    'places each PO exactly once at a service of this kind: $title',
    async ({ at }) => {
      const { held, ...verdict } = verdicts[at]!;
      expect(verdict).toMatchObject({ lost: [], double: [], wrong: [], refused: {} });
      // Where a submitted cart stays, one that still stands says nothing: what is unclear waits for a person.
      const faults = await readAudit(pool, { dealer: dealerOf(at), outcome: 'fault' });
      const unclear = faults
        .filter(({ endpoint }) => endpoint === 'submitOrder')
        .map((fault) => fault.poNumber);
      const mayBeHeld = ways[at]!.variants.includes('cart kept') ? { submission_unknown: unclear } : {};
      for (const [reason, pos] of Object.entries(held)) {
        expect(mayBeHeld).toHaveProperty(reason);
        expect(unclear).toEqual(expect.arrayContaining(pos));
      }
    },
  );

  it('gave every kind of fault at every endpoint', async () => {
    const met = new Set<string>();
    for (const entry of await readAudit(pool, { dealer: dealerOf(0), outcome: 'fault' })) {
      met.add(`${entry.endpoint} ${entry.detail.kind}`);
    }
    expect(met.size).toBe(7 * faultKinds.length);
  });
});
