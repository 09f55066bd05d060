import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { describeSettings } from '../../config/describe-settings.ts';
import { type Finding, note } from './finding.ts';

/** Notes files with secrets that others may read. A missing one has its own message. */
export const checkSecretFiles = async (config: Config): Promise<Finding[]> => {
  const { file } = config;
  const found: Finding[] = [];
  for (const { name, value } of describeSettings(config)) {
    if (value === null || !/\.(?:secret|url)File$/.test(name)) continue;
    const full = resolve(file === undefined ? '.' : dirname(file), value);
    const mode = await stat(full).then(
      (one) => one.mode,
      () => 0,
    );
    if ((mode & 0o077) !== 0)
      found.push(
        note(
          'secret_file_permissions',
          `Others may read the secret in ${full}, named by ${name}.`,
          `Run \`chmod go-rwx ${full}\`, unless it is in a container that has no other users.`,
        ),
      );
  }
  return found;
};
