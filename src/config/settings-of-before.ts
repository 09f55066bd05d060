import { duration } from './duration.ts';
import { usualAges } from './maintenance-schema.ts';

/**
 * Removed settings, with the present behaviour. A file that has one still works in the version that removes it. `*` stands for any
 * account.
 */
const removed: Readonly<Record<string, string>> = {
  'worker.jobPerStage':
    'one job takes a PO to its order; with `console.queues.readOnly: false`, where people pause queues, each stage is a job of its own',
  'worker.concurrency':
    'one process places 256 POs, reads 6 files (two larger than 4 MB), fetches the statuses of 32 accounts and writes one file at the same time',
  'worker.sweepEvery': 'the ledger is searched for work without a job every 30 seconds',
  'worker.drain': 'a worker that is stopping waits up to 30 seconds for running jobs',
  'worker.startPatience': 'a process that starts tries for one minute to reach the database and Redis',
  'log.format': 'log lines are readable on a terminal, and JSON everywhere else',
  'console.session.absolute':
    'a sign-in ends after 7 days, and earlier where it is not used for `console.session.idle`',
  'console.openId.scope':
    'the console asks for `openid profile email`, and for the scope of the groups where the provider has one',
  'console.openId.name': 'the sign-in page says “Sign in with single sign-on”',
  'console.uploads': 'files of up to 200 MB can be uploaded, larger ones go into the inbox',
  'health.accounts': '50 accounts have metrics of their own, first those that need attention',
  'retention.at': 'what is old enough is removed at the times of `backup.at`',
  'retention.timeZone': '`backup.timeZone` is for `backup.at`',
  'retention.copies': '`retention.files` is for files of every kind',
  'retention.results': '`retention.files` is for files of every kind',
  'retention.reports': '`retention.files` is for files of every kind',
  'retention.changes': '`retention.rows` is for all rows of the ledger',
  'retention.activity': '`retention.rows` is for all rows of the ledger',
  'notifications.digest': 'further events of one kind are collected for 15 minutes; alarms for one minute',
  'notifications.diskFreeBelow':
    'a disk is nearly full when less than a tenth of it and less than 20 GB are free',
  'notifications.pausedFor': 'a pause is notified after one minute',
  'notifications.pollsLateAfter':
    'statuses are late when none was fetched for 6 hours and two polls were missed',
  'notifications.giveUpAfter': 'a message that could not be delivered is given up after 3 days',
  'service.unknownItems': 'items that a catalogue file does not have are refused',
  'service.orderPrefix': 'orders of a sandbox begin with SANDBOX-',
  'service.unknownFields': '`input: lenient` drops fields that are not known',
  'service.errorShape': 'every problem document has a `message`',
  'service.rateBurst': 'a burst of 20 calls passes before `ratePerSecond` applies',
  'service.latencyMs': 'a rule of `faults` delays calls',
  'service.cartItems': '`itemsIn: [orders]` hides the items of carts',
  'service.orderItems': '`itemsIn: [carts]` hides the items of orders',
  'service.bodyLimitBytes': 'a request may have up to 64 KiB',
  'service.headerLimitBytes': 'the headers of a request may have up to 16 KiB',
  'service.requestTimeoutMs': 'a request has 15 seconds to arrive',
  'service.idleTimeoutMs': 'a connection without traffic is closed after two minutes',
  'service.poolSize': 'a process has up to 10 connections to Postgres',
  'service.accessLog': 'with `log.level: debug` every request is logged',
  'service.adminToken':
    '`adminTokenEnv` names the variable that holds it; without it nothing from elsewhere may call /admin',
  'service.examples': '`seed: [{ po_number: PO-1002 }]` makes the cart that the examples delete',
  'accounts.*.maxAnswerBytes': 'up to 32 MiB of a response are read',
  'accounts.*.settle': 'an order is looked up after twice `requestTimeout`, plus `readLag`, plus one second',
  'accounts.*.rebuildsAllowed': 'a cart is rebuilt up to 10 times',
  'accounts.*.orderSeenWithin': 'an order that no status check has shown for 24 hours is an alarm',
  'accounts.*.closeUnchangedAfter': 'an order is closed when its status has not changed for 180 days',
  'accounts.*.incompleteFileSettle':
    'a file that looks incomplete is picked up when it has not changed for 5 minutes',
  'accounts.*.sftp.timeout': 'an SFTP server has 30 seconds to answer',
  'accounts.*.schedule.pollOlder':
    'orders older than 14 days are asked for every hour, after 30 days every 4 hours, after 90 days once a day',
  'accounts.*.retention':
    '`retention` is for all accounts; until this line is removed, what it keeps longer is kept longer for all',
  'accounts.*.unreachableAllowed': 'a PO is held when the service could not be reached for 24 hours',
  'accounts.*.deniedPause':
    'an account is paused for up to 5 minutes after the service refused its credential',
  'accounts.*.cancelledAgain':
    'a cancelled PO that a file has again unchanged is held; `cartwright release` orders it',
  'accounts.*.restoredFiles':
    'POs of files that are imported again after a restore are held; `cartwright release` orders them',
  'accounts.*.answers.send': 'a dealer gets both result files and status reports',
  'accounts.*.schedule.missed': 'a run that was missed is made once when a worker is there again',
  'accounts.*.intake.dateLikeIdentifiers':
    'a person is asked about a PO number or an item such as 1-Mar, once for each value',
  'accounts.*.intake.lostZipZeros': 'a ZIP code without its leading zeros is an issue',
  'accounts.*.intake.stateCodes':
    'names of states are read as codes with `stateNames: convert`; other spellings are issues',
  'accounts.*.intake.limits': 'the limits are in docs/purchase-files.md',
  'accounts.*.intake.fallbackEncoding':
    'CSV files that are neither UTF-8 nor UTF-16 are read as windows-1252; `encoding` of a layout says otherwise',
  'accounts.*.intake.totalsWords':
    'a row that is the sum of those above it is left out, and a person is asked about an item that is called like a sum',
  'accounts.*.intake.chargeWords': 'a person is asked about an item that is called like a charge',
  'accounts.*.intake.yes': 'yes, y, true, 1, x and the words for yes of five languages mean yes',
  'accounts.*.intake.no': 'no, n, false, 0 and the words for no of five languages mean no',
  'accounts.*.intake.maxQuantity':
    'a quantity above 1,000,000 is an issue; `guards.unusualQuantity` holds what is unusual',
  'accounts.*.intake.poNumberMaxLength': 'a PO number may have 200 characters',
};

type Tree = Record<string, unknown>;

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The names in a tree that match one part of a path. */
const namesIn = (settings: Tree, part: string): string[] =>
  part === '*' ? Object.keys(settings) : Object.hasOwn(settings, part) ? [part] : [];

/** The settings of a file that match a path. */
const find = (
  settings: unknown,
  [part, ...rest]: readonly string[],
  above: readonly string[] = [],
): string[][] =>
  part === undefined
    ? [[...above]]
    : isTree(settings)
      ? namesIn(settings, part).flatMap((name) => find(settings[name], rest, [...above, name]))
      : [];

const without = (settings: unknown, [first, ...rest]: readonly string[]): unknown => {
  if (!isTree(settings) || first === undefined) return settings;
  const { [first]: inner, ...others } = settings;
  return rest.length === 0 ? others : { ...others, [first]: without(inner, rest) };
};

const replaced = (settings: unknown, [first, ...rest]: readonly string[], value: unknown): unknown => {
  if (first === undefined) return value;
  const tree = isTree(settings) ? settings : {};
  return { ...tree, [first]: replaced(tree[first], rest, value) };
};

const valueAt = (settings: unknown, names: readonly string[]): unknown =>
  names.reduce((inner, name) => (isTree(inner) ? inner[name] : undefined), settings);

const ageMs = (age: unknown): number => {
  if (age === 'forever') return Number.POSITIVE_INFINITY;
  const read = duration.safeParse(age);
  return read.success ? read.data : 0;
};

/** Keeps the longest of the accounts' former retention periods, so that nothing is removed earlier than before. */
const keepLonger = (settings: unknown): unknown =>
  (['files', 'rows'] as const).reduce((now, kind) => {
    const usual = valueAt(now, ['retention', kind]) ?? usualAges[kind];
    const longest = find(now, ['accounts', '*', 'retention', kind])
      .map((names) => valueAt(now, names))
      .reduce((one, other) => (ageMs(other) > ageMs(one) ? other : one), usual);
    return longest === usual ? now : replaced(now, ['retention', kind], longest);
  }, settings);

/** Drops `admin` and `faults` if a host other than the default is set: without the removed token they would be a mistake. */
const closeAdmin = (settings: unknown): unknown => {
  const service = valueAt(settings, ['service']);
  if (!isTree(service) || !service.adminToken || service.adminTokenEnv || !service.host) return settings;
  return ['admin', 'faults'].reduce((left, name) => without(left, ['service', name]), settings);
};

/** Converts quiet hours, which used to be two settings. */
const writeQuietHours = (settings: unknown): { settings: unknown; ignored: string[] } => {
  const found = find(settings, ['notifications', 'routes', '*', 'quietHours']).flatMap((names) => {
    const value = valueAt(settings, names);
    return isTree(value) ? [{ names, hours: `${value.from}-${value.to}` }] : [];
  });
  return {
    settings: found.reduce((now, { names, hours }) => replaced(now, names, hours), settings),
    ignored: found.map(
      ({ names, hours }) =>
        `The setting ${names.join('.')} is written in one line now: quietHours: ${hours}. Change it.`,
    ),
  };
};

/** Drops removed settings, with a sentence about each. */
export const leaveOutRemoved = (settings: unknown): { settings: unknown; ignored: string[] } => {
  const found = Object.entries(removed).flatMap(([path, instead]) =>
    find(settings, path.split('.')).map((names) => ({ names, instead })),
  );
  const written = writeQuietHours(closeAdmin(keepLonger(settings)));
  return {
    settings: found.reduce((left, { names }) => without(left, names), written.settings),
    ignored: [
      ...found.map(
        ({ names, instead }) =>
          `The setting ${names.join('.')} has no effect any more: ${instead}. Remove it.`,
      ),
      ...written.ignored,
    ],
  };
};
