import { newAccount } from '../../config/load-config.ts';
import type { Settings } from '../../config/schema.ts';
import { checkAccountService } from './check-account-service.ts';
import type { Finding } from './finding.ts';

/** Looks at the service of an account that is not in a configuration file yet; nothing where it has none. */
export const checkNewAccount = async (
  name: string,
  read: { settings: Settings } | { wrong: string },
): Promise<Finding[]> =>
  'wrong' in read || read.settings.accounts[name]?.baseUrl === undefined
    ? []
    : checkAccountService(newAccount(name, read.settings));
