import { hostname } from 'node:os';
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { listFolderBacklog } from '../ledger/account-folders.ts';
import { listOpenAlarms, type OpenAlarm } from '../ledger/notification-alarms.ts';
import { readRouteStates } from '../ledger/notifications.ts';
import { readOverview } from '../ledger/overview.ts';
import { accountProblems } from '../worker/account-problems.ts';
import { findFullDisks } from '../worker/full-disks.ts';
import { findBackupTrouble } from '../worker/look-for-backups.ts';
import { checkHealth } from './health-check.ts';
import { withUnusable } from './output/notifications.ts';
import { whyAccountClosed } from './why-account-closed.ts';

/**
 * What notifications are about and the ledger alone does not show: what running processes found, and the disks of this machine,
 * which are looked at now.
 */
const listOpenProblems = async (
  pool: pg.Pool,
  config: Config,
  accounts: readonly string[],
): Promise<OpenAlarm[]> => {
  const known = await listOpenAlarms(pool, accounts);
  const here = ` on ${hostname()}`;
  const disks = await findFullDisks(config);
  const overdue = await findBackupTrouble(pool, config, new Date());
  return [
    ...disks.map(({ subject, detail }) => ({ kind: 'disk_full' as const, account: null, subject, detail })),
    ...known.filter(({ kind, subject }) => kind !== 'disk_full' || !subject.endsWith(here)),
    // One that failed is reported with the other work that is done regularly.
    ...overdue
      .filter(({ failed }) => !failed)
      .map(({ subject, detail }) => ({ kind: 'backup_failed' as const, account: null, subject, detail })),
  ];
};

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
