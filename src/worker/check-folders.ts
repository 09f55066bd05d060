import { access, constants } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { mapAtOnce } from '../at-once.ts';
import type { Account } from '../config/config.ts';
import { messageOf } from '../errors.ts';
import { explainFileError } from '../file-access.ts';
import { makeAccountFolders } from '../intake/inbox/account-folders.ts';
import { createFolderIdentity, folderMark, readFolderIdentity } from '../intake/inbox/folder-identity.ts';
import {
  type KnownFolder,
  listFoldersInUse,
  noteFoldersUsed,
  recordFolders,
} from '../ledger/account-folders.ts';
import { displayMoment } from '../reports/display-text.ts';

/** What a process knows about an account's folder. */
export type FolderState =
  /** On this machine, the one that the ledger knows, and usable. */
  | { kind: 'usable'; id: string }
  /** On another machine, or not created yet, and this process may not create it. */
  | { kind: 'elsewhere'; message: string }
  /** `message`: sentences that say why nothing is read or written in it, and what to do. */
  | { kind: 'problem'; message: string };

/** Disks and network mounts answer parallel requests sooner than sequential ones. */
const foldersAtOnce = 16;
const usedFolders = ['inbox', 'working', 'files', 'results'];
/** Every nth check includes the permissions of subfolders; every check sees all other changes. */
const wholeEvery = 4;

/** Result of the last checks of a usable folder. */
interface FolderLook {
  mark: string;
  id: string;
  /** Checks since the last complete one. */
  checks: number;
}

/** By account name. A process that checks regularly keeps it; otherwise a thousand folders would keep it busy. */
export type FolderLooks = Map<string, FolderLook>;

const describe = ({ path, host, seenAt }: KnownFolder): string =>
  `${path} on ${host}, last used ${displayMoment(seenAt)}`;

const anotherFolder = (
  { name, folder }: Account,
  inUse: KnownFolder,
  id: string | undefined,
): FolderState => {
  const use = `To use ${folder} here from now on, run \`cartwright use-folder --account ${name}\` on this machine.`;
  if (id === undefined) {
    return {
      kind: 'problem',
      message: `${folder} is not the folder of the account ${name}: the ledger knows ${describe(inUse)}, and nothing is read or written here. Mount or restore that folder here, or set accounts.${name}.folder to it. ${use}`,
    };
  }
  return {
    kind: 'problem',
    message: `${folder} is another folder than the one of the account ${name} that the ledger knows (${describe(inUse)}), so nothing is read or written here. Check accounts.${name}.folder and what is mounted there. ${use}`,
  };
};

const unusable = ({ name, folder }: Account, thrown: unknown): FolderState => {
  const why = explainFileError(thrown) ?? messageOf(thrown);
  return {
    kind: 'problem',
    message: `The folder ${folder} cannot be used: ${why}. Fix this, or set accounts.${name}.folder to another folder.`,
  };
};

/** Finds the accounts whose folders are here and known to the ledger. Changes nothing, neither in folders nor in the ledger. */
export const findFolders = async (
  pool: pg.Pool,
  accounts: readonly Account[],
): Promise<Map<string, FolderState>> => {
  const known = await listFoldersInUse(
    pool,
    accounts.map(({ name }) => name),
  );
  const states = new Map<string, FolderState>();
  for (const account of accounts) {
    const id = await readFolderIdentity(account.folder).catch(() => undefined);
    const isIt = id !== undefined && known.get(account.name)?.id === id;
    states.set(
      account.name,
      isIt ? { kind: 'usable', id } : { kind: 'elsewhere', message: 'The folder is not on this machine.' },
    );
  }
  return states;
};

/**
 * Finds out which accounts' folders are here. The ledger knows a folder by its identity, so an empty mount point or another
 * machine's folder under the same path is not used. Creates and records the first folder of an account if this process may.
 *
 * @param mayCreate whether this process creates an account's first folder
 * @param looks results of earlier checks; by default everything is checked
 * @throws errors of the ledger
 */
export const checkFolders = async (
  pool: pg.Pool,
  accounts: readonly Account[],
  mayCreate: (account: string) => boolean,
  looks: FolderLooks = new Map(),
): Promise<Map<string, FolderState>> => {
  const host = hostname();
  const known = await listFoldersInUse(
    pool,
    accounts.map(({ name }) => name),
  );
  const identities = await mapAtOnce(accounts, foldersAtOnce, async ({ name, folder, access: allowed }) => {
    try {
      const [mark, look] = [await folderMark(folder), looks.get(name)];
      looks.delete(name);
      if (look && look.mark === mark && look.checks < wholeEvery - 1)
        return { id: look.id, look: { ...look, checks: look.checks + 1 } };
      const found = await readFolderIdentity(folder);
      const isFirst = found === undefined && !known.has(name) && mayCreate(name);
      const id = isFirst ? await createFolderIdentity(folder, allowed) : found;
      return { id, look: id !== undefined && mark !== undefined ? { mark, id, checks: 0 } : undefined };
    } catch (thrown) {
      return { thrown };
    }
  });
  const unknown = accounts.flatMap(({ name, folder }, at) => {
    const { id } = identities[at]!;
    return id === undefined || known.has(name) ? [] : [{ id, account: name, host, path: folder }];
  });
  const recorded = await recordFolders(pool, unknown);
  const check = async (account: Account, at: number): Promise<FolderState> => {
    const { name, folder, access: allowed } = account;
    const { id, look, thrown: failed } = identities[at]!;
    if (failed !== undefined) return unusable(account, failed);
    const inUse = known.get(name) ?? recorded.get(name);
    if (!inUse && id === undefined) {
      const message = `No process has created the folder of the account ${name} yet. Start \`cartwright watch\` or \`cartwright up\` on the machine that is to have it.`;
      return { kind: 'elsewhere', message };
    }
    if (!inUse) {
      return {
        kind: 'problem',
        message: `The folder ${folder} belongs to another account, so nothing is read or written in it for ${name}. Give each account a folder of its own with accounts.${name}.folder. If the account was renamed, run \`cartwright use-folder --account ${name}\`.`,
      };
    }
    if (inUse.id !== id) {
      if (id === undefined && !mayCreate(name)) {
        return {
          kind: 'elsewhere',
          message: `The folder of the account ${name} is ${describe(inUse)}. Run the command there.`,
        };
      }
      return anotherFolder(account, inUse, id);
    }
    if (look) looks.set(name, look);
    if (look?.checks) return { kind: 'usable', id };
    try {
      await makeAccountFolders(folder, allowed);
      for (const used of usedFolders) await access(join(folder, used), constants.R_OK | constants.W_OK);
    } catch (thrown) {
      looks.delete(name);
      return unusable(account, thrown);
    }
    return { kind: 'usable', id };
  };
  const numbered = accounts.map((account, at) => ({ account, at }));
  const states = new Map(
    await mapAtOnce(
      numbered,
      foldersAtOnce,
      async ({ account, at }) => [account.name, await check(account, at)] as const,
    ),
  );
  const used = accounts.flatMap(({ name, folder }) => {
    const state = states.get(name);
    return state?.kind === 'usable' ? [{ id: state.id, path: folder }] : [];
  });
  await noteFoldersUsed(pool, host, used);
  return states;
};
