import { readlinkSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Account } from './config-schema.ts';
import { accountIdentity } from './dealer-api/authorise.ts';
import { UserError } from './errors.ts';

const readLink = (path: string): string | undefined => {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
};

/** More links than this in one path are a circle. */
const mostLinks = 40;

/**
 * The same for two paths that name one folder, by whatever symlinks, mounts or spelling, also where it does not exist
 * yet: the deepest folder that exists, by its device and inode, and what comes below it.
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

/** The first two accounts of which the same is true. */
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
 * Two accounts with one identity at the service would place each other's POs twice; two with one folder would take each
 * other's files.
 *
 * @throws UserError `same_account`, `same_folder`
 */
export const refuseTwins = (accounts: readonly Account[]): void => {
  const atService = findTwins(accounts, ({ api }) => {
    // An account whose secret is not known sends nothing.
    const known = api && (api.auth.kind === 'none' || api.secret !== undefined);
    return known ? accountIdentity(api) : undefined;
  });
  if (atService) {
    const [one, other] = atService;
    throw new UserError(
      'same_account',
      `accounts.${one} and accounts.${other} have the same baseUrl and credential; they are one account at the service. Keep one of them.`,
    );
  }
  // A folder of its own with a linked inbox would still share the files.
  const inFolder =
    findTwins(accounts, ({ folder }) => folderIdentity(folder)) ??
    findTwins(accounts, ({ folder }) => folderIdentity(join(folder, 'inbox')));
  if (inFolder) {
    const [one, other] = inFolder;
    throw new UserError(
      'same_folder',
      `accounts.${one} and accounts.${other} have the same folder or inbox, perhaps by a link. Each account needs its own: set accounts.${other}.folder.`,
    );
  }
};
