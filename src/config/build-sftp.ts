import { joinPath } from '../sources/file-place.ts';
import { type SftpServer, type SftpSettings, serverName } from '../sources/sftp-settings.ts';
import { readSecret, whyMissing } from './read-secret.ts';
import type { Settings } from './schema.ts';

type Section = NonNullable<Settings['accounts'][string]['sftp']>;

const authOf = (
  { auth }: Section,
  name: string,
  beside: string,
  env: NodeJS.ProcessEnv,
): { auth: SftpServer['auth'] } | { problem: string } => {
  const setting = `accounts.${name}.sftp.auth`;
  const secret = readSecret(auth, beside, env);
  if (secret === undefined) return { problem: whyMissing(auth, `${setting}.secret`, beside) };
  if (auth.kind === 'password') return { auth: { kind: 'password', password: secret } };
  const passphrase = auth.passphrase && readSecret(auth.passphrase, beside, env);
  if (auth.passphrase && passphrase === undefined)
    return { problem: whyMissing(auth.passphrase, `${setting}.passphrase.secret`, beside) };
  return { auth: { kind: 'key', privateKey: secret, passphrase } };
};

/** Converts an account's SFTP settings to the form that the program uses. A missing secret affects only this account's exchange. */
export const buildSftp = (
  section: Section,
  name: string,
  beside: string,
  env: NodeJS.ProcessEnv,
): SftpSettings => {
  const { host, port, user, hostKey, every, fetch, deliver } = section;
  const found = authOf(section, name, beside, env);
  const hostKeys = [hostKey].flat().map((key) => key.replace(/=$/, ''));
  return {
    name: serverName({ host, port }),
    server: 'auth' in found ? { host, port, user, hostKeys, auth: found.auth, timeoutMs: 30_000 } : undefined,
    problem: 'problem' in found ? found.problem : undefined,
    everyMs: every,
    fetch: fetch && {
      folder: fetch.folder,
      doneFolder: fetch.doneFolder ?? joinPath(fetch.folder, 'done'),
    },
    deliver: { results: deliver?.results, reports: deliver?.reports },
  };
};
