import type { Mutant } from './mutants.ts';

const decide = 'src/placing/decide.ts';
const simulation = {
  tests: ['test/simulation/default-service.test.ts', 'test/simulation/variants.test.ts'],
  seeds: 3000,
};
const variants = { tests: ['test/simulation/variants.test.ts'], seeds: 30_000 };
const contract = ['test/ledger/placing-ledger.test.ts'];

/** Safeguards of placing: decisions, leases, and the ledger's conditions. */
export const placingMutants: Mutant[] = [
  {
    safeguard: 'a refusal counts only if no earlier call can have caused it (rule 3)',
    file: 'src/placing/steps.ts',
    edits: [['s.begunEarly ? { ...rebuildUncounted', 's.begunEarly && false ? { ...rebuildUncounted']],
    tests: ['test/placing/decide-always.test.ts'],
    named: 'fails only for a refusal',
  },
  {
    safeguard: 'a cart is ours until its deletion has certainly taken effect',
    file: 'src/placing/attempt-facts.ts',
    edits: [['(later.endedAgoMs ?? 0) >= 2 * boundMs &&', '']],
    tests: ['test/placing/attempt-facts.test.ts'],
    named: 'certainly taken effect',
  },
  {
    safeguard: 'a PO is not compared with orders of its own file',
    file: 'src/ledger/purchase-order-sql.ts',
    edits: [['m.known_since < ', 'true or m.known_since < ']],
    tests: ['test/scenarios/guards-held.test.ts'],
    named: 'far beyond',
  },
  {
    safeguard: 'what was ordered at most is recorded',
    file: 'src/ledger/po/transition.ts',
    edits: [['larger: larger.length > 0', 'larger: larger.length > 1_000_000']],
    tests: ['test/scenarios/guards-held.test.ts'],
    named: 'far beyond',
  },
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
    safeguard: 'a PO of a dead worker waits while what was sent may still act',
    file: 'src/ledger/po/take-over.ts',
    edits: [[`select i.outcome is null from`, `select false from`]],
    tests: contract,
    named: 'where an intent has no outcome',
  },
  {
    safeguard: 'a pid of another namespace is not judged',
    file: 'src/worker/own-process.ts',
    edits: [[`  if (was.namespaces !== own.namespaces) return false;\n`, ``]],
    tests: ['test/worker/own-process.test.ts'],
    named: 'another namespace',
  },
  {
    safeguard: 'a process takes only POs of accounts that it serves',
    file: 'src/ledger/po/placing-ledger.ts',
    edits: [[`and p.account = any($6)`, `and $6::text[] is not null`]],
    tests: contract,
    named: 'only to a process that serves the account',
  },
  {
    safeguard: 'a lookup precedes each submission (rule 6)',
    file: decide,
    edits: [
      [
        `    if (noNewOrder(s, orders)) return beforeSubmission(s, cart);\n    if (!s.firstLookup)`,
        `    if (orders) return beforeSubmission(s, cart);\n    if (!s.firstLookup)`,
      ],
    ],
    tests: ['test/placing/decide-rules.test.ts'],
    named: 'rule 6',
  },
  {
    safeguard: 'an unknown submission is verified, not repeated (rule 7)',
    file: 'src/placing/after-answer.ts',
    edits: [
      [
        `    not_found: () => startVerifying,\n    unknown: () => lookUp('orders'),`,
        `    not_found: () => startVerifying,\n    unknown: () => retry('reads', 'next'),`,
      ],
    ],
    tests: ['test/placing/decide-answers.test.ts'],
  },
  {
    safeguard:
      'the lookup at once after an unclear submission proves nothing but an order as the file (rule 7)',
    file: decide,
    edits: [[`    orders === 'equal' ? { do: 'ordered'`, `    orders !== 'none' ? { do: 'ordered'`]],
    tests: ['test/placing/decide-verifying.test.ts'],
    named: 'looked up at once',
  },
  {
    safeguard: 'a submission is verified although the lookup at once after it fails (rule 7)',
    file: decide,
    edits: [
      [
        `facts.state === 'submitting' ? startVerifying : afterFailedLookup`,
        `facts.state === 'ready' ? startVerifying : afterFailedLookup`,
      ],
    ],
    tests: ['test/placing/decide-verifying.test.ts'],
    named: 'looked up at once',
  },
  {
    safeguard: 'an attempt after one with a complete cart looks the orders up first (rule 2)',
    file: 'src/placing/attempt-facts.ts',
    edits: [[`outcomes('add_items').at(-1) === 'unknown' &&`, `outcomes('add_items').length > 0 &&`]],
    tests: ['test/placing/attempt-facts.test.ts'],
    named: 'its cart was complete',
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
    file: 'src/placing/steps.ts',
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
    file: 'src/placing/steps.ts',
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
    file: 'src/placing/after-write.ts',
    edits: [[`(sameCart ? line.answer : undefined)`, `(sameCart || cart ? line.answer : undefined)`]],
    tests: contract,
    named: 'when the cart of answered lines becomes',
  },
  {
    safeguard: 'transitions are conditional on state and epoch',
    file: 'src/ledger/po/transition.ts',
    edits: [
      [
        ` and p.epoch = \${value('epoch')}
      and p.state = \${value('stateBefore')}`,
        ` and \${value('epoch')}::int is not null and \${value('stateBefore')}::text is not null`,
      ],
    ],
    tests: contract,
    named: 'every write is conditional on',
  },
  {
    safeguard: 'a takeover waits for the grace period (rule 10)',
    file: 'src/ledger/po/lease.ts',
    edits: [['::float8, coalesce((select', '::float8 * 0, coalesce((select']],
    tests: contract,
    named: 'only after the grace',
  },
  {
    safeguard: 'carts are rebuilt, never patched (rule 3)',
    file: decide,
    edits: [[`    if (s.items === 'unknown') return call('delete_cart');\n`, ``]],
    tests: ['test/placing/decide-rules.test.ts', 'test/placing/decide-always.test.ts'],
  },
  {
    safeguard: 'the cart is compared before submission (rule 6)',
    file: decide,
    edits: [
      [`if (cart === 'absent' || cart === 'incomplete')`, `if (cart === 'absent')`],
      [`if (cart === 'different' || (`, `if ((`],
    ],
    ...simulation,
  },
  {
    safeguard: 'an order from before our first submission is not ours (rule 2)',
    file: decide,
    edits: [
      [
        `    if (!s.firstLookup) return startVerifying;\n    // Somebody`,
        `    if (orders !== 'none') return startVerifying;\n    // Somebody`,
      ],
    ],
    tests: ['test/scenarios/number-of-calls.test.ts'],
    named: 'a second order under a number',
  },
  {
    safeguard: 'a PO fails only if no order exists under its number (rule 2)',
    file: 'src/placing/steps.ts',
    edits: [[`const mayFail = !s.firstLookup;`, `const mayFail = s.lookups >= 0;`]],
    tests: ['test/placing/decide-fewer-calls.test.ts'],
    named: 'does not fail',
  },
  {
    safeguard: 'an unclear creation without a lookup before it: nothing is deleted before one (rule 2)',
    file: 'src/placing/after-answer.ts',
    edits: [
      [
        `unknown: (s) => (createdUnseen(s) ? rebuildLater : call('delete_cart')),`,
        `unknown: () => call('delete_cart'),`,
      ],
    ],
    ...simulation,
    seeds: 30_000,
  },
  {
    safeguard: 'without the order lookup, only our untouched cart is submitted (rule 6)',
    file: decide,
    edits: [[`cartIsEnough(s) && cart === 'equal' && ours;`, `cartIsEnough(s) && ours;`]],
    tests: ['test/placing/decide-fewer-calls.test.ts'],
    named: 'everything is looked up',
  },
  {
    safeguard: 'an account does not say that creation refuses a standing cart where it replaces it (rule 2)',
    file: 'test/simulation/simulate.ts',
    edits: [[`manners !== 'unknown' && !variant.replacing`, `manners !== 'unknown'`]],
    ...variants,
  },
  {
    safeguard: 'an account does not say that creation refuses an ordered number where it does not (rule 6)',
    file: 'test/simulation/simulate.ts',
    edits: [[` && !variant.reuse && !variant.overOrders && `, ` && !variant.reuse && `]],
    ...variants,
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
    edits: [[`lines.filter((line) => !line.answer).values()`, `lines.values()`]],
    ...variants,
  },
  {
    safeguard: 'after a line that is not accepted no further line is sent (rule 4)',
    file: 'src/placing/send-items.ts',
    edits: [
      [`      if (failed.length > 0) return;\n`, ``],
      [`() => failed.length === 0 && gate();`, `() => gate();`],
    ],
    tests: ['test/placing/lines-in-flight.test.ts'],
  },
  {
    safeguard: 'a refused line does not hide an unclear one that was in flight with it (rule 4)',
    file: 'src/placing/perform-call.ts',
    edits: [
      [
        `[\n  'unknown',\n  'conflict',\n  'misdirected',\n  'refused',`,
        `[\n  'refused',\n  'unknown',\n  'conflict',\n  'misdirected',`,
      ],
    ],
    tests: ['test/placing/lines-in-flight.test.ts'],
    named: 'does not fail while',
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
    file: 'src/placing/after-answer.ts',
    edits: [
      [
        `refused: afterRefusedLine,\n    conflict: () => call('delete_cart'),\n    not_found: () => retry('reads'),`,
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
      [`  return s.fileGrew && !s.quoteOnly ? 'file_grew' : undefined;`, `  return undefined;`],
      [`  if (s.fileGrew) return hold('file_grew');\n`, ``],
    ],
    tests: ['test/intake/inbox/growing-files.test.ts'],
    named: 'what is not submitted is held',
  },
  {
    safeguard: 'a file that grew after it was picked up: nothing more is submitted (during placing)',
    file: 'src/ledger/po/placing-ledger.ts',
    edits: [
      [`where i.id = p.import_id and i.file_grew is not null))`, `where i.id = p.import_id and false))`],
    ],
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
    safeguard: 'nothing is submitted while an earlier call for the same PO number may take effect (rule 3)',
    file: 'src/placing/attempt-facts.ts',
    edits: [
      [
        `sinceUnclearMs !== undefined && sinceUnclearMs < boundMs;`,
        `sinceUnclearMs !== undefined && sinceUnclearMs < 0;`,
      ],
    ],
    tests: ['test/placing/advance.test.ts'],
    named: 'submits nothing while',
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
    file: 'src/ledger/po/quotes.ts',
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
