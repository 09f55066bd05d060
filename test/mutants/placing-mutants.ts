import type { Mutant } from './mutants.ts';

const decide = 'src/placing/decide.ts';
const simulation = {
  tests: ['test/simulation/default-service.test.ts', 'test/simulation/variants.test.ts'],
  seeds: 3000,
};
const variants = { tests: ['test/simulation/variants.test.ts'], seeds: 30_000 };
const contract = ['test/ledger/placing-ledger.test.ts'];

/** Safeguards of placing: decisions, leases, and what the ledger allows. */
export const placingMutants: Mutant[] = [
  {
    safeguard: 'a lease ends with the time that passed while the machine was suspended',
    file: 'src/placing/lease.ts',
    edits: [
      [
        `Math.max(clock.monotonicMs() - then.monotonicMs, clock.date().getTime() - then.wallMs)`,
        `clock.monotonicMs() - then.monotonicMs`,
      ],
    ],
    tests: ['test/placing/lease.test.ts'],
    named: 'suspended',
  },
  {
    safeguard: 'a renewal that the ledger refuses ends the lease at once',
    file: 'src/placing/lease.ts',
    edits: [[`    lost ||= renewed === false;\n`, ``]],
    tests: ['test/placing/lease.test.ts'],
    named: 'refuses',
  },
  {
    safeguard: 'a process takes only POs of accounts that it serves',
    file: 'src/ledger/placing-ledger.ts',
    edits: [[`and p.account = any($6)`, `and $6::text[] is not null`]],
    tests: contract,
    named: 'only to a process that serves the account',
  },
  {
    safeguard: 'a lookup precedes each submission (rule 6)',
    file: decide,
    edits: [
      [
        `items_added: (s, orders, cart) => {\n    if (orders !== 'none') return startVerifying;`,
        `items_added: (s, _orders, cart) => {`,
      ],
    ],
    tests: ['test/placing/decide-rules.test.ts'],
    named: 'rule 6',
  },
  {
    safeguard: 'an unknown submission is verified, not repeated (rule 7)',
    file: decide,
    edits: [
      [
        `    not_found: () => startVerifying,\n    unknown: () => startVerifying,`,
        `    not_found: () => startVerifying,\n    unknown: () => retry('reads', 'next'),`,
      ],
    ],
    ...variants,
  },
  {
    safeguard: 'an intent without an outcome is unknown (rule 1)',
    file: 'src/placing/attempt-facts.ts',
    edits: [
      [`(intent.outcome ?? 'unknown')`, `(intent.outcome ?? 'not_acted')`],
      [`intent.outcome === undefined || intent.outcome === 'unknown'`, `intent.outcome === 'unknown'`],
    ],
    ...simulation,
  },
  {
    safeguard: 'verification waits for the service to settle before its lookups (rule 7)',
    file: decide,
    edits: [
      [
        `{ do: 'verify', wait: 'settle', counted: false };`,
        `{ do: 'verify', wait: 'none', counted: false };`,
      ],
    ],
    tests: ['test/placing/decide-rules.test.ts'],
    named: 'killed while submitting',
  },
  {
    safeguard: 'an order counts as missing only after three lookups (rule 7)',
    file: decide,
    edits: [[`const lookupsNeeded = 3;`, `const lookupsNeeded = 1;`]],
    tests: ['test/placing/decide-verifying.test.ts'],
    named: 'no order at the second lookup',
  },
  {
    safeguard: 'a PO is submitted at most once per epoch: the unique index (rule 7)',
    file: 'src/ledger/migrations/001-ledger.sql',
    edits: [[`create unique index one_submit_per_epoch`, `create index one_submit_per_epoch`]],
    tests: contract,
    named: 'to submit_order exists once per epoch',
  },
  {
    safeguard: 'the lease is checked when a request is sent (rule 10)',
    file: 'src/placing/lease.ts',
    edits: [[`lost ||= msSince(grantedAt) >= leaseMs;`, ``]],
    tests: ['test/placing/lease.test.ts', 'test/placing/advance.test.ts'],
    named: 'lease',
  },
  {
    safeguard: 'a new cart gets every line, even those that an earlier cart already had (rule 3)',
    file: 'src/ledger/purchase-order-row.ts',
    edits: [[`(sameCart ? line.answer : undefined)`, `(sameCart || own ? line.answer : undefined)`]],
    tests: contract,
    named: 'when the cart of answered lines becomes',
  },
  {
    safeguard: 'transitions are conditional on state and epoch',
    file: 'src/ledger/transition.ts',
    edits: [
      [
        ` and p.epoch = \${bind(po.epoch)}
      and p.state = \${bind(po.state)}`,
        ``,
      ],
    ],
    tests: contract,
    named: 'every write is conditional on',
  },
  {
    safeguard: 'a takeover waits for the grace period (rule 10)',
    file: 'src/ledger/placing-ledger.ts',
    edits: [
      [
        `p.lease_until + $5::float8 * interval '1 millisecond' < clock_timestamp()`,
        `p.lease_until < clock_timestamp() and $5::float8 is not null`,
      ],
    ],
    tests: contract,
    named: 'only after the grace',
  },
  {
    safeguard: 'carts are rebuilt, never patched (rule 3)',
    file: decide,
    edits: [
      [`if (s.items === 'unknown' || s.items === 'refused') return`, `if (s.items === 'refused') return`],
      [
        `not_found: () => retry('reads'),\n    unknown: () => call('delete_cart'),`,
        `not_found: () => retry('reads'),\n    unknown: () => retry('reads'),`,
      ],
    ],
    ...variants,
  },
  {
    safeguard: 'the cart is compared before submission (rule 6)',
    file: decide,
    edits: [
      [`if (cart === 'absent' || cart === 'incomplete')`, `if (cart === 'absent')`],
      [`if (cart === 'different') return call('delete_cart');`, ``],
    ],
    ...simulation,
  },
  {
    safeguard: "somebody else's cart is never deleted (rule 2)",
    file: decide,
    edits: [
      [
        `if (cart !== 'absent') return hold('foreign_cart');`,
        `if (cart !== 'absent') return call('delete_cart');`,
      ],
    ],
    ...simulation,
    seeds: 600,
  },
  {
    safeguard: 'orders that existed before are not ours (rule 2)',
    file: 'src/placing/compare.ts',
    edits: [[`!baseline.includes(order.orderNumber)`, `baseline !== undefined && order !== undefined`]],
    tests: ['test/placing/compare.test.ts'],
    named: 'those that existed before',
  },
  {
    safeguard: 'after a restart, only the lines that are not in the cart yet are added',
    file: 'src/placing/send-items.ts',
    edits: [[`    if (line.answer) continue;\n`, ``]],
    ...variants,
  },
  {
    safeguard: 'larger quantities than the file asks for are held (rule 7)',
    file: decide,
    edits: [[`if (orders === 'more') return { do: 'hold', code: 'duplicate_suspected', alarm: true };`, ``]],
    tests: ['test/placing/decide-verifying.test.ts'],
    named: 'more than the file asks for',
  },
  {
    safeguard: 'a PO with refused lines is not ordered in part (rule 4)',
    file: 'src/placing/decide.ts',
    edits: [
      [
        `refused: () => call('delete_cart'),\n    conflict: () => call('delete_cart'),\n    not_found: () => retry('reads'),`,
        `refused: () => ({ do: 'items_added', epoch: 'same', wait: 'reads' }),\n    conflict: () => call('delete_cart'),\n    not_found: () => retry('reads'),`,
      ],
    ],
    tests: ['test/placing/decide-answers.test.ts'],
    named: 'POST items refused',
  },
  {
    safeguard: 'a file that grew after it was picked up: nothing more is submitted (the decision)',
    file: decide,
    edits: [
      [`return mayBeIncomplete(facts) ? hold('file_grew') : firstStep`, `return firstStep`],
      [`    if (s.fileGrew) return hold('file_grew');\n`, ``],
    ],
    tests: ['test/intake/inbox/growing-files.test.ts'],
    named: 'what is not submitted is held',
  },
  {
    safeguard: 'a file that grew after it was picked up: nothing more is submitted (during placing)',
    file: 'src/ledger/placing-ledger.ts',
    edits: [[`where i.id = import_id and i.file_grew is not null))`, `where i.id = import_id and false))`]],
    tests: ['test/intake/inbox/growing-files.test.ts'],
    named: 'while its PO is being placed',
  },
  {
    safeguard: 'a rebuild waits until no call for the old cart can take effect (rule 3)',
    file: 'src/placing/options.ts',
    edits: [[`number => 2 * requestTimeoutMs`, `number => requestTimeoutMs`]],
    ...variants,
  },
  {
    safeguard: 'no cart is built while an earlier call for the same PO number may take effect (rule 3)',
    file: 'src/placing/attempt-facts.ts',
    edits: [[`po.sinceUnclearMs < lateEffectsMs(rules)`, `po.sinceUnclearMs < 0`]],
    tests: ['test/placing/advance.test.ts'],
    named: 'builds nothing while',
  },
  {
    safeguard: 'an order that shows no items is unreadable, not too small (rule 8)',
    file: 'src/placing/compare.ts',
    edits: [[`order.lines !== undefined && order.lines.length > 0`, `order.lines !== undefined`]],
    tests: ['test/placing/compare.test.ts'],
    named: 'shows no items',
  },
  {
    safeguard: 'missing items do not prove that an order belongs to somebody else (rule 8)',
    file: decide,
    edits: [[`s.poNumbersReused && orders === 'more'`, `s.poNumbersReused && orders !== 'equal'`]],
    tests: ['test/placing/decide-rules.test.ts', 'test/placing/decide-always.test.ts'],
  },
  {
    safeguard: 'an order waits for the quote that uses its cart',
    file: 'src/ledger/quotes.ts',
    edits: [['q.quote_only and ${isActive', 'false and ${isActive']],
    tests: ['test/scenarios/quotes.test.ts'],
    named: 'its order does not start',
  },
  {
    safeguard: 'a quote leaves the cart to a live order',
    file: 'src/placing/attempt-facts.ts',
    edits: [['po.cancelling || po.orderIsLive', 'po.cancelling']],
    tests: ['test/scenarios/quotes.test.ts'],
    named: 'while an order is live',
  },
];
