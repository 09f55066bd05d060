import type { Mutant } from './mutants.ts';

const late = ['test/tracking/late-differences.test.ts'];
const settle = ['test/tracking/settle.test.ts'];
const stalled = ['test/ledger/stalled.test.ts'];
const content = ['test/ledger/content-of-files.test.ts'];
const questions = ['test/console/questions.test.ts'];
const lookalikes = ['test/ledger/lookalike-numbers.test.ts'];

/** Safeguards against what happens in silence: POs that are stuck, a wrong order that shows late, a PO that is taken for another. */
export const silentMutants: Mutant[] = [
  {
    safeguard: 'a file that grew is found, whatever processes that archive it at once said of its place',
    file: 'src/intake/inbox/watch-originals.ts',
    edits: [['for (const path of file.paths) {', 'for (const path of file.paths.slice(0, 1)) {']],
    tests: ['test/intake/inbox/growing-files.test.ts'],
    named: 'does not hide it',
  },
  {
    safeguard: 'a PO does not vanish as the total of other POs',
    file: 'src/intake/rows/totals-rows.ts',
    edits: [['isWord(itemSku) && !isFirst && (', 'isWord(itemSku) && (']],
    tests: ['test/intake/rows/complete-lines.test.ts'],
    named: 'does not vanish',
  },
  {
    safeguard: 'a character in a number that cannot be seen, also before it, is not removed in silence',
    file: 'src/intake/rows/unseen-characters.ts',
    edits: [["if (at === -1 || seen === '') return undefined;", 'return undefined;']],
    tests: lookalikes,
    named: 'before it that cannot be seen',
  },
  {
    safeguard: 'an import with a row that belongs to no PO is not all well',
    file: 'src/cli/output/imports.ts',
    edits: [[' || one.rowsWithoutPo > 0', '']],
    tests: ['test/ledger/nothing-found.test.ts'],
    named: 'belongs to no PO',
  },
  {
    safeguard: 'a file in which no order was found is never complete',
    file: 'src/ledger/import-counts.ts',
    edits: [['.po_count = 0 or', '.po_count < 0 or']],
    tests: ['test/ledger/nothing-found.test.ts'],
  },
  {
    safeguard: 'work that waits for a disk uses connections of its own',
    file: 'src/ledger/long-work.ts',
    edits: [['  if (!long) {', '  if (!long || long.free > 0) {']],
    tests: ['test/ledger/long-work.test.ts'],
  },
  {
    safeguard: 'a PO that is stuck is known by the time of its first new run',
    file: 'src/ledger/po/stalled.ts',
    edits: [['coalesce($', 'nullif($']],
    tests: stalled,
  },
  {
    safeguard: 'a PO that others have overtaken is stuck, though its account moves',
    file: 'src/ledger/po/stalled.ts',
    edits: [[' or l.stalled_since < f.overtaken_by', '']],
    tests: stalled,
    named: 'in a long queue',
  },
  {
    safeguard: 'a PO that waits for its turn in a long queue is not stuck',
    file: 'src/ledger/po/stalled.ts',
    edits: [['where f.moved_at is null or', 'where true or']],
    tests: stalled,
    named: 'in a long queue',
  },
  {
    safeguard: 'a backlog that no job ever comes to is noticed',
    file: 'src/ledger/po/stalled.ts',
    edits: [["and b.next_at < now() - interval '1 minute'", 'and false']],
    tests: stalled,
    named: 'backlog',
  },
  {
    safeguard: 'an alarm that a person has settled counts no more',
    file: 'src/ledger/purchase-order-sql.ts',
    edits: [['.alarm_settled_at is null)`;\n\n/**\n', '.id is not null)`;\n\n/**\n']],
    tests: settle,
  },
  {
    safeguard: 'only the alarm that the person read is settled',
    file: 'src/ledger/po/settle-po.ts',
    edits: [['p.alarm is not distinct from $2', '($2::text is null or true)']],
    tests: settle,
    named: 'has not seen',
  },
  {
    safeguard: 'an item that the service put in place of the one asked for is an alarm',
    file: 'src/tracking/check-orders.ts',
    edits: [['...(skus.length > 0', '...(skus.length > 1e9']],
    tests: late,
    named: 'another item',
  },
  {
    safeguard: 'another address than that of the file is an alarm',
    file: 'src/tracking/check-orders.ts',
    edits: [['...(address.length > 0', '...(address.length > 1e9']],
    tests: late,
    named: 'an address',
  },
  {
    safeguard: 'a missing order does not hide that a wish came too late',
    file: 'src/ledger/po/wishes.ts',
    edits: [["alarm_code = 'late_wish'\n  then", "alarm_code = 'none'\n  then"]],
    tests: late,
    named: 'does not hide',
  },
  {
    safeguard: 'what the configuration adds to a file is no part of what it says',
    file: 'src/ledger/conflict-reason.ts',
    edits: [
      [
        `(coalesce(\${po}.file_hash = \${other}.file_hash, \${po}.content_hash = \${other}.content_hash))`,
        `(\${po}.content_hash = \${other}.content_hash)`,
      ],
    ],
    tests: content,
    named: 'whatever the configuration adds',
  },
  {
    safeguard: 'a PO that is given back has the options of its own file',
    file: 'src/ledger/po/give-back.ts',
    edits: [["'coalesce(r.options, p.options)'", "'p.options'"]],
    tests: content,
    named: 'given back',
  },
  {
    safeguard: 'rows are not joined in silence because a number was cleaned',
    file: 'src/ledger/group-staged-rows.ts',
    edits: [['if (request.oddNumbers) await holdLookalikes', 'if (false) await holdLookalikes']],
    tests: lookalikes,
  },
  {
    safeguard: 'a number with other characters is no repetition of an earlier file',
    file: 'src/ledger/conflict-reason.ts',
    edits: [['.file_hash is null or coalesce(', '.file_hash is null or true or coalesce(']],
    tests: lookalikes,
    named: 'not taken for a repetition',
  },
  {
    safeguard: 'a number that a service shows in another case is the one asked for',
    file: 'src/dealer-api/create-dealer-api.ts',
    edits: [['shown.trim().toLowerCase() === asked.trim().toLowerCase()', 'shown === asked']],
    tests: ['test/dealer-api/endpoints.test.ts'],
    named: 'it is the one asked for',
  },
  {
    safeguard: 'a value that no file with its header had is asked about',
    file: 'src/intake/layouts/watch-columns.ts',
    edits: [["if (answer === 'seen') continue;", "if (answer === 'seen' || answer === undefined) continue;"]],
    tests: questions,
    named: 'the POs of these rows wait, and the others go on',
  },
  {
    safeguard: 'a PO waits for all its answers',
    file: 'src/ledger/apply-answers.ts',
    edits: [
      ['and not exists (select from (', 'and (true or not exists (select from ('],
      [') o where o.po_id = p.id) for update', ') o where o.po_id = p.id)) for update'],
    ],
    tests: questions,
    named: 'waits for both answers',
  },
  {
    safeguard: 'a file that is being read does not wait for a layout that is agreed meanwhile',
    file: 'src/ledger/staging.ts',
    edits: [['(await newestLayout(client, account)) === newest', 'newest !== undefined']],
    tests: ['test/ledger/staging.test.ts'],
    named: 'it is read again, once',
  },
  {
    safeguard: 'a bare name is never passed over',
    file: 'src/intake/layouts/bare-names.ts',
    edits: [['if (bare.length === 0) return;', 'if (bare.length >= 0) return;']],
    tests: ['test/intake/layouts/bare-names.test.ts'],
    named: 'neither read nor passed over',
  },
  {
    safeguard: 'the same bytes get the same made PO number',
    file: 'src/intake/po-number-source.ts',
    edits: [['Number.parseInt(sha256.slice(0, 12), 16)', 'Math.floor(Math.random() * 1e9)']],
    tests: ['test/console/layouts.test.ts'],
    named: 'the same for the same bytes',
  },
  {
    safeguard: 'a worker waits for servers that are coming back',
    file: 'src/cli/wait-for-servers.ts',
    edits: [['|| !mayPass(thrown)) throw thrown', '|| true) throw thrown']],
    tests: ['test/cli/wait-for-servers.test.ts'],
    named: 'tries again',
  },
  {
    safeguard: 'a worker does not wait for what a person has to mend',
    file: 'src/cli/wait-for-servers.ts',
    edits: [['|| !mayPass(thrown)) throw thrown', ') throw thrown']],
    tests: ['test/cli/wait-for-servers.test.ts'],
    named: 'a person has to mend',
  },
  {
    safeguard: 'a change sets only what the table allows it',
    file: 'src/ledger/po/who-changes-what.ts',
    edits: [['if (refused.length > 0) throw', 'if (refused.length > 1e9) throw']],
    tests: ['test/ledger/who-changes-what.test.ts'],
  },
  {
    safeguard: 'what a column says that a person leaves unread is asked about when it is new',
    file: 'src/intake/import-purchase-file.ts',
    edits: [['request.accountColumns ?? request.options.columns', 'options.columns']],
    tests: ['test/intake/layouts/left-unread.test.ts'],
  },
  {
    safeguard: 'a PO number that looks like none before waits',
    file: 'src/intake/layouts/watched-columns.ts',
    edits: [
      ['return [...unread, beyond, ...remarks, ...shaped];', 'return [...unread, beyond, ...remarks];'],
    ],
    tests: ['test/intake/layouts/shapes.test.ts'],
    named: 'looks like none before waits',
  },
  {
    safeguard: 'a note that says not to order is asked about',
    file: 'src/intake/layouts/watched-columns.ts',
    edits: [['return [...unread, beyond, ...remarks, ...shaped];', 'return [...unread, beyond, ...shaped];']],
    tests: ['test/intake/layouts/remarks.test.ts'],
    named: 'that says not to order is asked about',
  },
  {
    safeguard: 'an item that is called like a charge is asked about, also where nothing is known of its file',
    file: 'src/intake/layouts/watch-columns.ts',
    edits: [['const doubt = shapes ?', 'const doubt = shapes && answers ?']],
    tests: ['test/intake/rows/lines-that-are-none.test.ts'],
    named: 'is asked about',
  },
  {
    safeguard: 'a file that lacks the column by which an agreed layout decides waits',
    file: 'src/intake/import-purchase-file.ts',
    edits: [['const lost = isNew ? whyDecisionLost(', 'const lost = !isNew ? whyDecisionLost(']],
    tests: ['test/intake/layouts/lost-decision.test.ts'],
  },
  {
    safeguard: 'rows of no PO stay until each of them comes again',
    file: 'src/ledger/rows-came-again.ts',
    edits: [['having count(*) filter (where l.import_id = i.id) >', 'having 0 >']],
    tests: ['test/ledger/rows-came-again.test.ts'],
  },
  {
    safeguard: 'what a person cancelled is held where it comes again under a number that looks the same',
    file: 'src/ledger/group-staged-rows.ts',
    edits: [
      [
        "case when p.state = 'cancelled' and p.reason_code is distinct",
        'case when false and p.reason_code is distinct',
      ],
    ],
    tests: ['test/ledger/lookalike-numbers.test.ts'],
    named: 'what a person cancelled',
  },
  {
    safeguard: 'numbers that look the same have one key',
    file: 'src/ledger/po-key.ts',
    edits: [['.replace(anyOdd, (sign) => plainSigns.get(sign)!)', '']],
    tests: ['test/ledger/lookalike-numbers.test.ts'],
    named: 'differ only in',
  },
];
