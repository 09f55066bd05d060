import type { Account, Config } from '../config-schema.ts';
import { UserError } from '../errors.ts';

const listed = (config: Config): string => config.accounts.map(({ name }) => name).join(', ');

/**
 * The account that a person names, or the only one, or the one called default.
 * @throws UserError `unknown_account`, `account_needed`, with the names there are
 */
export const chooseAccount = (config: Config, named: string | undefined): Account => {
  const { accounts } = config;
  if (named !== undefined) {
    const found = accounts.find(({ name }) => name === named);
    if (found) return found;
    throw new UserError('unknown_account', `There is no account ${named}; there is: ${listed(config)}.`);
  }
  const found = accounts.length === 1 ? accounts[0] : accounts.find(({ name }) => name === 'default');
  if (found) return found;
  throw new UserError('account_needed', `Say whose it is with --account; there is: ${listed(config)}.`);
};

/** The account that a person names, or all of them. */
export const chooseAccounts = (config: Config, named: string | undefined): readonly Account[] =>
  named === undefined ? config.accounts : [chooseAccount(config, named)];
