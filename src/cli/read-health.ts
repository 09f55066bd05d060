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
 * Notification conditions that the ledger alone does not show: those found by running processes, and the disks of this machine, which are
 * checked now.
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
    // A failed one is reported with the other maintenance tasks.
    ...overdue
      .filter(({ failed }) => !failed)
      .map(({ subject, detail }) => ({ kind: 'backup_failed' as const, account: null, subject, detail })),
  ];
};

/**
 * The state of these accounts and of shared parts, with the problems.
 * @param options see `readOverview`
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
