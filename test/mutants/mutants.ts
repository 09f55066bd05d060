/** A safeguard taken out of the source, and the smallest slice of the suites that has to notice. */
export interface Mutant {
  safeguard: string;
  file: string;
  edits: [search: string, replace: string][];
  tests: string[];
  /** Only tests of this name. */
  named?: string;
  /** How many seeds a simulation runs. */
  seeds?: number;
}

const decide = 'src/placing/decide.ts';
const simulation = {
  tests: ['test/simulation/default-service.test.ts', 'test/simulation/variants.test.ts'],
  seeds: 3000,
};
const variants = { tests: ['test/simulation/variants.test.ts'], seeds: 30_000 };
const contract = ['test/ledger/placing-ledger.test.ts'];

export const mutants: Mutant[] = [
  {
    safeguard: 'a lease ends with the time that passed while the machine was suspended (D.39)',
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
    safeguard: 'a renewal that the ledger refuses ends the lease at once (D.39)',
    file: 'src/placing/lease.ts',
    edits: [[`    lost ||= renewed === false;\n`, ``]],
    tests: ['test/placing/lease.test.ts'],
    named: 'refuses',
  },
  {
    safeguard: 'a cron pattern that would never run is refused at load (B.12)',
    file: 'src/config-schema.ts',
    edits: [[`CronExpressionParser.parse(pattern, { tz: timeZone }).next();`, `CronExpressionParser.name;`]],
    tests: ['test/config/schedules.test.ts'],
  },
  {
    safeguard: 'schedules are put in place one by one (B.12)',
    file: 'src/queue/keep-schedules.ts',
    edits: [[`const reason = messageOf(thrown);`, `const reason = messageOf(thrown);\n      throw thrown;`]],
    tests: ['test/queue/keep-schedules.test.ts'],
    named: 'one schedule that cannot be put in place',
  },
  {
    safeguard: 'a process takes only POs of accounts that it serves (B.14)',
    file: 'src/ledger/purchase-orders.ts',
    edits: [[`and p.account = any($6)`, `and $6::text[] is not null`]],
    tests: contract,
    named: 'only to a process that serves the account',
  },
  {
    safeguard: 'schedules are removed only when their account has ended (B.14)',
    file: 'src/queue/keep-schedules.ts',
    edits: [
      [
        `if (account !== undefined && !ours.has(account) && !ended.has(account)) continue;`,
        `if (ended.size < 0) continue;`,
      ],
    ],
    tests: ['test/queue/keep-schedules.test.ts'],
    named: 'leave each other',
  },
  {
    safeguard: 'looks before each submission (rule 6)',
    file: decide,
    edits: [
      [
        `items_added: (s, orders, cart) => {\n    if (orders !== 'none') return startVerifying;`,
        `items_added: (s, _orders, cart) => {`,
      ],
    ],
    tests: ['test/placing/decide.test.ts'],
    named: 'rule 6',
  },
  {
    safeguard: 'an unknown submission is verified, not repeated (rule 7)',
    file: decide,
    edits: [
      [
        `    not_found: () => startVerifying,\n    unknown: () => startVerifying,`,
        `    not_found: () => startVerifying,\n    unknown: () => again('reads', 'next'),`,
      ],
    ],
    ...variants,
  },
  {
    safeguard: 'an intent without an outcome is unknown (rule 1)',
    file: 'src/placing/standing.ts',
    edits: [
      [`(intent.outcome ?? 'unknown')`, `(intent.outcome ?? 'not_acted')`],
      [`intent.outcome === undefined || intent.outcome === 'unknown'`, `intent.outcome === 'unknown'`],
    ],
    ...simulation,
  },
  {
    safeguard: 'settles before it looks (rule 7)',
    file: decide,
    edits: [
      [
        `{ do: 'verify', wait: 'settle', counted: false };`,
        `{ do: 'verify', wait: 'none', counted: false };`,
      ],
    ],
    tests: ['test/placing/decide.test.ts'],
    named: 'killed while submitting',
  },
  {
    safeguard: 'three looks before an absence is believed (rule 7)',
    file: decide,
    edits: [[`const looksNeeded = 3;`, `const looksNeeded = 1;`]],
    tests: ['test/placing/decide.test.ts'],
    named: 'absent at the second look',
  },
  {
    safeguard: 'submits at most once in an epoch: the unique index (rule 7)',
    file: 'src/ledger/migrations/001-ledger.sql',
    edits: [[`create unique index one_submit_per_epoch`, `create index one_submit_per_epoch`]],
    tests: contract,
    named: 'to submit_order comes once in an epoch',
  },
  {
    safeguard: 'the lease is checked at the send (rule 10)',
    file: 'src/placing/lease.ts',
    edits: [[`lost ||= msSince(grantedAt) >= leaseMs;`, ``]],
    tests: ['test/placing/lease.test.ts', 'test/placing/advance.test.ts'],
    named: 'lease',
  },
  {
    safeguard: 'a new cart is filled whole, whatever an old one was answered (rule 3)',
    file: 'src/placing/advance.ts',
    edits: [[`for (const line of po.lines) line.answer = undefined;`, ``]],
    tests: ['test/placing/advance.test.ts'],
    named: 'a PO that is taken up again with a new cart',
  },
  {
    safeguard: 'the gate is asked in the tick of the write (rule 10)',
    file: 'src/dealer-api/transport.ts',
    edits: [[`if (call.gate && !call.gate()) {`, `if (call.gate && !call.gate() && stopped) {`]],
    tests: ['test/dealer-api/transport.test.ts'],
    named: 'the gate',
  },
  {
    safeguard: 'moves are conditional on state and epoch',
    file: 'src/ledger/move-purchase-order.ts',
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
    safeguard: 'a takeover waits for the grace (rule 10)',
    file: 'src/ledger/purchase-orders.ts',
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
        `not_found: () => again('reads'),\n    unknown: () => call('delete_cart'),`,
        `not_found: () => again('reads'),\n    unknown: () => again('reads'),`,
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
    safeguard: 'what stood there before is not ours (rule 2)',
    file: 'src/placing/observe.ts',
    edits: [[`!baseline.includes(order.orderNumber)`, `baseline !== undefined && order !== undefined`]],
    tests: ['test/placing/observe.test.ts'],
    named: 'those that stood there before',
  },
  {
    safeguard: 'after a stop, only the lines that are not in the cart are added',
    file: 'src/placing/send-items.ts',
    edits: [[`    if (line.answer) continue;\n`, ``]],
    ...variants,
  },
  {
    safeguard: 'more than the file asks for is held (rule 7)',
    file: decide,
    edits: [[`if (orders === 'more') return { do: 'hold', code: 'duplicate_suspected', alarm: true };`, ``]],
    tests: ['test/placing/decide.test.ts'],
    named: 'more than the file asks for',
  },
  {
    safeguard: 'a PO whose lines were refused is not ordered in part (rule 4)',
    file: 'src/placing/decide.ts',
    edits: [
      [
        `refused: () => call('delete_cart'),\n    conflict: () => call('delete_cart'),\n    not_found: () => again('reads'),`,
        `refused: () => ({ do: 'items_added', epoch: 'same', wait: 'reads' }),\n    conflict: () => call('delete_cart'),\n    not_found: () => again('reads'),`,
      ],
    ],
    tests: ['test/placing/decide.test.ts'],
    named: 'POST items refused',
  },
  {
    safeguard: 'another host does not start the built-in Postgres of a data folder a second time',
    file: 'src/embedded/claim-host.ts',
    edits: [[`if (seen !== undefined && other?.id === host.id) {`, `if (seen !== undefined) {`]],
    tests: ['test/embedded/two-hosts.test.ts'],
    named: 'the second host is refused',
  },
  {
    safeguard: 'the built-in Postgres shows other hosts that it lives, without any owner',
    file: 'src/ledger/server-heartbeat.ts',
    edits: [[') then return; end if;', ') or true then return; end if;']],
    tests: ['test/embedded/two-hosts.test.ts'],
    named: 'whose owners were all killed',
  },
  {
    safeguard: 'the service changes a PO only at the version by which the change was decided',
    file: 'src/service/change-po.ts',
    edits: [['where po.version = $4', 'where po.version = $4 or true']],
    tests: ['test/service/processes.test.ts'],
    named: 'at once',
  },
  {
    safeguard: 'a job that finds its PO free again enqueues it (lost wake-up)',
    file: 'src/queue/next-work.ts',
    edits: [
      [
        `case 'later': {\n      const work = await deps.work.deferRun(id);`,
        `case 'later': {\n      const work = advanced.waitMs > 1 ? await deps.work.deferRun(id) : undefined;`,
      ],
    ],
    tests: ['test/queue/lost-wake-ups.test.ts'],
  },
  {
    safeguard: 'an answer is read up to its size limit, after decompression',
    file: 'src/dealer-api/transport.ts',
    edits: [
      [
        `if (size <= maxBytes) return void chunks.push(chunk);`,
        `if (size > 0) return void chunks.push(chunk);`,
      ],
    ],
    tests: ['test/dealer-api/answer-size.test.ts'],
  },
  {
    safeguard: 'an error that nothing handles is logged, and the process stops in order',
    file: 'src/cli/last-resort.ts',
    edits: [[`process.on('uncaughtException', onUncaught);`, ``]],
    tests: ['test/cli/last-resort.test.ts'],
    named: 'cannot stop',
  },
  {
    safeguard: 'an upload that pauses in the middle of a cell is not picked up',
    file: 'src/intake/drop-folder.ts',
    edits: [
      [`if (markers.length === 0 && !complete && ageMs < incompleteMs) {`, `if (complete === undefined) {`],
    ],
    tests: ['test/intake/drop-folder.test.ts'],
    named: 'in the middle of a cell',
  },
  {
    safeguard: 'of a file that grew after it was picked up nothing more is submitted: the decision',
    file: decide,
    edits: [
      [`return mayBeIncomplete(standing) ? hold('file_grew') : firstStep`, `return firstStep`],
      [`    if (s.fileGrew) return hold('file_grew');\n`, ``],
    ],
    tests: ['test/intake/growing-files.test.ts'],
    named: 'what is not submitted is held',
  },
  {
    safeguard:
      'of a file that grew after it was picked up nothing more is submitted: in the middle of placing',
    file: 'src/ledger/purchase-orders.ts',
    edits: [[`where i.id = import_id and i.file_grew is not null))`, `where i.id = import_id and false))`]],
    tests: ['test/intake/growing-files.test.ts'],
    named: 'while its PO is being placed',
  },
  {
    safeguard: 'files are compared again after they were picked up',
    file: 'src/intake/watch-originals.ts',
    edits: [[`  if (looksSame) return undefined;`, `  if (looksSame || facts) return undefined;`]],
    tests: ['test/intake/growing-files.test.ts'],
    named: 'in done',
  },
  {
    safeguard: 'the tail of a file is compared too, since its time can be set back',
    file: 'src/intake/watch-originals.ts',
    edits: [
      [
        `    Math.abs(mtimeMs - facts.mtimeMs) < 0.001 &&
    (await hashOf(handle, tailStart, size)) === facts.tailSha256;`,
        `    Math.abs(mtimeMs - facts.mtimeMs) < 0.001;`,
      ],
    ],
    tests: ['test/intake/growing-files.test.ts'],
    named: 'the old time is set',
  },
  {
    safeguard: 'a claimed file is opened without following links',
    file: 'src/intake/open-regular.ts',
    edits: [
      [
        `constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK`,
        `constants.O_RDONLY | constants.O_NONBLOCK`,
      ],
    ],
    tests: ['test/intake/drop-folder-claim.test.ts'],
    named: 'swapped for a symbolic link',
  },
  {
    safeguard: 'what was opened is judged by its descriptor',
    file: 'src/intake/open-regular.ts',
    edits: [[`if (stats.isFile()) return`, `if (stats) return`]],
    tests: ['test/intake/drop-folder-claim.test.ts'],
    named: 'is swapped for',
  },
  {
    safeguard: 'each account and each step recovers its files by itself',
    file: 'src/cli/recover-files.ts',
    edits: [[`      troubles.push(troubleOf(folder, account.folder, error));`, `      throw error;`]],
    tests: ['test/intake/file-troubles.test.ts'],
    named: 'never stop another account',
  },
  {
    safeguard: 'each file in working/ is taken up by itself',
    file: 'src/intake/claim.ts',
    edits: [[`          onTrouble(troubleOf(shown, root, error));`, `          throw error;`]],
    tests: ['test/intake/file-troubles.test.ts'],
    named: 'never stop another account',
  },
  {
    safeguard: 'a quote never counts as the PO',
    file: 'src/ledger/group-staged-rows.ts',
    edits: [['p.po_key = t.po_key and p.quote_only = $2', 'p.po_key = t.po_key']],
    tests: ['test/ledger/staging.test.ts'],
    named: 'never counts for the order',
  },
  {
    safeguard: "a quote's claim is named as one",
    file: 'src/intake/claim-id.ts',
    edits: [["kind === 'order' ? randomUUID()", "kind !== 'restored' ? randomUUID()"]],
    tests: ['test/intake/claim-kinds.test.ts'],
    named: 'a quote stays a quote',
  },
  {
    safeguard: 'done/ is read only for a ledger that is older than the folder',
    file: 'src/intake/claim-restore.ts',
    edits: [['if (!(await position.restoreDue())) return [];', '']],
    tests: ['test/intake/claim-kinds.test.ts'],
    named: 'are not read at a normal start',
  },
  {
    safeguard: 'the ledger remembers that a restore is due',
    file: 'src/ledger/folder-positions.ts',
    edits: [['restore_due = f.restore_due or $2::bigint > f.position', 'restore_due = f.restore_due']],
    tests: ['test/intake/claim-kinds.test.ts'],
    named: 'before anybody looked',
  },
  {
    safeguard: 'POs of a file that is imported again from done/ are held',
    file: 'src/ledger/group-staged-rows.ts',
    edits: [["if (restored && rules.restoredFiles === 'hold') await", 'if (false) await']],
    tests: ['test/ledger/staging.test.ts'],
    named: 'imported again from done',
  },
  {
    safeguard: 'a cancelled PO that comes again is asked about',
    file: 'src/ledger/group-staged-rows.ts',
    edits: [["when p.state = 'cancelled' then 5", "when p.state = 'cancelled' then 4"]],
    tests: ['test/ledger/staging.test.ts'],
    named: 'cancelled and comes again unchanged',
  },
  {
    safeguard: 'a rebuild waits until nothing of the old cart can take effect (rule 3)',
    file: 'src/placing/options.ts',
    edits: [[`number => 2 * requestTimeoutMs`, `number => requestTimeoutMs`]],
    ...variants,
  },
  {
    safeguard: 'nothing is built for a PO number while an earlier call for it may take effect (rule 3)',
    file: 'src/placing/standing.ts',
    edits: [[`po.sinceUnclearMs < lateEffectsMs(rules)`, `po.sinceUnclearMs < 0`]],
    tests: ['test/placing/advance.test.ts'],
    named: 'builds nothing while',
  },
  {
    safeguard: 'an order that shows no items is unreadable, not less (rule 8)',
    file: 'src/placing/observe.ts',
    edits: [[`order.lines !== undefined && order.lines.length > 0`, `order.lines !== undefined`]],
    tests: ['test/placing/observe.test.ts'],
    named: 'shows no items',
  },
  {
    safeguard: 'what was not shown does not prove that an order is somebody else’s (rule 8)',
    file: decide,
    edits: [[`s.poNumbersReused && orders === 'more'`, `s.poNumbersReused && orders !== 'equal'`]],
    tests: ['test/placing/decide.test.ts', 'test/placing/decide-always.test.ts'],
  },
  {
    safeguard: 'an order waits for the quote that uses its cart',
    file: 'src/ledger/quotes.ts',
    edits: [[`q.quote_only and q.state in`, `false and q.state in`]],
    tests: ['test/steering/quotes.test.ts'],
    named: 'its order is not begun',
  },
  {
    safeguard: 'a quote leaves the cart to a live order',
    file: 'src/placing/standing.ts',
    edits: [['po.cancelling || po.orderIsLive', 'po.cancelling']],
    tests: ['test/steering/quotes.test.ts'],
    named: 'while an order is live',
  },
];
