import type { Config } from '../config/config.ts';
import { whyClosed } from '../config/opening-hours.ts';

/** Why the files and orders of an account wait for its opening hours; undefined while it is open. */
export const whyAccountClosed = (config: Pick<Config, 'accounts'>, account: string): string | undefined => {
  const found = config.accounts.find(({ name }) => name === account);
  return found && whyClosed(found.schedule, new Date());
};
