import { hostname } from 'node:os';
import type { Account } from '../../config/config.ts';
import { messageOf } from '../../errors.ts';
import { explainFileError, fileAccess, userName } from '../../file-access.ts';
import { type FolderFacts, inspectFolder } from '../../intake/inbox/inspect-folder.ts';
import type { KnownFolder } from '../../ledger/account-folders.ts';
import { count } from '../output/show-text.ts';
import { aboutNewFolder } from './about-new-folder.ts';
import { aboutSpace, type Finding, fine, note, problem } from './finding.ts';

const aboutIdentity = (
  { name, folder }: Account,
  facts: FolderFacts,
  known: KnownFolder | undefined,
): Finding => {
  const check = 'folder';
  if (!known) return fine(check, `${folder} is there; the ledger does not know it yet.`);
  if (known.id === facts.identity) return fine(check, `${folder} is the folder that the ledger knows.`);
  return problem(
    check,
    `${folder} is another folder than the one that the ledger knows (${known.path} on ${known.host}), so nothing is read or written in it.`,
    `Check accounts.${name}.folder and what is mounted there. To use this folder from now on, run \`cartwright use-folder --account ${name}\`.`,
  );
};

const aboutMissing = async (account: Account, known: KnownFolder | undefined): Promise<Finding> => {
  const { name, folder } = account;
  if (known && known.host !== hostname())
    return fine('folder', `Its folder is ${known.path} on ${known.host}, and not on this machine.`);
  if (known) {
    return problem(
      'folder',
      `${folder} does not exist, and the ledger knows ${known.path} on this machine.`,
      `Mount or restore that folder. If it is lost, run \`cartwright use-folder --account ${name}\`.`,
    );
  }
  return aboutNewFolder('folder', folder, {
    folder,
    creator: '`cartwright up` or `cartwright watch`',
    setting: `accounts.${name}.folder`,
  });
};

const aboutAccess = (account: Account, { foreignOwners, missing, readableBy }: FolderFacts): Finding[] => {
  const { folder, access } = account;
  const found: Finding[] = [];
  if (foreignOwners.length > 0) {
    found.push(
      note(
        'folder_owner',
        `Some of its folders belong to another user (${foreignOwners.map((uid) => `uid ${uid}`).join(', ')}) than the one of this command (${userName()}).`,
        'Run this command as the user that runs `cartwright up`; if it is that one, give it the folders with chown.',
      ),
    );
  }
  const mayGroup = access === fileAccess.group || access.file === fileAccess.group.file;
  const open = [...readableBy.everybody, ...(mayGroup ? [] : readableBy.group)];
  if (open.length > 0) {
    found.push(
      problem(
        'folder_permissions',
        `Others may read ${open.join(', ')}: purchase files hold prices and customers' addresses.`,
        `Run \`chmod -R ${mayGroup ? 'o' : 'go'}-rwx ${folder}\`${mayGroup ? '' : ', or set filesReadableBy: group'}.`,
      ),
    );
  }
  // Missing folders are not protected yet.
  return found.length > 0 || missing.length > 0
    ? found
    : [
        fine(
          'folder_permissions',
          `Only ${mayGroup ? 'its owner and their group' : 'its owner'} can read it.`,
        ),
      ];
};

const findingsOf = (account: Account, facts: FolderFacts, known: KnownFolder | undefined): Finding[] => {
  const { folder } = account;
  const { missing, unusable, otherFileSystem, ignoresCase, namesNotUtf8, freeBytes, totalBytes } = facts;
  return [
    aboutIdentity(account, facts, known),
    ...(missing.length > 0
      ? [note('folder_missing', `It has no ${missing.join(', ')} yet.`, '`cartwright up` creates them.')]
      : []),
    ...unusable.map((why) =>
      problem('folder_access', `${why}.`, `Give the user ${userName()} the right to read and write there.`),
    ),
    ...(unusable.length === 0
      ? [fine('folder_access', `The user ${userName()} can read and write in it.`)]
      : []),
    otherFileSystem.length > 0
      ? problem(
          'folder_file_system',
          `${otherFileSystem.join(', ')}: not on the file system of inbox, so files cannot be moved there by renaming.`,
          'Put inbox, working, done, quotes and failed on one file system.',
        )
      : fine('folder_file_system', 'Its folders are on one file system.'),
    ...aboutAccess(account, facts),
    aboutSpace('folder_space', { path: folder, freeBytes, totalBytes }),
    ...(ignoresCase === undefined
      ? []
      : ignoresCase
        ? [
            note(
              'folder_case',
              'Its file system does not distinguish case: A.csv and a.csv are one file.',
              'Tell uploaders not to send names that differ only in case; the later one replaces the earlier one.',
            ),
          ]
        : [fine('folder_case', 'Its file system distinguishes names by case.')]),
    namesNotUtf8 > 0
      ? note(
          'folder_names',
          `${count(namesNotUtf8, 'file name')} in inbox and done ${namesNotUtf8 === 1 ? 'is' : 'are'} not UTF-8, and read as windows-1252.`,
          'If names look wrong in `cartwright status`, set the uploading program to UTF-8.',
        )
      : fine('folder_names', 'All file names are UTF-8.'),
  ];
};

/**
 * Checks an account's folder without creating anything.
 * @param known the account's folder according to the ledger
 */
export const checkAccountFolder = async (
  account: Account,
  known: KnownFolder | undefined,
): Promise<Finding[]> => {
  try {
    const facts = await inspectFolder(account.folder);
    return facts ? findingsOf(account, facts, known) : [await aboutMissing(account, known)];
  } catch (thrown) {
    return [
      problem(
        'folder_access',
        `The folder ${account.folder} cannot be used: ${explainFileError(thrown) ?? messageOf(thrown)}.`,
        `Fix this, or set accounts.${account.name}.folder to another folder.`,
      ),
    ];
  }
};
