import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Account } from '../../config/config.ts';
import { type FilePlace, joinPath, PlaceError, temporaryName } from '../../sources/file-place.ts';
import { openSftpPlace } from '../../sources/sftp-place.ts';
import type { SftpSettings } from '../../sources/sftp-settings.ts';
import { type Finding, fine, note, problem } from './finding.ts';

const foldersOf = ({
  fetch,
  deliver: { results, reports },
}: SftpSettings): { check: string; folder: string; what: string; isMade: boolean }[] =>
  [
    { check: 'sftp_fetch', folder: fetch?.folder, what: 'purchase files come from', isMade: false },
    { check: 'sftp_done', folder: fetch?.doneFolder, what: 'fetched files are moved to', isMade: true },
    { check: 'sftp_results', folder: results, what: 'results go to', isMade: true },
    { check: 'sftp_reports', folder: reports, what: 'reports go to', isMade: true },
  ].flatMap(({ folder, ...one }) => (folder === undefined ? [] : [{ ...one, folder }]));

/** Writing a file is the only way to detect quotas, and to check servers that do not show permissions. */
const checkFolder = async (
  place: FilePlace,
  server: string,
  { check, folder, what, isMade }: ReturnType<typeof foldersOf>[number],
): Promise<Finding> => {
  try {
    await place.list(folder);
    const probe = joinPath(folder, temporaryName('cartwright-doctor', randomUUID()));
    await place.write(probe, Readable.from(['Cartwright'], { objectMode: false }));
    await place.remove(probe);
    return fine(check, `${folder}, which ${what}, is there and can be written.`);
  } catch (thrown) {
    if (!(thrown instanceof PlaceError)) throw thrown;
    if (thrown.reason === 'missing' && isMade)
      return note(check, `${folder}, which ${what}, is not there yet.`, 'It is created with the first file.');
    if (thrown.reason === 'missing') {
      return problem(
        check,
        `${folder}, which ${what}, does not exist at ${server}. Ask the dealer to create it, or correct sftp.fetch.folder.`,
      );
    }
    return problem(check, `${folder}, which ${what}, cannot be used. ${thrown.message}`);
  }
};

/** Checks the server with which an account exchanges files. Writes and removes a hidden file in each folder. */
export const checkAccountSftp = async ({ name, sftp }: Account): Promise<Finding[]> => {
  if (!sftp) return [];
  if (!sftp.server) return [problem('sftp_login', sftp.problem ?? 'Its secret is missing.')];
  const folders = foldersOf(sftp);
  let place: FilePlace;
  try {
    place = await openSftpPlace(sftp.server);
  } catch (thrown) {
    if (!(thrown instanceof PlaceError)) throw thrown;
    return [problem(thrown.code, thrown.message)];
  }
  try {
    const findings = [
      fine(
        'sftp_login',
        `The SFTP server ${sftp.name} shows the pinned host key and accepts the user ${sftp.server.user}.`,
      ),
    ];
    if (folders.length === 0) {
      findings.push(
        note(
          'sftp_folders',
          'Nothing is exchanged with it.',
          `Set accounts.${name}.sftp.fetch.folder, or sftp.deliver.`,
        ),
      );
    }
    for (const folder of folders) findings.push(await checkFolder(place, sftp.name, folder));
    return findings;
  } finally {
    await place.close();
  }
};
