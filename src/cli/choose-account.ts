import type { Account, Config } from '../config/config.ts';
import { UserError } from '../errors.ts';

const listed = (config: Config): string => config.accounts.map(({ name }) => name).join(', ');

/**
 * The account named on the command line; without a name the only account, or the one called `default`.
 * @param how the way to name one, for the message
 * @throws UserError `unknown_account`, `account_needed`
 */
export const chooseAccount = (
  config: Config,
  named: string | undefined,
  how = 'with --account NAME',
): Account => {
  const { accounts } = config;
  if (named !== undefined) {
    const found = accounts.find(({ name }) => name === named);
    if (found) return found;
    throw new UserError(
      'unknown_account',
      `There is no account ${named}. Configured accounts: ${listed(config)}.`,
    );
  }
  const found = accounts.length === 1 ? accounts[0] : accounts.find(({ name }) => name === 'default');
  if (found) return found;
  throw new UserError(
    'account_needed',
    `Several accounts are configured (${listed(config)}). Choose one ${how}.`,
  );
};

/** The account named on the command line; without a name all accounts. */
export const chooseAccounts = (config: Config, named: string | undefined): readonly Account[] =>
  named === undefined ? config.accounts : [chooseAccount(config, named)];
