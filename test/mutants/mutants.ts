import { leaseMutants } from './lease-mutants.ts';
import { placingMutants } from './placing-mutants.ts';
import { silentMutants } from './silent-mutants.ts';

/** A safeguard to remove from the source, and the smallest set of tests that must fail without it. */
export interface Mutant {
  safeguard: string;
  file: string;
  edits: [search: string, replace: string][];
  tests: string[];
  /** Only tests with this name. */
  named?: string;
  /** Number of seeds of a simulation. */
  seeds?: number;
}

/** Every safeguard that `npm run mutants` removes, one at a time. */
export const mutants: Mutant[] = [
  ...placingMutants,
  ...leaseMutants,
  ...silentMutants,
  {
    safeguard: 'a row above the header that would be a line below it makes the file wait',
    file: 'src/intake/import-purchase-file.ts',
    edits: [['looksLikeLine(row, detection.columns)', 'looksLikeLine(row, [])']],
    tests: ['test/intake/layouts/titles.test.ts'],
    named: 'would be a line below it',
  },
  {
    safeguard: 'whom an order goes to is asked about where it says not to order',
    file: 'src/intake/layouts/watched-columns.ts',
    edits: [['...recipients, ...shaped]', '...shaped]']],
    tests: ['test/console/standard-names.test.ts'],
    named: 'whom an order goes to',
  },
  {
    safeguard: 'how PO numbers are written is learned from files with one PO each',
    file: 'src/ledger/known-layouts.ts',
    edits: [['await learnForms(client, file);', '']],
    tests: ['test/console/written-otherwise.test.ts'],
    named: 'from files with one PO each',
  },
  {
    safeguard: 'a question about a row below an order without lines holds the PO of that row',
    file: 'src/intake/import-purchase-file.ts',
    edits: [['sink.rows.slice(before).filter((line) => !isOfOther(line))', 'sink.rows.slice(before)']],
    tests: ['test/intake/layouts/order-without-lines.test.ts'],
  },
  {
    safeguard: 'a whole number that no file had is asked about, whatever its size beside the quantity',
    file: 'src/intake/layouts/telling-values.ts',
    edits: [['return shortNumber.test(number) ? number :', 'return']],
    tests: ['test/console/numbers-in-columns.test.ts'],
    named: 'known by itself',
  },
  {
    safeguard: 'a number with signs between its digits is compared with the one without',
    file: 'src/ledger/similar-po-numbers.ts',
    edits: [
      [
        'from whole s join purchase_orders p on ${ungrouped(',
        'from whole s join purchase_orders p on false and ${ungrouped(',
      ],
    ],
    tests: ['test/ledger/lookalike-numbers.test.ts'],
    named: 'with the same content',
  },
  {
    safeguard: 'a PO number that is written unlike all before it is asked about',
    file: 'src/intake/layouts/shapes.ts',
    edits: [['!many && filled >= fewest &&', 'many && filled >= fewest &&']],
    tests: ['test/console/written-otherwise.test.ts'],
    named: 'is asked about where all numbers',
  },
  {
    safeguard: 'a name that has another PO within it is held if both order the same',
    file: 'src/ledger/similar-po-numbers.ts',
    edits: [
      [
        'w(number) join purchase_orders p on p.po_key = w.number',
        'w(number) join purchase_orders p on false',
      ],
    ],
    tests: ['test/console/names-that-take-back.test.ts'],
    named: 'with any words beside it',
  },
  {
    safeguard: 'a file with orders on a hidden sheet waits',
    file: 'src/intake/other-sheets.ts',
    edits: [[`!one.hidden || findLayout(one, options).search.kind === 'found'`, '!one.hidden']],
    tests: ['test/intake/layouts/right-of-header.test.ts'],
    named: 'orders on a sheet',
  },
  {
    safeguard: 'a file in which no order was found is never complete',
    file: 'src/console/import-words.ts',
    edits: [[`all > 0 && well === all`, `well === all`]],
    tests: ['test/ledger/nothing-found.test.ts'],
    named: 'never complete',
  },
  {
    safeguard: 'a PO that failed counts until its number is ordered, also if a later file had a mistake',
    file: 'src/ledger/purchase-order-sql.ts',
    edits: [[`(l.id > \${po}.id and l.reason_code is distinct from 'corrected')`, `l.id > \${po}.id`]],
    tests: ['test/ledger/nothing-found.test.ts'],
    named: 'stays with what needs a person',
  },
  {
    safeguard: 'a change that a receiver has not confirmed is sent again',
    file: 'src/worker/send-changes.ts',
    edits: [[`if (posted.kind === 'failed') {`, `if (posted.kind === 'failed' && changes.length === 0) {`]],
    tests: ['test/sync/webhooks.test.ts'],
    named: 'gets every change later',
  },
  {
    safeguard: 'a restored ledger gives no reader another change for the same cursor',
    file: 'src/ledger/feed.ts',
    edits: [[`if (from?.era !== undefined && from.era !== era)`, `if (false)`]],
    tests: ['test/sync/feed.test.ts'],
    named: 'read anew',
  },
  {
    safeguard: 'a row with a PO number, an item and a quantity is no total, whatever else it says',
    file: 'src/intake/rows/totals-rows.ts',
    edits: [[`if (hasItem && (hasPo || continues || quantityBlank)) return false;`, ``]],
    tests: ['test/intake/rows/complete-lines.test.ts'],
    named: 'whatever else it says',
  },
  {
    safeguard: 'a quantity without an item is left out only as the sum of what is above it',
    file: 'src/intake/rows/totals-rows.ts',
    edits: [
      [
        `(itemBlank && isNoQuantity) || (hasPo && !endsPo ? isSumOfPo : isSum)(checked.quantity)`,
        `itemBlank || isNoQuantity`,
      ],
    ],
    tests: ['test/intake/rows/complete-lines.test.ts'],
    named: 'never only a note',
  },
  {
    safeguard: 'a cron pattern that would never run is refused at load',
    file: 'src/config/cron.ts',
    edits: [[`CronExpressionParser.parse(pattern, { tz: zone }).next();`, `CronExpressionParser.name;`]],
    tests: ['test/config/schedules.test.ts'],
  },
  {
    safeguard: 'one schedule that cannot be created does not stop the others',
    file: 'src/queue/keep-schedules.ts',
    edits: [[`const reason = messageOf(thrown);`, `const reason = messageOf(thrown);\n      throw thrown;`]],
    tests: ['test/queue/keep-schedules.test.ts'],
    named: 'one schedule that cannot be put in place',
  },
  {
    safeguard: 'schedules are removed only when their account has ended',
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
    safeguard: 'the lease is checked in the same tick as the write to the socket (rule 10)',
    file: 'src/dealer-api/transport.ts',
    edits: [[`if (call.gate && !call.gate()) {`, `if (call.gate && !call.gate() && stopped) {`]],
    tests: ['test/dealer-api/transport.test.ts'],
    named: 'the gate',
  },
  {
    safeguard: 'the built-in Postgres of a data folder is never started on a second host',
    file: 'src/embedded/claim-host.ts',
    edits: [[`if (seen !== undefined && other?.id === host.id) {`, `if (seen !== undefined) {`]],
    tests: ['test/embedded/two-hosts.test.ts'],
    named: 'the second host is refused',
  },
  {
    safeguard: 'the built-in Postgres sends heartbeats to other hosts even when no process owns it',
    file: 'src/embedded/server-heartbeat.ts',
    edits: [[') then return; end if;', ') or true then return; end if;']],
    tests: ['test/embedded/two-hosts.test.ts'],
    named: 'whose owners were all killed',
  },
  {
    safeguard: 'the service changes a PO only at the version on which the change was decided',
    file: 'src/service/change-po.ts',
    edits: [['where po.version = $4', 'where po.version = $4 or true']],
    tests: ['test/service/processes.test.ts'],
    named: 'at once',
  },
  {
    safeguard: 'a job whose PO is free again enqueues it (lost wake-up)',
    file: 'src/dispatch/next-work.ts',
    edits: [
      [
        `case 'later': {\n      return deps.enqueue((await deps.work.deferRun(id)).map(jobFor));`,
        `case 'later': {\n      return deps.enqueue((advanced.waitMs > 1 ? await deps.work.deferRun(id) : []).map(jobFor));`,
      ],
    ],
    tests: ['test/dispatch/lost-wake-ups.test.ts'],
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
    safeguard: 'an unhandled error is logged, and the process shuts down in order',
    file: 'src/cli/uncaught-errors.ts',
    edits: [[`process.on('uncaughtException', onUncaught);`, ``]],
    tests: ['test/cli/uncaught-errors.test.ts'],
    named: 'cannot stop',
  },
  {
    safeguard: 'an upload that pauses in the middle of a cell is not picked up',
    file: 'src/intake/inbox/drop-folder.ts',
    edits: [
      [
        `if (markers.length === 0 && !complete && !isUnknown && ageMs < incompleteMs) {`,
        `if (complete === undefined) {`,
      ],
    ],
    tests: ['test/intake/inbox/drop-folder.test.ts'],
    named: 'in the middle of a cell',
  },
  {
    safeguard: 'files are compared again after they were picked up',
    file: 'src/intake/inbox/watch-originals.ts',
    edits: [[`  if (looksSame) return undefined;`, `  if (looksSame || facts) return undefined;`]],
    tests: ['test/intake/inbox/growing-files.test.ts'],
    named: 'in done',
  },
  {
    safeguard: 'the tail of a file is compared too, because its modification time can be reset',
    file: 'src/intake/inbox/watch-originals.ts',
    edits: [
      [
        `    Math.abs(mtimeMs - facts.mtimeMs) < 0.001 &&
    (await sha256Of(handle, tailStart, size)) === facts.tailSha256;`,
        `    Math.abs(mtimeMs - facts.mtimeMs) < 0.001;`,
      ],
    ],
    tests: ['test/intake/inbox/growing-files.test.ts'],
    named: 'the old time is set',
  },
  {
    safeguard: 'a claimed file is opened without following links',
    file: 'src/intake/inbox/open-regular.ts',
    edits: [
      [
        `constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK`,
        `constants.O_RDONLY | constants.O_NONBLOCK`,
      ],
    ],
    tests: ['test/intake/inbox/claim-odd-files.test.ts'],
    named: 'swapped for a symbolic link',
  },
  {
    safeguard: 'a file is checked through its open descriptor',
    file: 'src/intake/inbox/open-regular.ts',
    edits: [[`if (stats.isFile()) return`, `if (stats) return`]],
    tests: ['test/intake/inbox/claim-odd-files.test.ts'],
    named: 'is swapped for',
  },
  {
    safeguard: 'a failure to recover the files of one account does not stop the others',
    file: 'src/worker/recover-files.ts',
    edits: [[`      problems.push(fileProblemOf(folder, account.folder, error));`, `      throw error;`]],
    tests: ['test/intake/inbox/file-troubles.test.ts'],
    named: 'never stop another account',
  },
  {
    safeguard: 'a failure to recover one file in working/ does not stop the others',
    file: 'src/intake/inbox/recover-working.ts',
    edits: [[`        onProblem(fileProblemOf(shown, root, error));`, `        throw error;`]],
    tests: ['test/intake/inbox/file-troubles.test.ts'],
    named: 'never stop another account',
  },
  {
    safeguard: 'a quote never counts as an order of its PO',
    file: 'src/ledger/group-staged-rows.ts',
    edits: [['p.po_key = t.po_key and p.quote_only = $2', 'p.po_key = t.po_key']],
    tests: ['test/ledger/repeated-purchase-orders.test.ts'],
    named: 'never counts for the order',
  },
  {
    safeguard: 'the claim of a quote is named as a quote',
    file: 'src/intake/inbox/claim-id.ts',
    edits: [["kind === 'order' ? randomUUID()", "kind !== 'restored' ? randomUUID()"]],
    tests: ['test/intake/inbox/claim-kinds.test.ts'],
    named: 'a quote stays a quote',
  },
  {
    safeguard: 'done/ is read only when the ledger is older than the folder',
    file: 'src/intake/inbox/restore-files.ts',
    edits: [['if (!(await position.restoreDue(ledgerAt))) return [];', '']],
    tests: ['test/intake/inbox/claim-kinds.test.ts'],
    named: 'are not read at a normal start',
  },
  {
    safeguard: 'the ledger remembers that a restore is due',
    file: 'src/ledger/folder-positions.ts',
    edits: [['restore_due = f.restore_due or $2::bigint > f.position', 'restore_due = f.restore_due']],
    tests: ['test/intake/inbox/claim-kinds.test.ts'],
    named: 'archived before the restore',
  },
  {
    safeguard: 'POs of a file that is imported again from done/ are held',
    file: 'src/ledger/group-staged-rows.ts',
    edits: [['if (restored) await', 'if (false) await']],
    tests: ['test/ledger/repeated-purchase-orders.test.ts'],
    named: 'imported again from done',
  },
  {
    safeguard: 'a cancelled PO that is imported again is held for a person',
    file: 'src/ledger/group-staged-rows.ts',
    edits: [["when p.state = 'cancelled' then 5", "when p.state = 'cancelled' then 4"]],
    tests: ['test/ledger/repeated-purchase-orders.test.ts'],
    named: 'cancelled and comes again unchanged in',
  },
];
