import type pg from 'pg';
import type { Account, Config } from '../config/config.ts';
import type { DealerApi, ObservedCall } from '../dealer-api/answers.ts';
import { createDealerApi } from '../dealer-api/create-dealer-api.ts';
import type { SharedThrottle } from '../dealer-api/throttle.ts';
import { messageOf, plainCause, UserError } from '../errors.ts';
import { type Claims, createClaims } from '../intake/inbox/claim.ts';
import {
  createFileProblemReport,
  type FileProblemPlace,
  type FileProblemReport,
} from '../intake/inbox/file-problems.ts';
import { createFileProblemRegister } from '../ledger/file-problems.ts';
import { createImportRegister } from '../ledger/imports.ts';
import type { Serving } from '../ledger/workers.ts';
import type { Logger } from '../logger.ts';
import { type Trace, untraced } from '../tracing/trace.ts';
import { traceCalls } from '../tracing/trace-calls.ts';
import { createCallLimits } from './call-limits.ts';
import { checkFolders, type FolderLooks, type FolderState } from './check-folders.ts';

/** An account with its client, its claims and its limits. */
export interface OpenAccount {
  account: Account;
  claims: Claims;
  /** Reports why its files are not picked up, for `status` and the log, by the place that notices it. */
  reportFileProblems: Record<FileProblemPlace, FileProblemReport>;
  /** @throws UserError `no_service`, `secret_missing`, `account_unusable` if nothing can be sent for it */
  api(): DealerApi;
  /** Why nothing can be sent for it, in a sentence. */
  serviceProblem: string | undefined;
  /** Whether its folder is here and usable, as of the last `checkFolders`. */
  folder: FolderState;
  /** @throws UserError `no_folder` if its files cannot be read or written here, with the reason and what to do */
  assertFolder(): void;
  /** Calls that this process has started. */
  callsStarted(): number;
}

type CallListener = (account: string, call: ObservedCall) => void;

export interface OpenAccounts {
  all: OpenAccount[];
  /** @throws UserError `unknown_account` */
  get(name: string): OpenAccount;
  /** The accounts that this process can currently place for and read files of. */
  serving(): Serving;
  /** Finds out which accounts' folders are here and can be used, and logs changes. Never throws. */
  checkFolders(): Promise<void>;
  /** Calls back after each call to a service that ends from now on. */
  onCall(listener: CallListener): void;
  stop(): Promise<void>;
}

export interface OpenAccountsOptions {
  /** Whether this process places POs and polls; default true. */
  places?: boolean;
  /** Whether it creates an account's first folder; default: every account's. */
  mayCreateFolder?: (account: string) => boolean;
  /** Records a span of each call; default: none. */
  trace?: Trace;
}

const unchecked: FolderState = { kind: 'elsewhere', message: 'The folder has not been checked yet.' };

/**
 * Opens every account of the configuration. `workerId` names this process in the ledger. An account that cannot be opened has the reason in `serviceProblem` or
 * `folder`; the others are not affected.
 */
export const openAccounts = (
  config: Config,
  pool: pg.Pool,
  logger: Logger,
  workerId: string,
  { places = true, mayCreateFolder = () => true, trace = untraced }: OpenAccountsOptions = {},
): OpenAccounts => {
  const limits = createCallLimits(pool, workerId, logger);
  const problemRegister = createFileProblemRegister(pool);
  const clients: DealerApi[] = [];
  const listeners: CallListener[] = [];

  const openClient = (
    account: Account,
    throttle: SharedThrottle,
  ): { client: DealerApi } | { trouble: { code: string; message: string; cause?: unknown } } => {
    if (!account.api) return { trouble: account.problem! };
    try {
      const client = createDealerApi(
        account.api,
        throttle,
        (call) => {
          for (const listener of listeners) listener(account.name, call);
        },
        (poNumber, shown) =>
          logger.info(
            { account: account.name, poNumber, reason: `shown as "${shown}"` },
            'the service shows PO numbers in another case or with blanks around them: taken as the same where one PO was asked for',
          ),
      );
      clients.push(client);
      return { client: trace === untraced ? client : traceCalls(client, account.name, trace) };
    } catch (cause) {
      const message = `The account ${account.name} cannot be used: ${plainCause(messageOf(cause))}. Check accounts.${account.name} in cartwright.yaml.`;
      return { trouble: { code: 'account_unusable', message, cause } };
    }
  };

  const open = (account: Account): OpenAccount => {
    const { name, inFlight, callsPerSecond, placing } = account;
    const { requestTimeoutMs } = placing;
    const throttle = limits.throttleOf({ name, inFlight, callsPerSecond, requestTimeoutMs });
    const opened = openClient(account, throttle);
    const reportAt = (place: FileProblemPlace) =>
      createFileProblemReport({ account: account.name, place, register: problemRegister, logger });
    const opening: OpenAccount = {
      account,
      reportFileProblems: {
        inbox: reportAt('inbox'),
        working: reportAt('working'),
        watched: reportAt('watched'),
        server: reportAt('server'),
        fetched: reportAt('fetched'),
        delivered: reportAt('delivered'),
      },
      claims: createClaims({
        root: account.folder,
        accountName: account.name,
        register: createImportRegister(pool, () =>
          opening.folder.kind === 'usable' ? opening.folder.id : undefined,
        ),
        settleMs: account.fileSettleMs,
        access: account.access,
        logger,
      }),
      api: () => {
        if ('client' in opened) return opened.client;
        const { code, message, cause } = opened.trouble;
        throw new UserError(code, message, { cause });
      },
      serviceProblem: 'trouble' in opened ? opened.trouble.message : undefined,
      folder: unchecked,
      assertFolder: () => {
        const { folder } = opening;
        if (folder.kind !== 'usable') throw new UserError('no_folder', folder.message);
      },
      callsStarted: () => throttle.started(),
    };
    return opening;
  };

  const all = config.accounts.map(open);
  const looks: FolderLooks = new Map();
  for (const { account, serviceProblem: serviceTrouble } of all) {
    // An account without an address is not set up yet.
    if (serviceTrouble && account.baseUrl !== undefined) {
      logger.error(
        { account: account.name, reason: serviceTrouble },
        'no orders are placed for this account',
      );
    }
  }
  const byName = new Map(all.map((one) => [one.account.name, one]));
  const namesOf = (some: readonly OpenAccount[]) => some.map(({ account }) => account.name);
  const findServing = (): Serving => ({
    places: places ? namesOf(all.filter(({ serviceProblem }) => !serviceProblem)) : [],
    reads: namesOf(all.filter(({ folder }) => folder.kind === 'usable')),
    troubles: Object.fromEntries(
      all.flatMap(({ account, serviceProblem, folder }) => {
        const troubles = [
          ...(places && serviceProblem ? [serviceProblem] : []),
          ...(folder.kind === 'problem' ? [folder.message] : []),
        ];
        return troubles.length === 0 ? [] : [[account.name, troubles.join(' ')]];
      }),
    ),
  });
  // Cached, because every job asks and only a check of the folders changes it.
  let serving = findServing();
  return {
    all,
    get: (name) => {
      const found = byName.get(name);
      if (found) return found;
      const names = namesOf(all).join(', ');
      throw new UserError('unknown_account', `There is no account ${name}. Configured accounts: ${names}.`);
    },
    serving: () => serving,
    checkFolders: async () => {
      const accounts = all.map(({ account }) => account);
      // Without the ledger nothing new is known, so the previous result stays.
      const states = await checkFolders(pool, accounts, mayCreateFolder, looks).catch((err: unknown) => {
        logger.warn({ err }, 'Could not check the folders of the accounts; it will be retried');
        return undefined;
      });
      for (const one of states ? all : []) {
        const before = one.folder;
        one.folder = states?.get(one.account.name) ?? before;
        const of = { account: one.account.name };
        if (one.folder.kind === 'problem') {
          if (before.kind === 'problem' && before.message === one.folder.message) continue;
          logger.error(
            { ...of, reason: one.folder.message },
            'no files are read or written for this account',
          );
        } else if (before.kind === 'problem') logger.info(of, 'the folder of this account can be used again');
      }
      serving = findServing();
    },
    onCall: (listener) => void listeners.push(listener),
    stop: async () => {
      await limits.stop();
      for (const client of clients) client.stop();
    },
  };
};
