import { hostname } from 'node:os';
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { listOpenAlarms, type OpenAlarm } from '../ledger/notification-alarms.ts';
import { findFullDisks } from '../worker/full-disks.ts';
import { findBackupTrouble } from '../worker/look-for-backups.ts';

/**
 * What people are told of and the ledger alone does not show: what running processes found, and the disks of this machine,
 * which are looked at now.
 */
export const listOpenProblems = async (
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
