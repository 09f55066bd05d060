import { stat, statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Config } from '../config/config.ts';
import type { Alarm } from '../ledger/notification-alarms.ts';
import { showBytes } from '../show-bytes.ts';

/** A disk counts as full below both limits: a tenth of a large disk lasts for years. */
const [freePercent, freeBytes] = [10, 20 * 1024 ** 3];

/** The folders of this machine whose disk is nearly full, one for each disk. */
export const findFullDisks = async ({
  dataFolder,
  accounts,
}: Pick<Config, 'dataFolder' | 'accounts'>): Promise<Alarm[]> => {
  const host = hostname();
  const seen = new Set<number>();
  const full: Alarm[] = [];
  for (const folder of [dataFolder, ...accounts.map((account) => account.folder)]) {
    try {
      const { dev } = await stat(folder);
      if (seen.has(dev)) continue;
      seen.add(dev);
      const { bavail, blocks, bsize } = await statfs(folder);
      const percent = blocks === 0 ? 100 : (bavail / blocks) * 100;
      if (percent >= freePercent || bavail * bsize >= freeBytes) continue;
      full.push({
        key: `${host} ${folder}`,
        account: null,
        subject: `${folder} on ${host}`,
        detail: `${percent.toFixed(1)} % is free (${showBytes(bavail * bsize)}).`,
      });
    } catch {
      // An unusable folder has its own message.
    }
  }
  return full;
};
