import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { whyClosed } from '../config/opening-hours.ts';
import type { NewJob } from '../dispatch/job-schemas.ts';
import { createTransferRegister } from '../ledger/transfers.ts';
import type { Logger } from '../logger.ts';
import { repeat } from '../repeat.ts';
import { deliverFiles } from '../sources/deliver-files.ts';
import { createFetcher } from '../sources/fetch-files.ts';
import { type FilePlace, PlaceError } from '../sources/file-place.ts';
import { createLocalPlace } from '../sources/local-place.ts';
import { openSftpPlace } from '../sources/sftp-place.ts';
import type { SftpSettings } from '../sources/sftp-settings.ts';
import type { ExchangePart as Part } from '../sources/transfer-register.ts';
import type { OpenAccount } from './open-accounts.ts';
import type { FileCheckpoint } from './read-import.ts';
import { enqueuePickedUp } from './watch-folders.ts';

export interface ExchangeDeps {
  pool: pg.Pool;
  enqueue: (jobs: readonly NewJob[]) => Promise<void>;
  logger: Logger;
  /** Names this process. */
  workerId: string;
  /** How long a killed or suspended process blocks others from exchanging files. */
  leaseMs: number;
  checkpoint?: ((name: FileCheckpoint, about: string) => Promise<void>) | undefined;
}

/** The wait doubles after each failure, up to this. */
const longestWaitMs = 15 * 60_000;
/** Permanent errors are reported at once, others on the second failure in a row. */
const needsPerson = new Set(['sftp_host_key', 'sftp_login', 'sftp_key', 'sftp_protocol']);

interface Exchange {
  /**
   * Runs the given parts once, unless another process does.
   * @returns milliseconds until the next round
   */
  round(parts: readonly Part[]): Promise<number>;
  /** Aborts a running round. */
  stop(): void;
}

const createExchange = (open: OpenAccount, sftp: SftpSettings, deps: ExchangeDeps): Exchange => {
  const { pool, enqueue, workerId, leaseMs, checkpoint } = deps;
  const { name, folder: root, access, fileSettleMs, incompleteFileSettleMs, intake } = open.account;
  const log = deps.logger.child({ account: name });
  const register = createTransferRegister(pool);
  const stopping = new AbortController();
  let failures = 0;

  const fetcher =
    sftp.fetch &&
    createFetcher({
      ...sftp.fetch,
      ...{ account: name, root, access, claims: open.claims, register, logger: deps.logger, checkpoint },
      settleMs: fileSettleMs,
      incompleteMs: incompleteFileSettleMs,
      maxFileBytes: intake.limits.maxFileBytes,
      onImport: async ({ importId, state, fileName }) => {
        log.info({ importId, file: fileName }, `fetched from ${sftp.name}`);
        if (state === 'taken') await enqueuePickedUp(importId, { enqueue, logger: log });
      },
    });
  const local = createLocalPlace(root, access);
  const { results, reports } = sftp.deliver;
  const folders = Object.entries({ results, reports }).flatMap(([from, to]) =>
    to === undefined ? [] : [{ from, to }],
  );

  const report = open.reportFileProblems;
  const reportServer = (code: string, message: string): Promise<void> =>
    report.server([{ fileName: sftp.name, code, message }]);

  const work = async (parts: readonly Part[], connect: () => Promise<FilePlace>): Promise<number> => {
    let waitMs = sftp.everyMs;
    if (parts.includes('fetched') && fetcher) {
      const fetched = await fetcher.round(await connect()).catch((error: unknown) => {
        if (!(error instanceof PlaceError) || error.reason === 'lost') throw error;
        // The folder cannot be listed, but writing to the others may still work.
        const fileName = sftp.fetch?.folder ?? sftp.name;
        const problems = [{ fileName, code: error.code, message: error.message }];
        return { problems, unchecked: 'all' as const, waitMs: undefined };
      });
      await report.fetched(fetched.problems, fetched.unchecked);
      waitMs = Math.min(waitMs, fetched.waitMs ?? waitMs);
    }
    if (parts.includes('delivered')) {
      const options = { account: name, from: local, folders, register, logger: deps.logger, checkpoint };
      await report.delivered(folders.length > 0 ? await deliverFiles(options, connect) : []);
    }
    return waitMs;
  };

  /** Does not clear the problems of files: a broken connection says nothing about them. */
  const fail = async (error: unknown): Promise<void> => {
    failures += 1;
    if (!(error instanceof PlaceError)) {
      log.warn({ err: error }, 'could not exchange files by SFTP; it is tried again');
      return;
    }
    if (failures === 1) {
      log.warn(
        { code: error.code, reason: error.message },
        'could not exchange files by SFTP; it is tried again',
      );
    }
    if (failures === 1 && !needsPerson.has(error.code)) return;
    await reportServer(error.code, error.message);
  };

  const exchange = async (server: NonNullable<SftpSettings['server']>, parts: readonly Part[]) => {
    let place: FilePlace | undefined;
    const keeping = setInterval(() => {
      for (const part of parts) void register.lease(name, part, workerId, leaseMs).catch(() => {});
    }, leaseMs / 4);
    const onWritten = checkpoint && (() => checkpoint('uploaded', name));
    const connect = async () => {
      place ??= await openSftpPlace(server, { signal: stopping.signal, onWritten });
      return place;
    };
    try {
      const waitMs = await work(parts, connect);
      failures = 0;
      // Outside the opening hours this round may not have connected, which proves nothing.
      if (place || !fetcher) await report.server([]);
      return waitMs;
    } catch (error) {
      if (!stopping.signal.aborted) await fail(error);
      return Math.min(sftp.everyMs * 2 ** failures, Math.max(sftp.everyMs, longestWaitMs));
    } finally {
      clearInterval(keeping);
      await place?.close();
      for (const part of parts) await register.release(name, part, workerId).catch(() => {});
    }
  };

  return {
    round: async (parts) => {
      if (open.folder.kind !== 'usable' || parts.length === 0) return sftp.everyMs;
      if (!sftp.server) {
        await reportServer('secret_missing', sftp.problem ?? '');
        return sftp.everyMs;
      }
      const leased: Part[] = [];
      for (const part of parts) if (await register.lease(name, part, workerId, leaseMs)) leased.push(part);
      return leased.length === 0 ? sftp.everyMs : exchange(sftp.server, leased);
    },
    stop: () => stopping.abort(),
  };
};

/** The parts due now: fetching only in the opening hours, and only if the account has no `takeFiles` schedule. */
const dueParts = ({ account: { schedule, sftp } }: OpenAccount): Part[] => {
  const isFetched = sftp?.fetch && schedule.takeFiles === undefined && !whyClosed(schedule, new Date());
  return isFetched ? ['fetched', 'delivered'] : ['delivered'];
};

/**
 * Exchanges files with the SFTP servers of the accounts whose folder is here, each account independently: a slow server
 * delays no other account.
 */
export const startExchanges = (
  accounts: readonly OpenAccount[],
  deps: ExchangeDeps,
): { stop(): Promise<void> } => {
  const stops = accounts.flatMap((open) => {
    const { sftp } = open.account;
    if (!sftp) return [];
    const exchange = createExchange(open, sftp, deps);
    const loop = repeat(() => exchange.round(dueParts(open)), {
      everyMs: sftp.everyMs,
      // Spread, so that the accounts do not all start at once.
      firstMs: Math.random() * Math.min(1000, sftp.everyMs),
      failed: (err) =>
        deps.logger.warn({ err, account: open.account.name }, 'could not exchange files; it is tried again'),
    });
    return () => {
      exchange.stop();
      return loop.stop();
    };
  });
  return {
    stop: async () => {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
};

/**
 * Fetches the complete files of an account once, for accounts with a `takeFiles` schedule. Reports server problems instead of throwing,
 * so that the inbox is still read.
 */
export const fetchFilesNow = async (open: OpenAccount, deps: ExchangeDeps): Promise<void> => {
  const { sftp, fileSettleMs } = open.account;
  if (!sftp?.fetch) return;
  const exchange = createExchange(open, sftp, deps);
  // The first round records the files' sizes, the second finds those that have not changed since.
  await exchange.round(['fetched']);
  await sleep(fileSettleMs + 50);
  await exchange.round(['fetched']);
};
