import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultKinds } from '../../src/service/fault-rules.ts';
import type { Verdict } from '../support/judge.ts';
import { readAudit } from '../support/read-audit.ts';
import { planFaults, planLateEffects, requestTimeoutMs } from './fault-plan.ts';
import { openServices, type ServedDealer } from './open-services.ts';

/** Variants of our default service, with the settings of the account. */
const variants = {
  // First, because variants of a service override it.
  'declared manners': {
    service: {},
    account: {
      createRefusesExistingCart: true,
      createRefusesOrderedPo: true,
      submissionConsumesCart: true,
      linesInFlight: 3,
    },
  },
  'cart kept': {
    service: { cartAfterSubmission: 'kept' },
    account: { submissionConsumesCart: false },
  },
  'same SKU merged': { service: { sameSku: 'merged' }, account: {} },
  're-use allowed': {
    service: { poReuse: 'allowed' },
    account: { poNumbersReused: true, createRefusesOrderedPo: false },
  },
  'lagging reads': {
    service: { readLagMs: 300 },
    account: { readLag: '300ms' },
  },
  'create replacing': {
    service: { existingCart: 'replaced' },
    account: { createRefusesExistingCart: false },
  },
  'items hidden': { service: { itemsIn: ['orders'] }, account: {} },
} satisfies Record<string, { service: object; account: object }>;

type Variant = keyof typeof variants;
const names = Object.keys(variants) as Variant[];

/** Kinds of service, with the seeds of their tests. */
const ways: { variants: Variant[]; seeds: number[]; third?: number; late?: true }[] = [
  { variants: [], seeds: [1, 2, 3] },
  { variants: [], seeds: [], late: true },
  { variants: ['items hidden'], seeds: [], late: true },
  { variants: ['items hidden', 'same SKU merged'], seeds: [], late: true },
  ...names.map((name) => ({ variants: [name], seeds: [1] })),
  // Any two of the seven are together in exactly one of these.
  ...names.map((_, at) => ({
    variants: [at, at + 1, at + 3].map((place) => names[place % names.length]!),
    seeds: [5],
    third: at % 3,
  })),
];
const titleOf = ({ variants: kinds, late }: (typeof ways)[number]) =>
  `${kinds.join(' and ') || 'default'}${late ? ', late effects after every early failure' : ''}`;
const dealerOf = (at: number) => `way-${at}`;

describe('every call with every fault', () => {
  const dealers = ways.map((way, at): ServedDealer => {
    const { pos, faults } = way.late ? planLateEffects() : planFaults(way.seeds, way.third);
    return {
      dealer: dealerOf(at),
      pos,
      service: Object.assign({ faults }, ...way.variants.map((name) => variants[name].service)),
      account: Object.assign(
        {
          requestTimeout: `${requestTimeoutMs}ms`,
        },
        ...way.variants.map((name) => variants[name].account),
      ),
    };
  });
  const verdicts: Verdict[] = [];
  let open: Awaited<ReturnType<typeof openServices>>;

  // One system places everything, because POs do not wait for each other, and each account has its own pauses.
  beforeAll(async () => {
    open = await openServices(dealers, {
      leaseMs: 20_000,
      placesAtOnce: 32,
    });
    await open.orderAll(1_200_000);
    for (const dealer of dealers) verdicts.push(await open.judge(dealer));
  }, 1_300_000);
  afterAll(() => open?.end());

  it.each(ways.map((way, at) => ({ title: titleOf(way), at })))(
    'each PO is ordered exactly once at a service of this kind: $title',
    async ({ at }) => {
      const { held, ...verdict } = verdicts[at]!;
      expect(verdict).toMatchObject({ lost: [], double: [], wrong: [], refused: {} });
      // If submission keeps the cart, an existing cart proves nothing, so unclear submissions wait for a person.
      const faults = await readAudit(open.pool, { dealer: dealerOf(at), outcome: 'fault' });
      const unclear = (step: string) =>
        faults.filter(({ endpoint }) => endpoint === step).map((fault) => fault.poNumber);
      const kinds = new Set(ways[at]!.variants);
      const mayBeHeld: Record<string, unknown[]> = {
        ...(kinds.has('cart kept') && { submission_unknown: unclear('submitOrder') }),
        ...(kinds.has('declared manners') &&
          // Created without a lookup, so a cart that hides its items may be somebody else's.
          kinds.has('items hidden') && { foreign_cart: unclear('createCart') }),
      };
      for (const [reason, pos] of Object.entries(held)) {
        expect(mayBeHeld).toHaveProperty(reason);
        expect(mayBeHeld[reason]).toEqual(expect.arrayContaining(pos));
      }
    },
  );

  it('every kind of fault occurred at every endpoint', async () => {
    const met = new Set<string>();
    for (const entry of await readAudit(open.pool, { dealer: dealerOf(0), outcome: 'fault' })) {
      met.add(`${entry.endpoint} ${entry.detail.kind}`);
    }
    expect(met.size).toBe(7 * faultKinds.length);
  });
});
