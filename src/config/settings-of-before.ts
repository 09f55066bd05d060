/**
 * Settings that are no settings any more: what happens instead. A file that has one still works in the version that removes it. `*` is
 * any account.
 */
const removed: Readonly<Record<string, string>> = {
  'worker.jobPerStage':
    'one job takes a PO to its order; with `console.queues.readOnly: false`, where people pause queues, each stage is a job of its own',
  'worker.concurrency.createCart': '`worker.concurrency.place` is for all stages of placing',
  'worker.concurrency.addItems': '`worker.concurrency.place` is for all stages of placing',
  'worker.concurrency.submitOrder': '`worker.concurrency.place` is for all stages of placing',
  'worker.concurrency.importFile':
    'one process reads 6 files at the same time, at most two of them larger than 4 MB',
  'worker.concurrency.pollStatus': 'one process fetches the statuses of 32 accounts at the same time',
  'worker.concurrency.writeReport': 'one process writes one result file or report at a time',
  'console.session.absolute':
    'a sign-in ends after 7 days, and earlier where it is not used for `console.session.idle`',
  'console.openId.name': 'the sign-in page says “Sign in with single sign-on”',
  'console.uploads': 'files of up to 200 MB can be uploaded, larger ones go into the inbox',
  'health.accounts': '50 accounts have metrics of their own, first those that need attention',
  'retention.timeZone': '`backup.timeZone` is for `backup.at` and `retention.at`',
  'retention.copies': '`retention.files` is for files of every kind',
  'retention.results': '`retention.files` is for files of every kind',
  'retention.reports': '`retention.files` is for files of every kind',
  'retention.changes': '`retention.rows` is for all rows of the ledger',
  'retention.activity': '`retention.rows` is for all rows of the ledger',
  'notifications.pausedFor': 'a pause is notified after one minute',
  'notifications.pollsLateAfter':
    'statuses are late when none was fetched for 6 hours and two polls were missed',
  'notifications.giveUpAfter': 'a message that could not be delivered is given up after 3 days',
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
  'accounts.*.retention.copies': '`accounts.NAME.retention.files` is for files of every kind',
  'accounts.*.retention.results': '`accounts.NAME.retention.files` is for files of every kind',
  'accounts.*.retention.reports': '`accounts.NAME.retention.files` is for files of every kind',
  'accounts.*.retention.changes': '`accounts.NAME.retention.rows` is for all rows of the ledger',
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

/** The names in a tree that one part of a path stands for. */
const namesIn = (settings: Tree, part: string): string[] =>
  part === '*' ? Object.keys(settings) : Object.hasOwn(settings, part) ? [part] : [];

/** The settings of a file that a path stands for. */
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

/** The settings without those that were removed, and a sentence about each of these. */
export const leaveOutRemoved = (settings: unknown): { settings: unknown; ignored: string[] } => {
  const found = Object.entries(removed).flatMap(([path, instead]) =>
    find(settings, path.split('.')).map((names) => ({ names, instead })),
  );
  return {
    settings: found.reduce((left, { names }) => without(left, names), settings),
    ignored: found.map(
      ({ names, instead }) => `The setting ${names.join('.')} has no effect any more: ${instead}. Remove it.`,
    ),
  };
};
