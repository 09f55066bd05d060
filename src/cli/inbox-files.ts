import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { Account } from '../config/config.ts';
import { whyClosed } from '../config/opening-hours.ts';
import { hasCompleteEnd } from '../intake/inbox/complete-end.ts';
import { openRegular } from '../intake/inbox/open-regular.ts';
import { isIgnoredName, isMarkerName, markersOf, unfinishedEnding } from '../intake/inbox/ready-files.ts';
import { noPurchaseFileEnding, purchaseFileEnding } from '../intake/purchase-file-ending.ts';
import { isServed } from '../ledger/workers.ts';
import { nextRun, tasksOf } from '../worker/scheduled-tasks.ts';
import { showTime } from './output/show-text.ts';

/** A file in an inbox that is not picked up yet. */
export interface InboxFile {
  account: Account;
  /** Its path within the inbox. */
  fileName: string;
  path: string;
  /** Why it is not picked up yet, as a clause that begins with `in the inbox`, or names the folder. */
  why: string;
  /** When it was last changed. */
  at: Date;
}

/** The reason that holds up every file of an account. */
const whyNone = async (pool: pg.Pool, account: Account): Promise<string | undefined> => {
  if (!(await isServed(pool, 'reads', account.name)))
    return `, and no running worker picks up files of ${account.name}. Start \`cartwright up\` or \`cartwright watch\``;
  const closed = whyClosed(account.schedule, new Date());
  if (closed !== undefined) return ` until ${account.name} opens (${closed})`;
  const take = tasksOf(account).find(({ task }) => task === 'take_files');
  const next = take && nextRun(take.timing, new Date());
  return next ? ` until it is picked up at ${showTime(next)}` : undefined;
};

/** The reason that holds up this file. */
const whyThis = async (account: Account, path: string, { size, mtimeMs }: Stats): Promise<string> => {
  const changedMs = Date.now() - mtimeMs;
  if (changedMs < account.fileSettleMs)
    return `and has just changed; it is picked up when it has not changed for ${account.fileSettleMs / 1000} s`;
  const opened = await openRegular(path).catch(() => undefined);
  if (opened?.kind !== 'file') return 'and cannot be opened; `cartwright doctor` says why';
  const complete = await hasCompleteEnd(opened.handle).finally(() => opened.handle.close());
  if (complete || changedMs >= account.incompleteFileSettleMs) return 'and is about to be picked up';
  const at = showTime(new Date(mtimeMs + account.incompleteFileSettleMs));
  const what = size === 0 ? 'and is empty' : 'and has no end, such as a line break after its last row';
  return `${what}, so it may still be uploading; it is picked up at ${at}, or when there is a file NAME.done beside it`;
};

/** Why a file with such a name is never read; undefined if that is intended. */
const whyIgnored = (name: string, names: readonly string[]): string | undefined => {
  const ending = unfinishedEnding(name);
  if (ending !== undefined)
    return `in the inbox, but ${ending} means that it is still being uploaded. It is picked up once it has its final name`;
  if (isMarkerName(name) && !names.some((other) => markersOf(other).includes(name)))
    return 'in the inbox without the file that it marks as complete';
  return undefined;
};

/** The files in an account's inbox and in folders below it, with the reason why they are not picked up. */
export const listInbox = async (pool: pg.Pool, account: Account): Promise<InboxFile[]> => {
  const inbox = join(account.folder, 'inbox');
  const entries = await readdir(inbox, { withFileTypes: true }).catch(() => []);
  if (entries.length === 0) return [];
  const all = await whyNone(pool, account);
  const found: InboxFile[] = [];
  const names = entries.map((entry) => entry.name);
  const add = async (fileName: string, why: (path: string, seen: Stats) => Promise<string>) => {
    const path = join(inbox, fileName);
    const seen = await lstat(path).catch(() => undefined);
    if (seen?.isFile()) found.push({ account, fileName, path, why: await why(path, seen), at: seen.mtime });
  };
  for (const entry of entries) {
    const { name } = entry;
    if (entry.isDirectory()) {
      for (const inner of await readdir(join(inbox, name)).catch(() => []))
        await add(
          join(name, inner),
          async () => 'in a folder of the inbox, and those are not read. Put it into the inbox itself',
        );
    } else if (isIgnoredName(name)) {
      const why = whyIgnored(name, names);
      if (why !== undefined) await add(name, async () => why);
    } else {
      await add(name, async (path, seen) => {
        if (purchaseFileEnding(name) === undefined)
          return `in the inbox, and its name ${noPurchaseFileEnding}`;
        return `in the inbox${all ?? ` ${await whyThis(account, path, seen)}`}`;
      });
    }
  }
  return found;
};
