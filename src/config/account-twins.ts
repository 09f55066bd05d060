import { readlinkSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { accountIdentity } from '../dealer-api/auth.ts';
import { UserError } from '../errors.ts';
import type { Account } from './config.ts';

const readLink = (path: string): string | undefined => {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
};

/** More links than this in one path are a loop. */
const mostLinks = 40;

/**
 * Identifies the folder at a path, whatever symlinks, mounts or spelling the path uses, even if the folder does not
 * exist yet: by device and inode of the deepest existing folder, and the rest of the path below it.
 */
const folderIdentity = (folder: string): string => {
  let path = folder;
  let below: string[] = [];
  let links = 0;
  for (;;) {
    try {
      const { dev, ino } = statSync(path, { bigint: true });
      return JSON.stringify([String(dev), String(ino), ...below]);
    } catch {
      const target = links < mostLinks ? readLink(path) : undefined;
      const parent = dirname(path);
      if (target !== undefined) {
        links += 1;
        path = resolve(parent, target);
      } else if (parent === path) {
        return folder;
      } else {
        below = [basename(path), ...below];
        path = parent;
      }
    }
  }
};

/** The first two accounts with the same identity. */
const findTwins = (
  accounts: readonly Account[],
  identityOf: (account: Account) => string | undefined,
): [string, string] | undefined => {
  const seen = new Map<string, string>();
  for (const account of accounts) {
    const identity = identityOf(account);
    if (identity === undefined) continue;
    const other = seen.get(identity);
    if (other !== undefined) return [other, account.name];
    seen.set(identity, account.name);
  }
  return undefined;
};

/**
 * Refuses two accounts with the same identity at the service, which could place a PO twice, and two with the same
 * folder, which would import each other's files.
 *
 * @throws UserError `same_account`, `same_folder`
 */
export const refuseTwins = (accounts: readonly Account[]): void => {
  const atService = findTwins(accounts, ({ api }) => {
    // An account without its secret sends nothing.
    const known = api && (api.auth.kind === 'none' || api.secret !== undefined);
    return known ? accountIdentity(api) : undefined;
  });
  if (atService) {
    const [one, other] = atService;
    throw new UserError(
      'same_account',
      `accounts.${one} and accounts.${other} have the same baseUrl and credential, so they are the same account at the service. Remove one of them.`,
    );
  }
  // Two folders whose inboxes are links to one folder would still share the files.
  const inFolder =
    findTwins(accounts, ({ folder }) => folderIdentity(folder)) ??
    findTwins(accounts, ({ folder }) => folderIdentity(join(folder, 'inbox')));
  if (inFolder) {
    const [one, other] = inFolder;
    throw new UserError(
      'same_folder',
      `accounts.${one} and accounts.${other} have the same folder or inbox, possibly through a link. Each account needs its own folder: set accounts.${other}.folder.`,
    );
  }
};
