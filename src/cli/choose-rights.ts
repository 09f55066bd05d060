import type { Config } from '../config/config.ts';
import { UserError } from '../errors.ts';
import { chooseAccount } from './choose-account.ts';

export interface RightsOptions {
  role: string;
  account?: string[];
}

const roles = ['viewer', 'operator', 'admin'] as const;

/**
 * The role and the accounts that a user or a token gets.
 * @returns accounts null: all
 * @throws UserError `bad_role`, `unknown_account`
 */
export const chooseRights = (
  config: Config,
  { role, account }: RightsOptions,
): { role: (typeof roles)[number]; accounts: string[] | null } => {
  const found = roles.find((one) => one === role);
  if (!found) throw new UserError('bad_role', `--role must be one of ${roles.join(', ')} (got ${role}).`);
  if (found === 'admin' && account) {
    throw new UserError(
      'bad_role',
      'An admin has all accounts. Leave --account out, or choose another role.',
    );
  }
  return { role: found, accounts: account?.map((name) => chooseAccount(config, name).name) ?? null };
};
