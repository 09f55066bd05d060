import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse as parseYaml, YAMLParseError } from 'yaml';
import type { z } from 'zod';
import { refuseTwins } from './account-twins.ts';
import { type Account, type Config, configSchema, type FileConfig } from './config-schema.ts';
import { cartShipCodes, warehouses } from './contract/codes.ts';
import { UserError } from './errors.ts';
import { fileAccess } from './file-access.ts';

/** One line for each thing that is wrong, each with the key that it is about. */
const explain = (where: string, error: z.ZodError): string => {
  const lines = error.issues.flatMap((issue) => {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [undefined];
    return keys.map((key) => {
      const path = [...issue.path, ...(key === undefined ? [] : [key])].map(String).join('.');
      const what = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
      return `  ${path || '(the whole file)'}: ${key === undefined ? what : 'there is no such setting'}`;
    });
  });
  return `${where} cannot be used:\n${lines.join('\n')}`;
};

const readFile = (path: string, mustExist: boolean): unknown => {
  if (!mustExist && !existsSync(path)) return {};
  try {
    return parseYaml(readFileSync(path, 'utf8')) ?? {};
  } catch (error) {
    const why = error instanceof YAMLParseError ? error.message.split('\n')[0] : (error as Error).message;
    throw new UserError('config_unreadable', `${path} cannot be read: ${why}`, { cause: error });
  }
};

/** The default account needs no file: its address and token may come from the environment. */
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

/** What keeps an account from its service. It is this account's trouble alone: the others work. */
const findTrouble = (
  name: string,
  { baseUrl, auth }: FileConfig['accounts'][string],
  env: NodeJS.ProcessEnv,
): Account['trouble'] => {
  if (baseUrl === undefined) {
    const also = name === 'default' ? ', or CARTWRIGHT_BASE_URL' : '';
    return {
      code: 'no_service',
      message: `The account ${name} has no service: set accounts.${name}.baseUrl in cartwright.yaml${also}.`,
    };
  }
  if (auth.kind === 'none' || env[auth.secretEnv]) return undefined;
  return {
    code: 'secret_missing',
    message: `accounts.${name}.auth.secretEnv names the environment variable ${auth.secretEnv}, which is not set. Set it and restart.`,
  };
};

const buildAccount = (
  name: string,
  account: FileConfig['accounts'][string],
  dataFolder: string,
  env: NodeJS.ProcessEnv,
): Account => {
  const trouble = findTrouble(name, account, env);
  const settleMs = account.settle ?? 2 * account.requestTimeout + account.readLag + 1000;
  if (account.settle !== undefined && account.settle <= 2 * account.requestTimeout + account.readLag) {
    // Rule 7: anything shorter could look before a late effect has come.
    throw new UserError(
      'settle_too_short',
      `accounts.${name}.settle must be longer than twice requestTimeout plus readLag (${2 * account.requestTimeout + account.readLag} ms).`,
    );
  }
  return {
    ...account,
    name,
    folder: resolve(dataFolder, account.folder ?? `accounts/${name}`),
    access: fileAccess[account.filesReadableBy],
    trouble,
    api:
      account.baseUrl === undefined || trouble
        ? undefined
        : {
            baseUrl: account.baseUrl,
            auth: account.auth,
            secret: account.auth.kind === 'none' ? undefined : env[account.auth.secretEnv],
            requestFormat: account.requestFormat,
            dateRangeIn: account.dateRangeIn,
            requestTimeoutMs: account.requestTimeout,
            maxAnswerBytes: account.maxAnswerBytes,
          },
    placing: {
      poNumbersReused: account.poNumbersReused,
      submissionConsumesCart: account.submissionConsumesCart,
      requestTimeoutMs: account.requestTimeout,
      readLagMs: account.readLag,
      settleMs,
      unreachableAllowedMs: account.unreachableAllowed,
      deniedPauseMs: account.deniedPause,
      rebuildsAllowed: account.rebuildsAllowed,
      guards: account.guards,
    },
    codeLists: {
      warehouses: [...warehouses, ...account.warehouses],
      cartShipCodes: [...cartShipCodes, ...account.shipCodes],
    },
  };
};

const deepFreeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
};

/**
 * The configuration out of `cartwright.yaml` (or the file given here or by CARTWRIGHT_CONFIG) and the
 * environment; frozen. The only place that reads either.
 *
 * @throws UserError that names the file and each key that is wrong
 */
export const loadConfig = (
  given: { file?: string | undefined; dataFolder?: string | undefined } = {},
  env: NodeJS.ProcessEnv = process.env,
): Config => {
  const named = given.file ?? env.CARTWRIGHT_CONFIG;
  const path = resolve(named ?? 'cartwright.yaml');
  const found = existsSync(path);
  if (named !== undefined && !found) {
    throw new UserError('config_missing', `There is no configuration file ${path}.`);
  }
  const settings = withEnvironment(readFile(path, named !== undefined), env);
  const parsed = configSchema.safeParse(settings);
  if (!parsed.success) {
    throw new UserError('config_invalid', explain(found ? path : 'The environment', parsed.error));
  }
  const { data } = parsed;
  const dataFolder = resolve(
    found && env.CARTWRIGHT_DATA === undefined ? dirname(path) : '.',
    given.dataFolder ?? data.dataFolder,
  );
  const accounts = Object.entries(data.accounts).map(([name, account]) =>
    buildAccount(name, account, dataFolder, env),
  );
  refuseTwins(accounts);
  return deepFreeze({
    ...data,
    dataFolder: given.dataFolder === undefined ? dataFolder : resolve(given.dataFolder),
    file: found ? path : undefined,
    databaseUrl: env.DATABASE_URL || undefined,
    redisUrl: env.REDIS_URL || undefined,
    accounts,
  });
};

/** A variable of the environment that the configuration names; undefined where it is not set or empty. */
export const readVariable = (name: string, env: NodeJS.ProcessEnv = process.env): string | undefined =>
  env[name] || undefined;
