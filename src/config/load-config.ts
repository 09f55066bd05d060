import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UserError } from '../errors.ts';
import { listTwins } from './account-twins.ts';
import { buildAccount } from './build-account.ts';
import { buildConsole } from './build-console.ts';
import { buildNotifications } from './build-notifications.ts';
import { buildTracing } from './build-tracing.ts';
import type { Account, Config } from './config.ts';
import { type Mistake, mistakesError, parseRest } from './mistakes.ts';
import { hasSettings, parseSettings, readSettingsText, refuseEmpty } from './read-file.ts';
import { readSecretFile } from './read-secret.ts';
import { type SandboxOptions, sandboxEnvironment, sandboxSettings } from './sandbox.ts';
import { configSchema, type Settings } from './schema.ts';
import { listRemoved } from './secret-settings.ts';
import { takeServiceManager } from './service-manager.ts';
import { listSettingErrors, settingErrors } from './setting-errors.ts';
import { leaveOutRemoved } from './settings-of-before.ts';

/** Adds settings from environment variables. The account `default` needs no configuration file. */
const withEnvironment = (settings: unknown, env: NodeJS.ProcessEnv): unknown => {
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) return settings;
  const file = settings as { accounts?: Record<string, object | null>; dataFolder?: string };
  const fallback = {
    ...(env.CARTWRIGHT_BASE_URL ? { baseUrl: env.CARTWRIGHT_BASE_URL } : {}),
    ...(env.CARTWRIGHT_TOKEN ? { auth: { kind: 'bearer', secretEnv: 'CARTWRIGHT_TOKEN' } } : {}),
  };
  const accounts = file.accounts ?? { default: {} };
  const withDefault =
    typeof accounts === 'object' && 'default' in accounts
      ? { ...accounts, default: { ...fallback, ...accounts.default } }
      : accounts;
  return {
    ...file,
    accounts: withDefault,
    ...(env.CARTWRIGHT_DATA ? { dataFolder: env.CARTWRIGHT_DATA } : {}),
    ...(env.CARTWRIGHT_LOG_LEVEL
      ? { log: { ...(file as { log?: object }).log, level: env.CARTWRIGHT_LOG_LEVEL } }
      : {}),
  };
};

/** Longest interval of the sweep, used if leases are long. */
const longestSweepMs = 30_000;

/** Finds names of an earlier version, and secrets that were removed from a backup. */
const listUnusableSettings = (settings: unknown): Mistake[] => [
  ...(typeof settings === 'object' && settings !== null && 'queueView' in settings
    ? [
        {
          name: 'queueView',
          message:
            "is now called console, because the queue view is a page of the operators' console. Write `console: { port: … }` instead of queueView.port, and `console: { queues: { readOnly: … } }` instead of queueView.readOnly.",
        },
      ]
    : []),
  ...listRemoved(settings).map((name) => ({ name, message: 'was removed from the backup; fill it in' })),
];

const deepFreeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
};

/** The sources of the configuration. */
export interface ConfigSource {
  file?: string | undefined;
  before?: Pick<Config, 'file'> | undefined;
  sandbox?: SandboxOptions | undefined;
  text?: string | undefined;
}

/** The path of the configuration file, and whether somebody named it; an unnamed one need not exist. */
export const configurationPath = (file: string | undefined, env: NodeJS.ProcessEnv = process.env) => {
  const named = file ?? readVariable('CARTWRIGHT_CONFIG', env);
  return { path: resolve(named ?? 'cartwright.yaml'), isNamed: named !== undefined };
};

/** A relative data folder is relative to the file that names it, or else to the current directory. */
export const dataFolderAt = (
  path: string,
  dataFolder: string,
  { found, env = process.env }: { found: boolean; env?: NodeJS.ProcessEnv },
): string =>
  resolve(found && readVariable('CARTWRIGHT_DATA', env) === undefined ? dirname(path) : '.', dataFolder);

/**
 * Reads `cartwright.yaml` (or the file given here or by CARTWRIGHT_CONFIG) and the environment; nothing else in the
 * project reads either. The result is frozen.
 *
 * @param given.sandbox use a sandbox on this machine instead of the accounts’ services
 * @param given.before the running configuration; the file it came from must still have settings
 * @param given.text earlier text of the file, to be read instead of the file
 * @throws UserError that names the file and every invalid setting
 */
export const loadConfig = (given: ConfigSource = {}, env: NodeJS.ProcessEnv = process.env): Config => {
  const { path, isNamed } = configurationPath(given.file, env);
  const found = given.text !== undefined || existsSync(path);
  if (isNamed && !found) {
    throw new UserError(
      'config_missing',
      `The configuration file ${path} does not exist. Check --config and CARTWRIGHT_CONFIG.`,
    );
  }
  if (given.before?.file !== undefined) refuseEmpty(given.before.file);
  const text = given.text ?? (found ? readSettingsText(path) : undefined);
  const read = text === undefined ? {} : parseSettings(path, text);
  const { settings, ignored } = leaveOutRemoved(withEnvironment(read, env));
  const source = found ? path : 'The configuration from environment variables';
  const mistakes = listUnusableSettings(settings);
  const parsed = configSchema.safeParse(settings, { error: settingErrors });
  if (!parsed.success) {
    const known = new Set(mistakes.map(({ name }) => name));
    mistakes.push(...listSettingErrors(settings, parsed.error).filter(({ name }) => !known.has(name)));
  }
  const ownData = parsed.success ? parsed.data : parseRest(configSchema, settings, parsed.error);
  if (ownData === undefined) throw mistakesError(source, mistakes);
  const { sandbox } = given;
  const data = sandbox ? sandboxSettings(ownData, sandbox) : ownData;
  const secrets = sandbox ? sandboxEnvironment(ownData, env) : env;
  const dataFolder = dataFolderAt(path, data.dataFolder, { found, env });
  const besideFile = found ? dirname(path) : '.';
  const accounts = Object.entries(data.accounts).map(([name, account]) =>
    buildAccount(name, account, dataFolder, secrets, besideFile),
  );
  mistakes.push(...listTwins(accounts));
  const notifications = buildNotifications(data, besideFile, env, mistakes);
  if (mistakes.length > 0) throw mistakesError(source, mistakes);
  return deepFreeze({
    settings: data,
    ignored,
    file: found ? path : undefined,
    fileText: hasSettings(read) ? text : undefined,
    instead: undefined,
    isSandbox: sandbox !== undefined,
    dataFolder,
    databaseUrl: sandbox ? undefined : readSetting('DATABASE_URL', env),
    redisUrl: sandbox ? undefined : readSetting('REDIS_URL', env),
    tracing: sandbox ? undefined : buildTracing(env),
    log: data.log,
    health: data.health,
    notifications,
    console: buildConsole(data.console, besideFile, env),
    worker: {
      leaseMs: data.worker.lease,
      sweepEveryMs: Math.min(longestSweepMs, data.worker.lease / 2),
      drainMs: 30_000,
      startPatienceMs: 60_000,
      placesAtOnce: 256,
    },
    backup: {
      folder: data.backup.folder && resolve(besideFile, data.backup.folder),
      keep: data.backup.keep,
      at: { cron: data.backup.at, timeZone: data.backup.timeZone },
    },
    retention: data.retention,
    accounts,
    service: data.service,
    serviceManager: takeServiceManager(env),
  });
};

/** Builds an account from settings that are not in a file yet. */
export const newAccount = (
  name: string,
  { accounts, dataFolder }: Settings,
  env: NodeJS.ProcessEnv = process.env,
): Account => buildAccount(name, accounts[name]!, dataFolder, env, '.');

/** A variable, or the content of the file that NAME_FILE names, which is how containers pass secrets. */
const readSetting = (name: string, env: NodeJS.ProcessEnv): string | undefined => {
  const file = env[`${name}_FILE`];
  if (env[name] || !file) return env[name] || undefined;
  const value = readSecretFile(file);
  if (value !== undefined) return value;
  throw new UserError(
    'secret_missing',
    `The file ${file}, named by ${name}_FILE, cannot be read or is empty. Put the address into it, or set ${name}.`,
  );
};

/** An environment variable that the configuration names; undefined if it is not set or empty. */
export const readVariable = (name: string, env: NodeJS.ProcessEnv = process.env): string | undefined =>
  env[name] || undefined;
