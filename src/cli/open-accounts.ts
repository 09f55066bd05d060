import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { Account, Config } from '../config-schema.ts';
import type { DealerApi } from '../dealer-api/answers.ts';
import { createDealerApi } from '../dealer-api/create-dealer-api.ts';
import { createThrottle } from '../dealer-api/throttle.ts';
import { messageOf, UserError } from '../errors.ts';
import { type Claims, createClaims } from '../intake/claim.ts';
import { makeAccountFolders } from '../intake/claim-folders.ts';
import { createTroubleReport, type TroublePlace, type TroubleReport } from '../intake/file-troubles.ts';
import { createCallLimit } from '../ledger/call-limit.ts';
import { createTroubleRegister } from '../ledger/file-troubles.ts';
import { createImportRegister } from '../ledger/imports.ts';
import type { Serving } from '../ledger/workers.ts';
import type { Logger } from '../logger.ts';

/** An account with what works for it. */
export interface OpenAccount {
  account: Account;
  claims: Claims;
  /** What keeps its files from being picked up, for `status` and the log; by who notices it. */
  reportTroubles: Record<TroublePlace, TroubleReport>;
  /** @throws UserError `no_service`, `secret_missing`, `account_unusable` where nothing can be sent for it */
  api(): DealerApi;
  /** Why nothing can be sent for it, in a sentence. */
  serviceTrouble: string | undefined;
  /** Why its files cannot be read or written, in a sentence; as `checkFolders` found it. */
  folderTrouble: string | undefined;
  /** This process's share of the account's calls in flight, of so many processes; one call at least. */
  shareAmong(processes: number): void;
  /** Calls that this process has started. */
  callsStarted(): number;
}

export interface OpenAccounts {
  all: OpenAccount[];
  /** @throws UserError `unknown_account`, with the names there are */
  get(name: string): OpenAccount;
  /** What this process can do for which accounts now. */
  serving(): Serving;
  /** Makes the accounts' folders and finds those that cannot be used; logs what changed. Never throws. */
  checkFolders(): Promise<void>;
  stop(): void;
}

const usedFolders = ['inbox', 'working', 'files', 'results'];

const findFolderTrouble = async ({ name, folder, access: allowed }: Account): Promise<string | undefined> => {
  try {
    await makeAccountFolders(folder, allowed);
    for (const used of usedFolders) await access(join(folder, used), constants.R_OK | constants.W_OK);
    return undefined;
  } catch (thrown) {
    return `The folder ${folder} cannot be used: ${messageOf(thrown)}. Fix its owner and permissions, or set accounts.${name}.folder.`;
  }
};

/**
 * Opens every account of the configuration: its folder's claims, its client, its limits. One that cannot be opened
 * never keeps the others from working: it says why, and is not served.
 */
export const openAccounts = (config: Config, pool: pg.Pool, logger: Logger): OpenAccounts => {
  const register = createImportRegister(pool);
  const troubleRegister = createTroubleRegister(pool);
  const clients: DealerApi[] = [];

  const openClient = (
    account: Account,
    throttle: ReturnType<typeof createThrottle>,
  ): { client: DealerApi } | { trouble: { code: string; message: string; cause?: unknown } } => {
    if (!account.api) return { trouble: account.trouble! };
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
    const reportAt = (place: TroublePlace) =>
      createTroubleReport({ account: account.name, place, register: troubleRegister, logger });
    return {
      account,
      reportTroubles: {
        inbox: reportAt('inbox'),
        working: reportAt('working'),
        watched: reportAt('watched'),
      },
      claims: createClaims({
        root: account.folder,
        accountName: account.name,
        register,
        settleMs: account.fileSettle,
        access: account.access,
        logger,
      }),
      api: () => {
        if ('client' in opened) return opened.client;
        const { code, message, cause } = opened.trouble;
        throw new UserError(code, message, { cause });
      },
      serviceTrouble: 'trouble' in opened ? opened.trouble.message : undefined,
      folderTrouble: undefined,
      callsStarted: () => throttle.started(),
      shareAmong: (processes) => throttle.setInFlight(account.inFlight / processes),
    };
  };

  const all = config.accounts.map(open);
  for (const { account, serviceTrouble } of all) {
    // An account without an address is one that nobody has finished setting up.
    if (serviceTrouble && account.baseUrl !== undefined) {
      logger.error({ account: account.name, reason: serviceTrouble }, 'nothing is placed for this account');
    }
  }
  return {
    all,
    get: (name) => {
      const found = all.find(({ account }) => account.name === name);
      if (found) return found;
      const names = all.map(({ account }) => account.name).join(', ');
      throw new UserError('unknown_account', `There is no account ${name}; there is: ${names}.`);
    },
    serving: () => {
      const namesOf = (some: readonly OpenAccount[]) => some.map(({ account }) => account.name);
      return {
        places: namesOf(all.filter(({ serviceTrouble }) => !serviceTrouble)),
        reads: namesOf(all.filter(({ folderTrouble }) => !folderTrouble)),
        troubles: Object.fromEntries(
          all.flatMap(({ account, serviceTrouble, folderTrouble }) => {
            const troubles = [serviceTrouble, folderTrouble].filter((trouble) => trouble !== undefined);
            return troubles.length === 0 ? [] : [[account.name, troubles.join(' ')]];
          }),
        ),
      };
    },
    checkFolders: async () => {
      for (const one of all) {
        const before = one.folderTrouble;
        one.folderTrouble = await findFolderTrouble(one.account);
        if (one.folderTrouble === before) continue;
        const of = { account: one.account.name };
        if (one.folderTrouble) {
          logger.error({ ...of, reason: one.folderTrouble }, 'no files are read or written for this account');
        } else logger.info(of, 'the folder of this account can be used again');
      }
    },
    stop: () => {
      for (const client of clients) client.stop();
    },
  };
};
