import { resolve } from 'node:path';
import { type CodeLists, specCodeLists } from '../contract/carts.ts';
import { type ApiOptions, maxAnswerBytes } from '../dealer-api/options.ts';
import { type FileAccess, fileAccess } from '../file-access.ts';
import { intakeOptionsSchema } from '../intake/options.ts';
import {
  deniedPauseMs,
  lateEffectsMs,
  type PlacingRules,
  rebuildsAllowed,
  unreachableAllowedMs,
} from '../placing/options.ts';
import { buildSftp } from './build-sftp.ts';
import { buildSync } from './build-sync.ts';
import { readSecret, whyMissing } from './read-secret.ts';
import type { Settings } from './schema.ts';

type AccountSettings = Settings['accounts'][string];

/** Why nothing can be sent for an account. Other accounts are not affected. */
const findServiceProblem = (
  name: string,
  { baseUrl, auth }: AccountSettings,
  beside: string,
  env: NodeJS.ProcessEnv,
): { code: 'no_service' | 'secret_missing'; message: string } | undefined => {
  if (baseUrl === undefined) {
    const orVariable = name === 'default' ? ' or the environment variable CARTWRIGHT_BASE_URL' : '';
    return {
      code: 'no_service',
      message: `The account ${name} has no service address. Set accounts.${name}.baseUrl in cartwright.yaml${orVariable}.`,
    };
  }
  if (auth.kind === 'none' || readSecret(auth, beside, env) !== undefined) return undefined;
  return { code: 'secret_missing', message: whyMissing(auth, `accounts.${name}.auth.secret`, beside) };
};

const placingRules = (account: AccountSettings): PlacingRules => {
  const times = { requestTimeoutMs: account.requestTimeout, readLagMs: account.readLag };
  return {
    ...times,
    // With a shorter time, a lookup could precede a late effect (rule 7).
    settleMs: lateEffectsMs(times) + 1000,
    poNumbersReused: account.poNumbersReused,
    submissionConsumesCart: account.submissionConsumesCart ?? true,
    createRefusesExistingCart: account.createRefusesExistingCart,
    createRefusesOrderedPo: account.createRefusesOrderedPo && account.submissionConsumesCart === true,
    unreachableAllowedMs,
    deniedPauseMs,
    linesInFlight: account.linesInFlight,
    rebuildsAllowed,
    guards: account.guards,
  };
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** An upload may pause anywhere, even in the middle of a number. */
const incompleteFileSettleMs = 300_000;

/** How often older orders are asked for, ascending; younger ones are with every poll. */
const pollOlder: readonly { olderThanDays: number; everyMs: number }[] = [
  { olderThanDays: 14, everyMs: hourMs },
  { olderThanDays: 30, everyMs: 4 * hourMs },
  { olderThanDays: 90, everyMs: dayMs },
];

const apiOptions = (
  account: AccountSettings,
  beside: string,
  env: NodeJS.ProcessEnv,
): ApiOptions | undefined =>
  account.baseUrl === undefined
    ? undefined
    : {
        baseUrl: account.baseUrl,
        auth: account.auth,
        secret: account.auth.kind === 'none' ? undefined : readSecret(account.auth, beside, env),
        requestFormat: account.requestFormat,
        dateRangeIn: account.dateRangeIn,
        requestTimeoutMs: account.requestTimeout,
        maxAnswerBytes,
      };

const codeListsOf = ({ warehouses, shipCodes }: AccountSettings): CodeLists =>
  warehouses.length + shipCodes.length === 0
    ? specCodeLists
    : {
        warehouses: [...specCodeLists.warehouses, ...warehouses],
        cartShipCodes: [...specCodeLists.cartShipCodes, ...shipCodes],
      };

const scheduleOf = ({ schedule }: AccountSettings) => {
  const { poll } = schedule;
  const pollTiming: { everyMs: number } | { cron: string } =
    typeof poll === 'number' ? { everyMs: poll } : { cron: poll };
  return { ...schedule, poll: pollTiming, pollOlder };
};

/**
 * Converts an account's settings to the form that the program uses: here, and in `loadConfig` for the worker, a setting such as
 * `fileSettle` gets a name with its unit.
 *
 * @param beside base folder of relative paths of secrets
 */
export const buildAccount = (
  name: string,
  account: AccountSettings,
  dataFolder: string,
  env: NodeJS.ProcessEnv,
  beside: string,
) => {
  const problem = findServiceProblem(name, account, beside, env);
  const access: FileAccess = fileAccess[account.filesReadableBy];
  const finalStatuses: readonly string[] = account.finalStatuses;
  return {
    name,
    /** Absolute. */
    folder: resolve(dataFolder, account.folder ?? `accounts/${name}`),
    access,
    baseUrl: account.baseUrl,
    /** Undefined while nothing can be sent (no base URL, no secret): files can be checked, POs wait. */
    api: problem ? undefined : apiOptions(account, beside, env),
    /** Why nothing can be sent. */
    problem,
    inFlight: account.inFlight,
    callsPerSecond: account.callsPerSecond,
    placing: placingRules(account),
    intake: intakeOptionsSchema.parse(account.intake),
    codeLists: codeListsOf(account),
    fileSettleMs: account.fileSettle,
    incompleteFileSettleMs,
    finalStatuses,
    closeUnchangedAfterMs: 180 * dayMs,
    lateAfterMs: account.lateAfter,
    orderSeenWithinMs: dayMs,
    reportFormats: account.reportFormats,
    schedule: scheduleOf(account),
    /** Undefined: no files are exchanged with a server. */
    sftp: account.sftp && buildSftp(account.sftp, name, beside, env),
    /** Where its changes are sent. */
    webhooks: buildSync(account.sync, name, beside, env),
  };
};
