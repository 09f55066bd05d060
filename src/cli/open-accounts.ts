import type pg from 'pg';
import type { Account, Config } from '../config-schema.ts';
import type { DealerApi } from '../dealer-api/answers.ts';
import { createDealerApi } from '../dealer-api/create-dealer-api.ts';
import { createThrottle } from '../dealer-api/throttle.ts';
import { UserError } from '../errors.ts';
import { type Claims, createClaims } from '../intake/claim.ts';
import { createCallLimit } from '../ledger/call-limit.ts';
import { createImportRegister } from '../ledger/imports.ts';
import type { Logger } from '../logger.ts';

/** An account with what works for it. */
export interface OpenAccount {
  account: Account;
  claims: Claims;
  /** @throws UserError `no_service` where the account has no baseUrl */
  api(): DealerApi;
  /** This process's share of the account's calls in flight, of so many processes; one call at least. */
  shareAmong(processes: number): void;
  /** Calls that this process has started. */
  callsStarted(): number;
}

export interface OpenAccounts {
  all: OpenAccount[];
  /** @throws UserError `unknown_account`, with the names there are */
  get(name: string): OpenAccount;
  stop(): void;
}

/** Opens every account of the configuration: its folder's claims, its client, its limits. */
export const openAccounts = (config: Config, pool: pg.Pool, logger: Logger): OpenAccounts => {
  const register = createImportRegister(pool);
  const clients: DealerApi[] = [];

  const open = (account: Account): OpenAccount => {
    const limit =
      account.callsPerSecond === undefined
        ? undefined
        : createCallLimit(pool, account.name, account.callsPerSecond);
    const throttle = createThrottle(account.inFlight, limit?.admit);
    const client = account.api && createDealerApi(account.api, throttle);
    if (client) clients.push(client);
    return {
      account,
      claims: createClaims({
        root: account.folder,
        accountName: account.name,
        register,
        settleMs: account.fileSettle,
        logger,
      }),
      api: () => {
        if (client) return client;
        throw new UserError(
          'no_service',
          `The account ${account.name} has no service: set accounts.${account.name}.baseUrl in cartwright.yaml${account.name === 'default' ? ', or CARTWRIGHT_BASE_URL' : ''}.`,
        );
      },
      callsStarted: () => throttle.started(),
      shareAmong: (processes) => throttle.setInFlight(account.inFlight / processes),
    };
  };

  const all = config.accounts.map(open);
  return {
    all,
    get: (name) => {
      const found = all.find(({ account }) => account.name === name);
      if (found) return found;
      const names = all.map(({ account }) => account.name).join(', ');
      throw new UserError('unknown_account', `There is no account ${name}; there is: ${names}.`);
    },
    stop: () => {
      for (const client of clients) client.stop();
    },
  };
};
