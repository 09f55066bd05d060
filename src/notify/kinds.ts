/** How urgent an event is: for information, to act on, to act on now. */
export const severities = ['info', 'warning', 'alarm'] as const;
export type Severity = (typeof severities)[number];

export interface EventKindWords {
  severity: Severity;
  /** Heading for one event; `{subject}` is its subject. */
  one: string;
  /** Heading for several events, after their number. */
  many: string;
  /** Heading for events that were settled before the message was sent, after their number. */
  settled?: { one: string; many: string };
  meaning: string;
  /** `{place}`: where the files of the account are put; `{pos}`: the POs, for a command line. */
  advice: string;
}

/**
 * The only table of notifications; messages, documentation and settings read it.
 */
export const eventKinds = {
  file_refused: {
    severity: 'warning',
    one: 'Purchase file {subject} was refused',
    many: 'purchase files were refused',
    meaning: 'A file cannot be used as a whole; nothing in it was ordered.',
    advice: 'Read the note beside the file in failed/, correct the file and put it into {place} again.',
  },
  file_waits: {
    severity: 'warning',
    one: 'Purchase file {subject} waits for somebody to say what it means',
    many: 'purchase files wait for somebody to say what they mean',
    meaning:
      'Nobody has agreed how files with this header are read. Nothing in it is ordered meanwhile. This is sent once for each header.',
    advice:
      'Open the file in the console, or run `cartwright map`: what you decide counts for all files with this header.',
  },
  file_stuck: {
    severity: 'warning',
    one: 'Purchase file {subject} cannot be picked up or archived',
    many: 'purchase files cannot be picked up or archived',
    meaning: 'A file stays where it is, and Cartwright tries again.',
    advice: '`cartwright status` names each file and what to do.',
  },
  sftp_failed: {
    severity: 'warning',
    one: 'Files cannot be exchanged by SFTP: {subject}',
    many: 'problems with exchanging files by SFTP',
    meaning:
      "A dealer's SFTP server, or one of its files or folders, cannot be used: a file waits to be fetched, or results wait to be delivered. Orders go on.",
    advice: '`cartwright status` says what to do about each; Cartwright tries again.',
  },
  po_rejected: {
    severity: 'warning',
    one: 'Purchase order {subject} was rejected',
    many: 'purchase orders were rejected',
    settled: { one: 'purchase order that was rejected', many: 'purchase orders that were rejected' },
    meaning: 'One of its rows is wrong; nothing was sent.',
    advice:
      'Correct the rows that the result file names and send the file again, or correct them in the console. If nobody needs it: `cartwright settle {pos}`.',
  },
  po_held: {
    severity: 'warning',
    one: 'Purchase order {subject} is held',
    many: 'purchase orders are held',
    settled: { one: 'purchase order that was held', many: 'purchase orders that were held' },
    meaning: 'It waits for a person; nothing is sent meanwhile.',
    advice:
      'Decide in the console, or with `cartwright release {pos}` or `cartwright cancel {pos}` (`adopt` where the service has the order already).',
  },
  po_failed: {
    severity: 'warning',
    one: 'Purchase order {subject} failed',
    many: 'purchase orders failed',
    settled: { one: 'purchase order that failed', many: 'purchase orders that failed' },
    meaning: 'The service refused it; nothing was ordered.',
    advice:
      'Correct it in the console, or send it again corrected. If the service has changed since: `cartwright retry {pos}`. If nobody needs it: `cartwright settle {pos}`.',
  },
  order_in_doubt: {
    severity: 'alarm',
    one: 'It is not certain what was ordered for purchase order {subject}',
    many: 'purchase orders may have been ordered wrongly or twice',
    settled: { one: 'purchase order that was in doubt', many: 'purchase orders that were in doubt' },
    meaning:
      'The service may have two orders, or another order than the file asks for, or it is not known whether it has one (held as `duplicate_suspected`, `cannot_verify` or `submission_unknown`).',
    advice: 'Check with the service before you decide. `cartwright status PO` shows what is known.',
  },
  order_alarm: {
    severity: 'alarm',
    one: 'The order of purchase order {subject} is not as it should be',
    many: 'purchase orders have orders that are not as they should be',
    meaning:
      'The quantities of the order differ from the file, the order has disappeared or was never shown, or the file continued to change after it was ordered.',
    advice:
      'Check with the service. `cartwright status PO` and the result file show the cause; `cartwright settle` closes the alarm.',
  },
  po_stalled: {
    severity: 'alarm',
    one: 'Purchase order {subject} is stuck',
    many: 'purchase orders are stuck',
    settled: { one: 'purchase order that was stuck', many: 'purchase orders that were stuck' },
    meaning:
      'Nothing keeps it from being processed, and it has made no progress for ten minutes although it was queued again. Nothing is lost or ordered twice.',
    advice: 'Search the log of the workers for the PO number, then restart the workers.',
  },
  account_paused: {
    severity: 'warning',
    one: 'Account {subject} is paused',
    many: 'accounts are paused',
    settled: { one: 'account that was paused', many: 'accounts that were paused' },
    meaning: 'Nothing is sent for the account for longer than a minute, or a person paused it.',
    advice:
      'Cartwright retries automatically, and the account continues when a call succeeds; `cartwright doctor` tries now. A pause by a person ends in the console or with `cartwright accounts resume`.',
  },
  account_resumed: {
    severity: 'warning',
    one: 'Account {subject} works again',
    many: 'pauses of accounts are over',
    meaning: 'The pause is over.',
    advice: 'Nothing.',
  },
  nothing_arrived: {
    severity: 'warning',
    one: 'No purchase file has arrived for account {subject}',
    many: 'accounts have not received a purchase file in time',
    settled: {
      one: 'account without a purchase file in time',
      many: 'accounts without a purchase file in time',
    },
    meaning: 'No file came that day before the time in `schedule.expectFiles` of the account.',
    advice: 'Ask the dealer, or the person who puts the files into {place}.',
  },
  polls_late: {
    severity: 'warning',
    one: 'Order statuses of account {subject} have not been fetched',
    many: 'accounts have not had their order statuses fetched',
    settled: {
      one: 'account without current order statuses',
      many: 'accounts without current order statuses',
    },
    meaning: 'There are open orders, no status check has succeeded for 6 hours, and two polls were missed.',
    advice:
      '`cartwright status` says why the last check failed. Check the service and that a worker is running.',
  },
  no_worker: {
    severity: 'alarm',
    one: 'No worker is running',
    many: 'times no worker was running',
    meaning:
      'For five minutes no process has been placing orders. A console or `cartwright watch` notices it.',
    advice: 'Start `cartwright up` or `cartwright work`, and read the end of its log.',
  },
  disk_full: {
    severity: 'alarm',
    one: 'The disk with {subject} is nearly full',
    many: 'disks are nearly full',
    meaning: 'Less than a tenth of the disk and less than 20 GB are free.',
    advice: 'Make room. Nothing is sent that cannot be recorded, so orders stop when the disk is full.',
  },
  backup_failed: {
    severity: 'warning',
    one: 'The backup of the ledger to {subject} was not made',
    many: 'times the backup of the ledger was not made',
    settled: {
      one: 'backup of the ledger that was not made',
      many: 'backups of the ledger that were not made',
    },
    meaning: 'The regular backup failed, or no process made it for three hours after it was due.',
    advice:
      "Check `backup.folder` and its disk, and that a process with the accounts' folders runs. It is tried again every hour; `cartwright backup FILE` makes one now.",
  },
  order_changed: {
    severity: 'info',
    one: 'Order status of purchase order {subject} changed',
    many: 'purchase orders have a new status or tracking number',
    meaning: 'A status check found a new order status, or tracking numbers.',
    advice: 'Nothing.',
  },
  report_written: {
    severity: 'info',
    one: 'Status report {subject} was written',
    many: 'status reports were written',
    meaning: 'The status report of an account; attached to e-mails.',
    advice: 'Nothing.',
  },
  result_written: {
    severity: 'info',
    one: 'Result file {subject} was written',
    many: 'result files were written',
    meaning:
      'Every purchase order of a file has an outcome, or another one than before; the result file is attached to e-mails.',
    advice: 'Nothing.',
  },
} as const satisfies Record<string, EventKindWords>;

export type EventKind = keyof typeof eventKinds;
export const eventKindNames = Object.keys(eventKinds) as [EventKind, ...EventKind[]];

/** Events about a file that is attached to an e-mail; `subject` is its path in the account's folder. */
export const carriesFile = (kind: SectionKind): boolean =>
  kind === 'report_written' || kind === 'result_written';

/** The content of a section of a message: events, the daily summary, or a test. */
export type SectionKind = EventKind | 'summary' | 'test';

export const severityOf = (kind: SectionKind): Severity =>
  kind === 'summary' || kind === 'test' ? 'info' : eventKinds[kind].severity;
