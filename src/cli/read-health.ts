import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { listFolderBacklog } from '../ledger/account-folders.ts';
import { readRouteStates } from '../ledger/notifications.ts';
import { readOverview } from '../ledger/overview.ts';
import { accountProblems } from '../worker/account-problems.ts';
import { checkHealth } from './health-check.ts';
import { listOpenProblems } from './open-problems.ts';
import { withUnusable } from './output/notifications.ts';
import { whyAccountClosed } from './why-account-closed.ts';

/**
 * The state of these accounts and of what they share, and the problems in it.
 * @param options as those of `readOverview`
 */
export const readHealth = async (
  pool: pg.Pool,
  config: Config,
  accounts: readonly string[],
  options?: { counts: boolean },
) => {
  const overview = await readOverview(pool, accounts, options);
  const folders = await listFolderBacklog(pool, accounts);
  const found = {
    ...overview,
    brokenConfiguration: config.instead?.message,
    routes: withUnusable(await readRouteStates(pool), config.notifications.routes),
    accounts: overview.accounts.map((one) => ({
      ...one,
      troubles: accountProblems(one.account, { config, workers: overview.workers, folders }),
      closed: whyAccountClosed(config, one.account),
    })),
  };
  const openAlarms = await listOpenProblems(pool, config, accounts);
  return { overview: found, problems: checkHealth({ ...found, openAlarms }, new Date()) };
};
