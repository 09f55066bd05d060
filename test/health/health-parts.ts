import type { HealthParts } from '../../src/health/create-health.ts';
import type { AccountFigures, LedgerFigures } from '../../src/ledger/figures.ts';

export const noFigures: LedgerFigures = {
  accounts: [],
  holds: {},
  files: {},
  rows: 0,
  workers: { placing: 0, files: 0 },
  heldQueues: 0,
  undelivered: 0,
  undeliveredSince: undefined,
  backup: undefined,
};

/** The figures of an account without any data. */
export const figuresOf = (account: string, more: Partial<AccountFigures> = {}): AccountFigures => ({
  account,
  states: {},
  alarms: 0,
  failingWebhooks: 0,
  stalled: 0,
  waitingSince: undefined,
  unread: 0,
  unreadSince: undefined,
  fileProblems: 0,
  pauseCode: undefined,
  polledAt: undefined,
  pollFailed: false,
  reportWrittenAt: undefined,
  ...more,
});

/** A process without accounts whose servers answer. */
export const healthParts = (more: Partial<HealthParts> = {}): HealthParts => ({
  version: '1.2.3',
  namedAccounts: 50,
  readFigures: async () => noFigures,
  readQueues: async () => [],
  pingLedger: async () => {},
  pingQueue: async () => {},
  folders: () => ({ usable: 0, problems: 0 }),
  pollDueAfter: () => undefined,
  isClosed: () => false,
  backupDue: () => undefined,
  onCall: () => {},
  ...more,
});

/** Every state and every result at once: the maximum number of metrics of an account. */
export const busyFigures = (account: string, now = Date.now()): AccountFigures =>
  figuresOf(account, {
    states: Object.fromEntries(
      'rejected held ready cart_created items_added submitting verifying ordered closed failed cancelled'
        .split(' ')
        .map((state, at) => [state, 1000 + at]),
    ),
    alarms: 3,
    stalled: 2,
    waitingSince: new Date(now - 90_000),
    unread: 2,
    unreadSince: new Date(now - 80_000),
    fileProblems: 1,
    pauseCode: 'not_answering',
    polledAt: new Date(now - 700_000),
    pollFailed: true,
    reportWrittenAt: new Date(now - 3_600_000),
  });
