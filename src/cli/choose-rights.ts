import { type Role, role as roleSchema } from '../api-contract/access.ts';
import type { Config } from '../config/config.ts';
import { UserError } from '../errors.ts';
import { chooseAccount } from './choose-account.ts';

export interface RightsOptions {
  role: string;
  account?: string[];
}

/**
 * The role and accounts for a user or a token.
 * @returns accounts null: all
 * @throws UserError `bad_role`, `unknown_account`
 */
export const chooseRights = (
  config: Config,
  { role, account }: RightsOptions,
): { role: Role; accounts: string[] | null } => {
  const found = roleSchema.options.find((one) => one === role);
  if (!found)
    throw new UserError('bad_role', `--role must be one of ${roleSchema.options.join(', ')} (got ${role}).`);
  if (found === 'admin' && account) {
    throw new UserError(
      'bad_role',
      'An admin has all accounts. Leave --account out, or choose another role.',
    );
  }
  return { role: found, accounts: account?.map((name) => chooseAccount(config, name).name) ?? null };
};
