import type { SchedulesAnswer } from './api/schemas/schedules.ts';
import type { FilesAnswer } from './api/schemas/search.ts';

/** A regular task of an account. */
export type ScheduleKind = 'poll' | 'report' | 'take_files';

export interface KnownSchedule {
  account: string;
  kind: ScheduleKind;
  timing: { everyMs: number } | { cron: string; timeZone: string };
  /** In milliseconds since 1970; undefined where the queue does not know. */
  nextAtMs: number | undefined;
}

/** A problem that a person has to solve, as `cartwright status --check` reports it. */
export interface KnownProblem {
  code: string;
  account: string | null;
  message: string;
}

/** What the console's pages and actions ask of the queue and of the accounts' folders; src/cli composes it. */
export interface DataWork {
  /** Gives POs of these accounts jobs, as far as there is room in the accounts' windows. */
  fillAccounts(accounts: readonly string[]): Promise<void>;
  /** There is a new bulk run: works on it at once, in the background. */
  continueBulkRuns(): void;
  /** Empty where the queue does not answer. */
  listSchedules(): Promise<KnownSchedule[]>;
  /**
   * What happens by the clock for these accounts, as `cartwright schedule` lists it; with `shared` also what concerns all
   * accounts: summaries, backups, the removal of old data.
   */
  listAllSchedules(accounts: readonly string[], options: { shared: boolean }): Promise<SchedulesAnswer>;
  /** Runs a schedule's task now, in a worker that serves the account. */
  runNow(kind: ScheduleKind, account: string): Promise<void>;
  /** Asks the service of an account for the orders of some POs now. Says in a sentence what it showed, or why it could not be asked. */
  refreshOrders(
    account: string,
    poNumbers: readonly string[],
  ): Promise<{ done: boolean; sentence: string; changes: number }>;
  /** Searches for a PO number without a PO in files of this machine that are in an inbox, wait, were refused or left it out. */
  lookInFiles(poNumber: string, accounts: readonly string[]): Promise<FilesAnswer>;
  /** Writes the result file of an import, in a worker that has the account's folder. */
  writeResult(importId: string): Promise<void>;
  /**
   * Of these accounts, and what concerns all of them. With `held` also the POs that are held, which takes longer the more POs the
   * ledger has: the pages count them themselves.
   */
  findProblems(accounts: readonly string[], options?: { held: boolean }): Promise<KnownProblem[]>;
  /**
   * Imports a copy of a file, as `cartwright import` does, and has it read.
   * @returns the import's id
   * @throws UserError if this process does not have the account's folder
   */
  importCopy(
    account: string,
    path: string,
    options: { fileName: string; quoteOnly: boolean },
  ): Promise<{ importId: string }>;
}
