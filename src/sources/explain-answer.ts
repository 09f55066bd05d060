import { PlaceError } from './file-place.ts';
import { type SftpServer, serverName } from './sftp-settings.ts';

/** Status codes of the protocol (draft-ietf-secsh-filexfer-02, section 7). */
export const status = { endOfFile: 1, noSuchFile: 2, permissionDenied: 3, failure: 4, unsupported: 8 };

/** The reason of a failed request, from the server's answer. Pure. */
export const explainAnswer = (
  server: SftpServer,
  { what, path }: { what: string; path: string },
  { code, message }: Error & { code?: unknown },
): PlaceError => {
  const place = serverName(server);
  // Only answers of the server have a numeric code. Without one there was no answer, which says nothing about the file.
  if (typeof code !== 'number') {
    return new PlaceError(
      'lost',
      `The connection to the SFTP server ${place} broke: ${message}. Check that the server is running.`,
      { code: 'sftp_unreachable' },
    );
  }
  const where = `${path === '' ? 'the first folder' : path} at the SFTP server ${place}`;
  if (code === status.noSuchFile) return new PlaceError('missing', `Cannot ${what} ${where}: there is none.`);
  if (code === status.permissionDenied) {
    return new PlaceError(
      'denied',
      `Cannot ${what} ${where}: permission denied. Ask the dealer to give the user ${server.user} the right to read and write there.`,
    );
  }
  const hint = what === 'write' ? ' Its disk may be full, or the quota of the user used up.' : '';
  return new PlaceError(
    'failed',
    `Cannot ${what} ${where}: the server answered “${message}”${code === status.unsupported ? ' (it does not support this)' : ''}.${hint}`,
  );
};
