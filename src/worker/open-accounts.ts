import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { Account, Config } from '../config/config.ts';
import type { DealerApi } from '../dealer-api/answers.ts';
import { createDealerApi } from '../dealer-api/create-dealer-api.ts';
import { createThrottle } from '../dealer-api/throttle.ts';
import { messageOf, UserError } from '../errors.ts';
import { explainFileError } from '../file-access.ts';
import { makeAccountFolders } from '../intake/inbox/account-folders.ts';
import { type Claims, createClaims } from '../intake/inbox/claim.ts';
import {
  createFileProblemReport,
  type FileProblemPlace,
  type FileProblemReport,
} from '../intake/inbox/file-problems.ts';
import { createCallLimit } from '../ledger/call-limit.ts';
import { createFileProblemRegister } from '../ledger/file-problems.ts';
import { createImportRegister } from '../ledger/imports.ts';
import type { Serving } from '../ledger/workers.ts';
import type { Logger } from '../logger.ts';

/** An account with its client, its claims and its limits. */
export interface OpenAccount {
  account: Account;
  claims: Claims;
  /** What keeps its files from being picked up, for `status` and the log; by who notices it. */
  reportFileProblems: Record<FileProblemPlace, FileProblemReport>;
  /** @throws UserError `no_service`, `secret_missing`, `account_unusable` if nothing can be sent for it */
  api(): DealerApi;
  /** Why nothing can be sent for it, in a sentence. */
  serviceProblem: string | undefined;
  /** Why its files cannot be read or written, in a sentence, as of the last `checkFolders`. */
  folderProblem: string | undefined;
  /** Sets this process's share of the account's calls in flight among this many processes; at least one call. */
  shareAmong(processes: number): void;
  /** Calls that this process has started. */
  callsStarted(): number;
}

export interface OpenAccounts {
  all: OpenAccount[];
  /** @throws UserError `unknown_account` */
  get(name: string): OpenAccount;
  /** What this process can currently do for which accounts. */
  serving(): Serving;
  /** Creates the accounts' folders, finds those that cannot be used, and logs changes. Never throws. */
  checkFolders(): Promise<void>;
  stop(): void;
}

const usedFolders = ['inbox', 'working', 'files', 'results'];

const findFolderProblem = async ({ name, folder, access: allowed }: Account): Promise<string | undefined> => {
  try {
    await makeAccountFolders(folder, allowed);
    for (const used of usedFolders) await access(join(folder, used), constants.R_OK | constants.W_OK);
    return undefined;
  } catch (thrown) {
    const why = explainFileError(thrown) ?? messageOf(thrown);
    return `The folder ${folder} cannot be used: ${why}. Fix this, or set accounts.${name}.folder to another folder.`;
  }
};

/**
 * Opens every account of the configuration. An account that cannot be opened has the reason in `serviceProblem` or
 * `folderProblem`; the others are not affected.
 */
export const openAccounts = (config: Config, pool: pg.Pool, logger: Logger): OpenAccounts => {
  const register = createImportRegister(pool);
  const problemRegister = createFileProblemRegister(pool);
  const clients: DealerApi[] = [];

  const openClient = (
    account: Account,
    throttle: ReturnType<typeof createThrottle>,
  ): { client: DealerApi } | { trouble: { code: string; message: string; cause?: unknown } } => {
    if (!account.api) return { trouble: account.problem! };
    try {
      const client = createDealerApi(account.api, throttle);
      clients.push(client);
      return { client };
    } catch (cause) {
      const message = `The account ${account.name} cannot be used: ${messageOf(cause)}. Check accounts.${account.name} in cartwright.yaml.`;
      return { trouble: { code: 'account_unusable', message, cause } };
    }
  };

  const open = (account: Account): OpenAccount => {
    const limit =
      account.callsPerSecond === undefined
        ? undefined
        : createCallLimit(pool, account.name, account.callsPerSecond);
    const throttle = createThrottle(account.inFlight, limit?.admit);
    const opened = openClient(account, throttle);
    const reportAt = (place: FileProblemPlace) =>
      createFileProblemReport({ account: account.name, place, register: problemRegister, logger });
    return {
      account,
      reportFileProblems: {
        inbox: reportAt('inbox'),
        working: reportAt('working'),
        watched: reportAt('watched'),
      },
      claims: createClaims({
        root: account.folder,
        accountName: account.name,
        register,
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
      folderProblem: undefined,
      callsStarted: () => throttle.started(),
      shareAmong: (processes) => throttle.setInFlight(account.inFlight / processes),
    };
  };

  const all = config.accounts.map(open);
  for (const { account, serviceProblem: serviceTrouble } of all) {
    // An account without an address is not set up yet.
    if (serviceTrouble && account.baseUrl !== undefined) {
      logger.error(
        { account: account.name, reason: serviceTrouble },
        'no orders are placed for this account',
      );
    }
  }
  return {
    all,
    get: (name) => {
      const found = all.find(({ account }) => account.name === name);
      if (found) return found;
      const names = all.map(({ account }) => account.name).join(', ');
      throw new UserError('unknown_account', `There is no account ${name}. Configured accounts: ${names}.`);
    },
    serving: () => {
      const namesOf = (some: readonly OpenAccount[]) => some.map(({ account }) => account.name);
      return {
        places: namesOf(all.filter(({ serviceProblem: serviceTrouble }) => !serviceTrouble)),
        reads: namesOf(all.filter(({ folderProblem: folderTrouble }) => !folderTrouble)),
        troubles: Object.fromEntries(
          all.flatMap(({ account, serviceProblem: serviceTrouble, folderProblem: folderTrouble }) => {
            const troubles = [serviceTrouble, folderTrouble].filter((trouble) => trouble !== undefined);
            return troubles.length === 0 ? [] : [[account.name, troubles.join(' ')]];
          }),
        ),
      };
    },
    checkFolders: async () => {
      for (const one of all) {
        const before = one.folderProblem;
        one.folderProblem = await findFolderProblem(one.account);
        if (one.folderProblem === before) continue;
        const of = { account: one.account.name };
        if (one.folderProblem) {
          logger.error({ ...of, reason: one.folderProblem }, 'no files are read or written for this account');
        } else logger.info(of, 'the folder of this account can be used again');
      }
    },
    stop: () => {
      for (const client of clients) client.stop();
    },
  };
};
