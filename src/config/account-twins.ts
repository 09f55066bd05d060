import { readlinkSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { accountIdentity } from '../dealer-api/auth.ts';
import type { Account } from './config.ts';
import type { Mistake } from './mistakes.ts';

const readLink = (path: string): string | undefined => {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
};

/** Device and inode of a path; undefined if it does not exist. */
const inodeOf = (path: string): string | undefined => {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found && `${found.dev} ${found.ino}`;
  } catch {
    return undefined;
  }
};

/** A path with more links than this is a loop. */
const mostLinks = 40;

/**
 * Identifies the folder at a path, independent of symlinks, mounts and spelling, even if the folder does not exist yet: by
 * device and inode of the deepest existing folder, and the rest of the path below it.
 * @param known cache of `inodeOf`, because accounts share parts of their paths
 */
const folderIdentity = (folder: string, known: Map<string, string | undefined>): string => {
  let path = folder;
  let below: string[] = [];
  let links = 0;
  for (;;) {
    if (!known.has(path)) known.set(path, inodeOf(path));
    const inode = known.get(path);
    if (inode !== undefined) return JSON.stringify([inode, ...below]);
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
};

/** Pairs of accounts with the same identity, each with the earlier one. */
const findTwins = (
  accounts: readonly Account[],
  identityOf: (account: Account) => string | undefined,
): [string, string][] => {
  const seen = new Map<string, string>();
  return accounts.flatMap((account): [string, string][] => {
    const identity = identityOf(account);
    if (identity === undefined) return [];
    const other = seen.get(identity);
    if (other !== undefined) return [[other, account.name]];
    seen.set(identity, account.name);
    return [];
  });
};

/**
 * Finds accounts with the same identity at the service, which could place a PO twice, and accounts with the same folder, which
 * would import each other's files.
 */
export const listTwins = (accounts: readonly Account[]): Mistake[] => {
  const atService = findTwins(accounts, ({ api }) => {
    // An account without its secret sends nothing.
    const known = api && (api.auth.kind === 'none' || api.secret !== undefined);
    return known ? accountIdentity(api) : undefined;
  });
  const known = new Map<string, string | undefined>();
  const inFolder = findTwins(accounts, ({ folder }) => folderIdentity(folder, known));
  // Different folders still share files if their inboxes are links to one folder.
  const inInbox = findTwins(accounts, ({ folder }) => folderIdentity(join(folder, 'inbox'), known)).filter(
    ([, other]) => !inFolder.some(([, same]) => same === other),
  );
  return [
    ...atService.map(([one, other]) => ({
      name: `accounts.${other}`,
      message: `has the same baseUrl and credential as accounts.${one}, so they are the same account at the service. Remove one of them.`,
    })),
    ...[...inFolder, ...inInbox].map(([one, other]) => ({
      name: `accounts.${other}.folder`,
      message: `is the folder of accounts.${one}, or has the same inbox, possibly through a link. Each account needs a folder of its own.`,
    })),
  ];
};
