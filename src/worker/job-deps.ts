import type pg from 'pg';
import type { Config } from '../config/config.ts';
import type { JobDeps } from '../dispatch/next-work.ts';
import { deferRun, findFreeRun, listWorkOfImport } from '../ledger/due-work.ts';
import { accountOfImport } from '../ledger/imports.ts';
import { createPlacingLedger } from '../ledger/placing-ledger.ts';
import { createFinishedCheck, listFinishedImports } from '../ledger/result-due.ts';
import { createResultRegister } from '../ledger/result-register.ts';
import { createStatusLedger } from '../ledger/status-ledger.ts';
import { createTrackingLedger } from '../ledger/tracking-ledger.ts';
import { isServed } from '../ledger/workers.ts';
import type { Logger } from '../logger.ts';
import { systemClock } from '../placing/lease.ts';
import type { Checkpoint } from '../placing/placing-run.ts';
import type { ReasonLog } from '../placing/reason-log.ts';
import type { Queues } from '../queue/create-queues.ts';
import { writeResultFile } from '../reports/result-file.ts';
import { dayIn, writeStatusReport } from '../reports/status-report.ts';
import type { OpenAccounts } from './open-accounts.ts';
import { type FileCheckpoint, readImport } from './read-import.ts';
import { takeFiles } from './watch-folders.ts';

interface JobParts {
  config: Config;
  logger: Logger;
  pool: pg.Pool;
  accounts: OpenAccounts;
  queues: Pick<Queues, 'enqueue'>;
  reasonLog: ReasonLog;
  /** How long a takeover waits beyond the lease (rule 10). */
  graceMs: number;
  isStopping(): boolean;
  onImportProgress?: ((importId: string, rows: number) => void) | undefined;
  /** For tests: moments at which a process is stopped. */
  checkpoint?: ((name: Checkpoint | FileCheckpoint, about: string) => Promise<void>) | undefined;
}

const placingDeps = (parts: JobParts): JobDeps['placing'] => {
  const { config, logger, pool, accounts, reasonLog, graceMs, isStopping, checkpoint } = parts;
  return {
    ledger: createPlacingLedger(pool),
    accounts: () => accounts.serving().places,
    apiOf: (name) => accounts.get(name).api(),
    rulesOf: (name) => accounts.get(name).account.placing,
    leaseMs: config.worker.leaseMs,
    graceMs,
    logger,
    reasonLog,
    clock: systemClock,
    stopping: isStopping,
    ...(checkpoint ? { checkpoint } : {}),
  };
};

const workDeps = ({ pool, accounts, graceMs }: JobParts): JobDeps['work'] => ({
  deferRun: (id) => deferRun(pool, id, graceMs),
  findFreeRun: (id) => findFreeRun(pool, id, graceMs),
  listWorkOfImport: (importId, page) => listWorkOfImport(pool, importId, page),
  finishedImportsOf: createFinishedCheck(pool),
  listFinishedImports: (limit) => listFinishedImports(pool, limit, accounts.serving().reads),
});

const trackingDeps = ({ pool, accounts, logger }: JobParts): JobDeps['trackingOf'] => {
  const ledger = createTrackingLedger(pool);
  return (name) => {
    const found = accounts.all.find(({ account }) => account.name === name);
    if (!found || found.serviceProblem) return undefined;
    const { finalStatuses, closeUnchangedAfterMs, placing } = found.account;
    return {
      ledger,
      api: found.api(),
      rules: { finalStatuses, unchangedMs: closeUnchangedAfterMs },
      placing,
      logger,
      now: () => new Date(),
    };
  };
};

const fileDeps = (
  parts: JobParts,
): Pick<JobDeps, 'importFile' | 'takeFiles' | 'writeResult' | 'writeStatusReport'> => {
  const { pool, accounts, queues, logger, checkpoint, onImportProgress } = parts;
  const register = createResultRegister(pool);
  const statusLedger = createStatusLedger(pool);
  return {
    importFile: (importId) =>
      readImport({ pool, accounts, logger, checkpoint, onProgress: onImportProgress }, importId),
    takeFiles: (name) => takeFiles(accounts.get(name), { enqueue: (found) => queues.enqueue(found), logger }),
    writeResult: async (importId) => {
      await writeResultFile({
        importId,
        register,
        accountOf: (name) => accounts.get(name).account,
        checkpoint: checkpoint && ((fileName) => checkpoint('writing_result', fileName)),
      });
    },
    writeStatusReport: async (name) => {
      const { folder, reportFormats, schedule, access } = accounts.get(name).account;
      await writeStatusReport({
        account: name,
        folder,
        ledger: statusLedger,
        formats: reportFormats,
        mode: access.file,
        date: dayIn(schedule.timeZone, new Date()),
      });
    },
  };
};

/** What jobs are given: the ledger's functions, the accounts' clients and the writers of files. */
export const createJobDeps = (parts: JobParts): JobDeps => {
  const { pool, accounts, queues } = parts;
  return {
    serves: (what, account) => accounts.serving()[what].includes(account),
    isServed: (what, account) => isServed(pool, what, account),
    accountOfImport: (importId) => accountOfImport(pool, importId),
    placing: placingDeps(parts),
    work: workDeps(parts),
    trackingOf: trackingDeps(parts),
    ...fileDeps(parts),
    enqueue: (jobs) => queues.enqueue(jobs),
  };
};
