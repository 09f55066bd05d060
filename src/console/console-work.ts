import type { ScheduleKind } from '../api-contract/accounts.ts';
import type { SchedulesAnswer } from '../api-contract/schedules.ts';
import type { FilesAnswer } from '../api-contract/search.ts';
import type { ProblemsAnswer } from '../api-contract/today.ts';
import type { UnreadImport } from '../intake/inbox/import-register.ts';

export interface KnownSchedule {
  account: string;
  kind: ScheduleKind;
  timing: { everyMs: number } | { cron: string; timeZone: string };
  /** In milliseconds since 1970; undefined if the queue does not know. */
  nextAtMs: number | undefined;
}

export type KnownProblem = ProblemsAnswer['problems'][number];

/** The console's access to the queue and the accounts' folders; src/cli composes it. */
export interface ConsoleWork {
  /** Enqueues POs that an action changed, and writes the result files that are due. */
  enqueueChanged(purchaseOrderIds: readonly string[]): Promise<void>;
  /**
   * Enqueues POs of an account that continue after an answer, up to its window, because they may be thousands. Writes the result files that
   * are due. Never throws, because the sweep finds missing jobs.
   */
  continueAnswered(account: string): Promise<void>;
  /** Enqueues newly registered imports. Never throws, because the sweep finds missing jobs. */
  enqueueImports(imports: readonly (Pick<UnreadImport, 'id'> & Partial<UnreadImport>)[]): Promise<void>;
  /** Enqueues POs of these accounts, up to their windows. */
  fillAccounts(accounts: readonly string[]): Promise<void>;
  /** Starts working on a new bulk run in the background. */
  continueBulkRuns(): void;
  /** Empty if the queue does not answer. */
  listSchedules(): Promise<KnownSchedule[]>;
  /**
   * The schedules of these accounts, as listed by `cartwright schedule`; with `shared` also those of all accounts: summaries, backups,
   * removal of old data.
   */
  listAllSchedules(accounts: readonly string[], options: { shared: boolean }): Promise<SchedulesAnswer>;
  /** Runs a schedule's task now, in a worker that serves the account. */
  runNow(kind: ScheduleKind, account: string): Promise<void>;
  /** Fetches the orders of some POs from the account's service now. Returns the result, or why it failed, as a sentence. */
  refreshOrders(
    account: string,
    poNumbers: readonly string[],
  ): Promise<{ done: boolean; sentence: string; changes: number }>;
  /** Searches for a PO number without a PO in files on this machine that are in an inbox, wait, were refused, or skipped it. */
  lookInFiles(poNumber: string, accounts: readonly string[]): Promise<FilesAnswer>;
  /** Writes the result file of an import, in a worker that has the account's folder. */
  writeResult(importId: string): Promise<void>;
  /**
   * The problems of these accounts and those common to all. `held` includes held POs, which takes longer in a large ledger; the pages count
   * them themselves.
   */
  findProblems(accounts: readonly string[], options?: { held: boolean }): Promise<KnownProblem[]>;
}
