import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectConfig, SFTPWrapper } from 'ssh2';
import { messageOf, plainCause } from '../errors.ts';
import { PlaceError } from './file-place.ts';
import { type SftpServer, serverName } from './sftp-settings.ts';

/** An open connection. */
export interface SftpConnection {
  sftp: SFTPWrapper;
  /** Rejects with a PlaceError when the connection ends. */
  lost: Promise<never>;
  close(): Promise<void>;
}

/** Servers have keys of several kinds and show the one that the client prefers, which may not be the pinned one. */
const keyFamilies = [
  ['ssh-ed25519'],
  ['ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521'],
  ['rsa-sha2-512', 'rsa-sha2-256'],
] as const;
type HostKeyKinds = NonNullable<NonNullable<ConnectConfig['algorithms']>['serverHostKey']>;

const keepAliveMs = 10_000;
const closeMs = 1000;

/** The fingerprint of a key, in the format of `ssh-keygen -l`. */
const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;

/** An error of ssh2. */
type SshError = Error & { level?: string; code?: string };

const lost = (code: string, message: string, cause?: unknown): PlaceError =>
  new PlaceError('lost', message, { code, cause });

const explain = (server: SftpServer, thrown: unknown): PlaceError => {
  if (thrown instanceof PlaceError) return thrown;
  const { level, message } = thrown as SshError;
  const place = serverName(server);
  if (level === 'client-authentication') {
    const what = server.auth.kind === 'password' ? 'password' : 'private key';
    return lost(
      'sftp_login',
      `The SFTP server ${place} refused the user ${server.user} with this ${what}. Check sftp.user and the secret that sftp.auth names, and ask the dealer whether the login still exists.`,
    );
  }
  if (/privateKey|private key|passphrase/i.test(message)) {
    return lost(
      'sftp_key',
      `The private key for the SFTP server ${place} cannot be used: it must be a whole private key in the OpenSSH or PEM format, with the right passphrase if it has one. Check what sftp.auth names.`,
    );
  }
  if (level === 'handshake' || /subsystem/i.test(message)) {
    return lost(
      'sftp_protocol',
      `What answers at ${place} does not offer SFTP that Cartwright can use: ${plainCause(message)}. Check sftp.host and sftp.port.`,
    );
  }
  const why =
    level === 'client-timeout'
      ? 'no answer in time'
      : plainCause(message).replace(/^write EPIPE$/, 'the connection was closed');
  return lost(
    'sftp_unreachable',
    `The SFTP server ${place} cannot be reached: ${why}. Check that it is running, and sftp.host and sftp.port.`,
    thrown,
  );
};

const hostKeyError = (server: SftpServer, shown: readonly string[]): PlaceError =>
  lost(
    'sftp_host_key',
    `The SFTP server ${serverName(server)} does not show the pinned host key: it shows ${shown.join(', ')}, and sftp.hostKey is ${server.hostKeys.join(', ')}. Nothing was sent to it. It may be another machine that poses as the server. Ask the dealer; if the key was changed, set sftp.hostKey to the new one.`,
  );

type Attempt =
  | { kind: 'open'; connection: SftpConnection }
  | { kind: 'other key'; shown: string | undefined };

const credentials = ({ auth }: SftpServer): Partial<ConnectConfig> =>
  auth.kind === 'password'
    ? { password: auth.password, tryKeyboard: true }
    : {
        privateKey: auth.privateKey,
        ...(auth.passphrase === undefined ? {} : { passphrase: auth.passphrase }),
      };

const attempt = async (
  server: SftpServer,
  kinds: readonly string[] | undefined,
  signal: AbortSignal | undefined,
): Promise<Attempt> => {
  // Loaded only if needed: few accounts have a server, and it takes 13 MB.
  const { default: ssh2 } = await import('ssh2');
  const client = new ssh2.Client();
  let shown: string | undefined;
  let isPinned = false;
  const ended = new Promise<never>((_resolve, reject) => {
    client.on('error', reject);
    client.on('close', () => reject(new Error('the connection was closed')));
  });
  ended.catch(() => {});
  const abort = () => void client.destroy();
  signal?.addEventListener('abort', abort);
  const { auth } = server;
  if (auth.kind === 'password') {
    // Many servers accept a password only this way.
    client.on('keyboard-interactive', (_name, _instructions, _language, prompts, finish) =>
      finish(prompts.map(() => auth.password)),
    );
  }
  const end = async (): Promise<void> => {
    signal?.removeEventListener('abort', abort);
    client.end();
    await Promise.race([ended.catch(() => {}), sleep(closeMs, undefined, { ref: false })]);
    client.destroy();
  };
  try {
    const ready = new Promise<SFTPWrapper>((resolve, reject) => {
      // Requests are small and wait for their answers; Nagle's algorithm would delay them by 40 ms.
      client.on('handshake', () => client.setNoDelay(true));
      client.on('ready', () => client.sftp((error, sftp) => (error ? reject(error) : resolve(sftp))));
    });
    client.connect({
      host: server.host,
      port: server.port,
      username: server.user,
      ...credentials(server),
      readyTimeout: server.timeoutMs,
      keepaliveInterval: keepAliveMs,
      hostVerifier: (key: Buffer) => {
        shown = fingerprintOf(key);
        isPinned = server.hostKeys.includes(shown);
        return isPinned;
      },
      ...(kinds ? { algorithms: { serverHostKey: kinds as unknown as HostKeyKinds } } : {}),
    });
    const late = sleep(server.timeoutMs * 2, undefined, { ref: false }).then(() => {
      throw Object.assign(new Error('no answer'), { level: 'client-timeout' });
    });
    late.catch(() => {});
    const sftp = await Promise.race([ready, ended, late]);
    const lostLater = ended.catch((error: unknown) => {
      throw explain(server, error);
    });
    lostLater.catch(() => {});
    return { kind: 'open', connection: { sftp, lost: lostLater, close: end } };
  } catch (error) {
    await end();
    if (shown !== undefined && !isPinned) return { kind: 'other key', shown };
    if (kinds && /no matching host key/i.test(messageOf(error))) return { kind: 'other key', shown };
    throw explain(server, error);
  }
};

/** The key kinds with which a server showed its pinned key, so that the next connection succeeds at once. */
const knownKinds = new WeakMap<SftpServer, readonly string[]>();

/**
 * Connects to a server with a pinned host key. Sends nothing that an attacker could use before the server has proved one of the pinned
 * keys.
 *
 * @throws PlaceError `lost`, with the code sftp_host_key, sftp_login, sftp_key, sftp_protocol or sftp_unreachable
 */
export const connectSftp = async (server: SftpServer, signal?: AbortSignal): Promise<SftpConnection> => {
  const shown = new Set<string>();
  for (const kinds of [knownKinds.get(server), ...keyFamilies]) {
    const result = await attempt(server, kinds, signal);
    if (result.kind === 'open') {
      if (kinds) knownKinds.set(server, kinds);
      return result.connection;
    }
    if (result.shown !== undefined) shown.add(result.shown);
  }
  throw hostKeyError(server, [...shown]);
};
