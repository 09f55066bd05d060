import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { type Finding, note } from './finding.ts';

type Named = [setting: string, file: string | undefined];

/** The files with secrets that the configuration names. */
const listSecretFiles = ({ accounts, notifications }: Config['settings']): Named[] => [
  ...Object.entries(accounts).flatMap(([name, { auth, sftp }]): Named[] => {
    const login = sftp?.auth;
    const passphrase = login?.kind === 'key' ? login.passphrase : undefined;
    return [
      [`accounts.${name}.auth.secretFile`, auth.kind === 'none' ? undefined : auth.secretFile],
      [`accounts.${name}.sftp.auth.secretFile`, login?.secretFile],
      [`accounts.${name}.sftp.auth.passphrase.secretFile`, passphrase?.secretFile],
    ];
  }),
  ['notifications.smtp.secretFile', notifications.smtp?.secretFile],
  ...Object.entries(notifications.routes).flatMap(([name, { secretFile, urlFile }]): Named[] => [
    [`notifications.routes.${name}.secretFile`, secretFile],
    [`notifications.routes.${name}.urlFile`, urlFile],
  ]),
];

/** Notes files with secrets that others may read. A missing one has its own message. */
export const checkSecretFiles = async ({ settings, file }: Config): Promise<Finding[]> => {
  const found: Finding[] = [];
  for (const [setting, path] of listSecretFiles(settings)) {
    if (path === undefined) continue;
    const full = resolve(file === undefined ? '.' : dirname(file), path);
    const mode = await stat(full).then(
      (one) => one.mode,
      () => 0,
    );
    if ((mode & 0o077) !== 0)
      found.push(
        note(
          'secret_file_permissions',
          `Others may read the secret in ${full}, named by ${setting}.`,
          `Run \`chmod go-rwx ${full}\`, unless it is in a container that has no other users.`,
        ),
      );
  }
  return found;
};
