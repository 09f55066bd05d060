import { type FileProblem, fileProblemOf } from '../intake/inbox/file-problems.ts';
import type { Logger } from '../logger.ts';
import { type FilePlace, isTemporaryName, joinPath, type PlaceEntry, PlaceError } from './file-place.ts';
import { isSameVersion, type TransferRegister } from './transfer-register.ts';

export interface DeliverOptions {
  account: string;
  /** The account's folder on this machine. */
  from: FilePlace;
  /** The account's folders to deliver, each with its target folder at the place. */
  folders: readonly { from: string; to: string }[];
  register: Pick<TransferRegister, 'deliversSince' | 'listDelivered' | 'recordDelivered' | 'forgetDelivered'>;
  logger: Logger;
  /** For crash tests: a file has its final name at the place. */
  checkpoint?: ((name: 'delivered', account: string) => Promise<void>) | undefined;
}

/** After this many failures the rest of a folder waits for the next round, because the cause is usually the same. */
const failuresAllowed = 3;

interface Due {
  from: string;
  to: string;
  entries: PlaceEntry[];
}

/** The files of a folder whose current version is not at the place yet. */
const findDue = async (
  { account, from, register }: DeliverOptions,
  folder: { from: string; to: string },
  since: number,
): Promise<Due> => {
  const here = (await from.list(folder.from)).filter(
    ({ kind, name }) => kind === 'file' && !name.startsWith('.'),
  );
  const delivered = await register.listDelivered(account, folder.from);
  const paths = new Set(here.map(({ name }) => joinPath(folder.from, name)));
  const gone = [...delivered.keys()].filter((path) => !paths.has(path));
  if (gone.length > 0) await register.forgetDelivered(account, gone);
  const entries = here.filter((entry) => {
    const known = delivered.get(joinPath(folder.from, entry.name));
    return known ? !isSameVersion(known, entry) : entry.modifiedMs >= since;
  });
  entries.sort((one, other) => one.modifiedMs - other.modifiedMs);
  return { ...folder, entries };
};

/** Removes partial files of a killed process. Safe, because only one process writes there. */
const removeLeftovers = async (place: FilePlace, folder: string): Promise<void> => {
  const entries = await place.list(folder).catch((error: unknown) => {
    // The folder is created with the first file.
    if (error instanceof PlaceError && error.reason === 'missing') return [];
    throw error;
  });
  for (const { name } of entries) if (isTemporaryName(name)) await place.remove(joinPath(folder, name));
};

const waiting = (count: number): string =>
  count === 1 ? '1 file waits to be delivered.' : `${count} files wait to be delivered.`;

const deliverFolder = async (
  { account, from, register, logger, checkpoint }: DeliverOptions,
  place: FilePlace,
  due: Due,
): Promise<FileProblem | undefined> => {
  let failure: unknown;
  let failures = 0;
  let left = due.entries.length;
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (error instanceof PlaceError && error.reason === 'lost') throw error;
      failure ??= error;
      failures += 1;
    }
  };
  await attempt(() => removeLeftovers(place, due.to));
  for (const entry of failures > 0 ? [] : due.entries) {
    if (failures >= failuresAllowed) break;
    await attempt(async () => {
      const path = joinPath(due.from, entry.name);
      await place.write(joinPath(due.to, entry.name), await from.read(path));
      await checkpoint?.('delivered', account);
      // A file that was replaced meanwhile has another version, which is delivered again.
      await register.recordDelivered(account, path, entry);
      left -= 1;
      logger.info({ account, file: entry.name }, `delivered to ${due.to} by SFTP`);
    });
  }
  if (failure === undefined) return undefined;
  const problem = fileProblemOf(due.to, due.to, failure);
  return { ...problem, message: `${problem.message} ${waiting(left)}` };
};

/**
 * Delivers files of the account to folders of a place under their own names, if their version is not there yet. A crash can at most
 * deliver a file twice, and never a part of one.
 *
 * @param open connects; called only when there is something to deliver
 * @returns problems for a person to fix
 * @throws PlaceError if the place cannot be used; errors of the ledger
 */
export const deliverFiles = async (
  options: DeliverOptions,
  open: () => Promise<FilePlace>,
): Promise<FileProblem[]> => {
  const since = await options.register.deliversSince(options.account, Date.now());
  const problems: FileProblem[] = [];
  for (const folder of options.folders) {
    const due = await findDue(options, folder, since);
    if (due.entries.length === 0) continue;
    const problem = await deliverFolder(options, await open(), due);
    if (problem) problems.push(problem);
  }
  return problems;
};
