import type { Mutant } from './mutants.ts';

const contract = ['test/ledger/placing-ledger.test.ts'];
const wishes = ['test/scenarios/wishes.test.ts'];

/** Safeguards of leases, pauses and people's wishes, so that nothing gets stuck. */
export const leaseMutants: Mutant[] = [
  {
    safeguard: 'a run that a pause of a person ends gives its lease back',
    file: 'src/placing/advance.ts',
    edits: [[`await run.deps.ledger.giveBack(po.id, run.lease.owner);`, ``]],
    tests: wishes,
    named: 'a person pauses',
  },
  {
    safeguard: 'no PO waits for a time while a person pauses its account',
    file: 'src/ledger/po/windows.ts',
    edits: [[".account`)} then 'backlog'", ".account`)} and false then 'backlog'"]],
    tests: wishes,
    named: 'a person pauses',
  },
  {
    safeguard: 'a pause of the account does not make its POs due later',
    file: 'src/placing/record-transition.ts',
    edits: [
      [
        'const transition = { ...planned, pausedMs };',
        'const transition = { ...planned, waitMs: Math.max(planned.waitMs, pausedMs) };',
      ],
      ['\n  transition.waitMs === 0 &&\n  !transition.pausedMs;', '\n  transition.waitMs === 0;'],
    ],
    tests: ['test/faults/persons.test.ts'],
    named: 'a person pauses while',
  },
  {
    safeguard: 'a lease that has ended is not renewed',
    file: 'src/ledger/po/lease.ts',
    edits: [
      [
        `where: 'p.id = $1 and p.lease_owner = $2 and p.lease_until > clock_timestamp()'`,
        `where: 'p.id = $1 and p.lease_owner = $2'`,
      ],
    ],
    tests: contract,
    named: 'has ended is not extended',
  },
  {
    safeguard: 'a PO whose lease and grace are over gets a new run',
    file: 'src/ledger/po/due-work.ts',
    edits: [['newRun: true,\n        endsLease: true,', `endsLease: true,`]],
    tests: wishes,
    named: 'gets a new run',
  },
  {
    safeguard: 'a step does not begin if a person has asked for something since it was decided',
    file: 'src/ledger/po/placing-ledger.ts',
    edits: [
      [
        `and p.cancelling = $9 and p.holding = $10`,
        `and $9::boolean is not null and $10::boolean is not null`,
      ],
    ],
    tests: wishes,
    named: 'while a worker has it',
  },
  {
    safeguard: 'a wish that came too late raises an alarm',
    file: 'src/ledger/po/transition.ts',
    edits: [["orderedAnyway('p', state)}, p.alarm", "'null'}, p.alarm"]],
    tests: wishes,
    named: 'comes too late',
  },
  {
    safeguard: 'a call that was sent with a longer timeout is waited for as long as that',
    file: 'src/ledger/po/lease.ts',
    edits: [[`select 3 * max(i.timeout_ms)`, `select 0 * max(i.timeout_ms)`]],
    tests: wishes,
    named: 'a longer timeout',
  },
  {
    safeguard: 'the lock of a process that is gone ends by its time',
    file: 'src/ledger/with-lock.ts',
    edits: [[`where l.held_until < clock_timestamp()`, `where false`]],
    tests: ['test/ledger/with-lock.test.ts'],
    named: 'ends by its time',
  },
  {
    safeguard: 'a price that cannot be read is not counted as nothing in the total of an order',
    file: 'src/placing/guards.ts',
    edits: [[`priceOf(line) ?? toMillionths(line.expectedPrice ?? '');`, `priceOf(line) ?? 0n;`]],
    tests: ['test/placing/guards.test.ts'],
    named: 'does not show',
  },
  {
    safeguard: 'a PO that is taken away gives its repetitions back',
    file: 'src/ledger/po/give-back.ts',
    edits: [[`where not p.quote_only`, `where false`]],
    tests: ['test/ledger/give-back.test.ts'],
  },
  {
    safeguard: 'what an order shows is compared again whenever it has changed',
    file: 'src/ledger/record-orders.ts',
    edits: [['(b.id is null or $', '(b.id is null or false and $']],
    tests: ['test/tracking/late-differences.test.ts'],
  },
  {
    safeguard: 'an alarm is not withdrawn by items that are not shown',
    file: 'src/ledger/po/tracked-changes.ts',
    edits: [
      [`case when c.alarm is null and c.unreadable then p.alarm else`, `case when false then p.alarm else`],
    ],
    tests: ['test/tracking/late-differences.test.ts'],
    named: 'no longer shown',
  },
  {
    safeguard: 'a call that follows at once does not begin where a person has asked for something meanwhile',
    file: 'src/ledger/po/transition.ts',
    edits: [
      [
        `\`\${po}.cancelling = \${value('cancelling')} and \${po}.holding = \${value('holding')}\n      and not`,
        `\`\${value('cancelling')}::bool is not null and \${value('holding')}::bool is not null\n      and not`,
      ],
    ],
    tests: contract,
    named: 'asked for something meanwhile',
  },
  {
    safeguard: 'a call that follows at once does not begin while a person pauses the account',
    file: 'src/ledger/po/transition.ts',
    edits: [[`and not \${personPaused(value('account'))}\``, `and \${value('account')}::text is not null\``]],
    tests: contract,
    named: 'while a person pauses the account',
  },
  {
    safeguard: 'a call that follows at once has an intent',
    file: 'src/placing/record-transition.ts',
    edits: [
      [
        'begun: begin && intentId !== undefined ? { step: begin.step, intentId } : undefined,',
        "begun: begin ? { step: begin.step, intentId: intentId ?? '0' } : undefined,",
      ],
    ],
    tests: [...wishes, 'test/simulation/default-service.test.ts'],
  },
];
