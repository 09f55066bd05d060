import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { describeSettings } from '../../config/describe-settings.ts';
import { explainFileError, userName } from '../../file-access.ts';
import { aboutBrokenConfiguration } from '../health-check.ts';
import { aboutNewFolder } from './about-new-folder.ts';
import { type Finding, fine, note, problem } from './finding.ts';

/** Whether others than its owner may read a file; undefined if there is none. */
const isOpen = async (path: string): Promise<boolean | undefined> => {
  const found = await stat(path).catch(() => undefined);
  return found && (found.mode & 0o077) !== 0;
};

const aboutFile = async (config: Config): Promise<Finding> => {
  const { file } = config;
  const check = 'configuration_file';
  if (file === undefined)
    return note(
      check,
      'There is no configuration file; the defaults apply.',
      'Write cartwright.yaml, or name a file with --config.',
    );
  const secrets = describeSettings({ ...config, databaseUrl: undefined, redisUrl: undefined })
    .filter(({ value }) => value === null)
    .map(({ name }) => name);
  // A sandbox has no tokens in files.
  return secrets.length > 0 && !config.isSandbox && (await isOpen(file))
    ? problem(
        'configuration_permissions',
        `${file} contains secrets (${secrets.slice(0, 3).join(', ')}), and others may read it.`,
        `Run \`chmod go-rwx ${file}\`.`,
      )
    : fine(check, `${file} is valid.`);
};

const aboutKey = async ({ console: { tls } }: Config): Promise<Finding[]> => {
  if (!tls) return [];
  const open = await isOpen(tls.key);
  if (open === undefined)
    return [
      problem(
        'console_key',
        `The key ${tls.key} cannot be found.`,
        'Set console.tls.key to the file with the private key.',
      ),
    ];
  return open
    ? [
        problem(
          'console_key',
          `Others may read the private key ${tls.key}.`,
          `Run \`chmod go-rwx ${tls.key}\`.`,
        ),
      ]
    : [fine('console_key', 'Only its owner may read the private key of the console.')];
};

/** Reports files with secrets that others may read. A missing one has its own message. */
const aboutSecretFiles = async (config: Config): Promise<Finding[]> => {
  const { file } = config;
  const found: Finding[] = [];
  for (const { name, value } of describeSettings(config)) {
    if (value === null || !/\.(?:secret|url)File$/.test(name)) continue;
    const full = resolve(file === undefined ? '.' : dirname(file), value);
    if (await isOpen(full))
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

const aboutDataFolder = async ({ dataFolder }: Config): Promise<Finding> => {
  const check = 'data_folder';
  try {
    await access(dataFolder, constants.R_OK | constants.W_OK | constants.X_OK);
    return fine(check, `The user ${userName()} can read and write in ${dataFolder}.`);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT')
      return aboutNewFolder(check, `The data folder ${dataFolder}`, {
        folder: dataFolder,
        creator: '`cartwright up`',
        setting: 'dataFolder',
      });
    return problem(
      check,
      `${explainFileError(thrown) ?? `${dataFolder} cannot be used`}.`,
      `Give the user ${userName()} the right to read and write there, or set dataFolder.`,
    );
  }
};

const aboutUser = (): Finding[] =>
  process.getuid?.() === 0
    ? [
        note(
          'user',
          'This command runs as root, so it cannot see what the user of Cartwright may not do.',
          'Run it as the user that runs `cartwright up`, which should not be root.',
        ),
      ]
    : [];

const aboutOpenId = ({ console: { openId } }: Config): Finding[] =>
  openId?.clientSecretEnv !== undefined && openId.clientSecret === undefined
    ? [
        problem(
          'console_secret',
          `The environment variable ${openId.clientSecretEnv} is not set, so the console does not start.`,
          'Set it to the client secret of the OpenID provider.',
        ),
      ]
    : [];

/** The findings for a broken file, one per mistake. */
const aboutBroken = ({ message }: NonNullable<Config['instead']>): Finding[] => {
  const [what, ...mistakes] = message.split('\n');
  return [
    problem('configuration_broken', what!, aboutBrokenConfiguration),
    ...mistakes.map((mistake) => problem('configuration_broken', mistake.trim(), '')),
  ];
};

/** Checks the configuration, files with secrets, and the data folder. */
export const checkConfiguration = async (config: Config): Promise<Finding[]> => [
  ...(config.instead ? aboutBroken(config.instead) : [await aboutFile(config)]),
  ...aboutUser(),
  await aboutDataFolder(config),
  ...(await aboutKey(config)),
  ...(await aboutSecretFiles(config)),
  ...aboutOpenId(config),
];
