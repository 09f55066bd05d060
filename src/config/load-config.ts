import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse as parseYaml, YAMLParseError } from 'yaml';
import type { z } from 'zod';
import { decodeUtf8 } from '../contract/text.ts';
import { messageOf, UserError } from '../errors.ts';
import { refuseTwins } from './account-twins.ts';
import { buildAccount } from './build-account.ts';
import { buildConsole } from './build-console.ts';
import { buildNotifications } from './build-notifications.ts';
import { buildTracing } from './build-tracing.ts';
import type { Config } from './config.ts';
import { readSecretFile } from './read-secret.ts';
import { configSchema } from './schema.ts';
import { listRemoved } from './secret-settings.ts';
import { takeServiceManager } from './service-manager.ts';
import { listSettingErrors, settingErrors } from './setting-errors.ts';

const invalid = (source: string, settings: unknown, error: z.ZodError): UserError => {
  const lines = listSettingErrors(settings, error).map(
    ({ name, message }) => `  ${name || 'the whole file'}: ${message}`,
  );
  return new UserError('config_invalid', [`${source} is not valid:`, ...lines].join('\n'));
};

const readFile = (path: string, mustExist: boolean): unknown => {
  if (!mustExist && !existsSync(path)) return {};
  try {
    const text = decodeUtf8(readFileSync(path));
    if (typeof text === 'string') return parseYaml(text) ?? {};
    const place = `line ${text.line}, column ${text.column}`;
    throw new UserError('config_unreadable', `${path} is not UTF-8 (${place}). Save the file as UTF-8.`);
  } catch (error) {
    if (error instanceof UserError) throw error;
    if (error instanceof YAMLParseError) {
      const [at] = error.linePos ?? [];
      const place = at ? ` (line ${at.line}, column ${at.col})` : '';
      const why = error.message.split('\n')[0]!.replace(/(?: at line \d+, column \d+)?:?$/, '');
      throw new UserError('config_unreadable', `${path} is not valid YAML${place}: ${why}`, { cause: error });
    }
    const why = messageOf(error);
    throw new UserError('config_unreadable', `Cannot read the configuration file ${path}: ${why}`, {
      cause: error,
    });
  }
};

/** Fills in what environment variables set. The account `default` needs no configuration file. */
const withEnvironment = (settings: unknown, env: NodeJS.ProcessEnv): unknown => {
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) return settings;
  const file = settings as { accounts?: Record<string, object | null>; dataFolder?: string };
  const fallback = {
    ...(env.CARTWRIGHT_BASE_URL ? { baseUrl: env.CARTWRIGHT_BASE_URL } : {}),
    ...(env.CARTWRIGHT_TOKEN ? { auth: { kind: 'bearer', secretEnv: 'CARTWRIGHT_TOKEN' } } : {}),
  };
  const accounts = file.accounts ?? { default: {} };
  const withDefault =
    'default' in accounts ? { ...accounts, default: { ...fallback, ...accounts.default } } : accounts;
  return {
    ...file,
    accounts: withDefault,
    ...(env.CARTWRIGHT_DATA ? { dataFolder: env.CARTWRIGHT_DATA } : {}),
    ...(env.CARTWRIGHT_LOG_LEVEL
      ? { log: { ...(file as { log?: object }).log, level: env.CARTWRIGHT_LOG_LEVEL } }
      : {}),
  };
};

/** @throws UserError `config_invalid` for the settings of the queue view, which the console has replaced */
const refuseQueueView = (path: string, settings: unknown): void => {
  if (typeof settings !== 'object' || settings === null || !('queueView' in settings)) return;
  throw new UserError(
    'config_invalid',
    `${path} is not valid:\n  queueView: is now called console, because the queue view is a page of the operators' console. Write \`console: { port: … }\` instead of queueView.port, and \`console: { queues: { readOnly: … } }\` instead of queueView.readOnly.`,
  );
};

/** @throws UserError `config_invalid` for a configuration from a backup whose secrets are not filled in */
const refuseRemoved = (path: string, settings: unknown): void => {
  const lines = listRemoved(settings).map((name) => `  ${name}: was removed from the backup; fill it in`);
  if (lines.length > 0) throw new UserError('config_invalid', [`${path} is not valid:`, ...lines].join('\n'));
};

/** @throws UserError `config_missing`: a file that is being written is often empty first */
const refuseEmpty = (path: string): void => {
  const text = existsSync(path) ? readFile(path, true) : undefined;
  if (typeof text === 'object' && text !== null && Object.keys(text).length > 0) return;
  throw new UserError(
    'config_missing',
    `The configuration file ${path} ${text === undefined ? 'is not there any more' : 'is empty'}. Write the settings into it, or restart to run without them.`,
  );
};

const deepFreeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
};

/**
 * Reads `cartwright.yaml` (or the file given here or by CARTWRIGHT_CONFIG) and the environment; nothing else in the
 * project reads either. The result is frozen.
 *
 * @param given.before what the process runs with; a file that it was read from must still have settings
 * @throws UserError that names the file and each setting that is wrong
 */
export const loadConfig = (
  given: { file?: string | undefined; before?: Pick<Config, 'file'> | undefined } = {},
  env: NodeJS.ProcessEnv = process.env,
): Config => {
  const named = given.file ?? readVariable('CARTWRIGHT_CONFIG', env);
  const path = resolve(named ?? 'cartwright.yaml');
  const found = existsSync(path);
  if (named !== undefined && !found) {
    throw new UserError(
      'config_missing',
      `The configuration file ${path} does not exist. Check --config and CARTWRIGHT_CONFIG.`,
    );
  }
  if (given.before?.file !== undefined) refuseEmpty(given.before.file);
  const settings = withEnvironment(readFile(path, named !== undefined), env);
  refuseQueueView(path, settings);
  refuseRemoved(path, settings);
  const parsed = configSchema.safeParse(settings, { error: settingErrors });
  if (!parsed.success) {
    throw invalid(found ? path : 'The configuration from environment variables', settings, parsed.error);
  }
  const { data } = parsed;
  const dataFolder = resolve(
    found && readVariable('CARTWRIGHT_DATA', env) === undefined ? dirname(path) : '.',
    data.dataFolder,
  );
  const besideFile = found ? dirname(path) : '.';
  const { at: pruneAt, timeZone: pruneZone, ...ages } = data.retention;
  const accounts = Object.entries(data.accounts).map(([name, account]) =>
    buildAccount(name, account, dataFolder, env, { retention: ages, beside: besideFile }),
  );
  refuseTwins(accounts);
  const { lease, sweepEvery, drain, startPatience, jobPerStage, concurrency } = data.worker;
  return deepFreeze({
    settings: data,
    file: found ? path : undefined,
    dataFolder,
    databaseUrl: readSetting('DATABASE_URL', env),
    redisUrl: readSetting('REDIS_URL', env),
    tracing: buildTracing(env),
    log: data.log,
    health: data.health,
    notifications: buildNotifications(data, besideFile, env),
    console: buildConsole(data.console, besideFile, env),
    worker: {
      ...{ leaseMs: lease, sweepEveryMs: sweepEvery, drainMs: drain, startPatienceMs: startPatience },
      jobPerStage,
      concurrency,
    },
    backup: {
      folder: data.backup.folder && resolve(besideFile, data.backup.folder),
      keep: data.backup.keep,
      at: { cron: data.backup.at, timeZone: data.backup.timeZone },
    },
    retention: { at: { cron: pruneAt, timeZone: pruneZone }, ages },
    accounts,
    service: data.service,
    serviceManager: takeServiceManager(env),
  });
};

/** A variable, or the content of the file that the variable of this name with _FILE names, as containers pass secrets. */
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
