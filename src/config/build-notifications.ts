import { resolve } from 'node:path';
import type { NotificationSettings, Route } from '../notify/settings.ts';
import { serverName } from '../sources/sftp-settings.ts';
import type { Mistake } from './mistakes.ts';
import { readOpeningTimes } from './opening-hours.ts';
import { readSecret, secretNamesIn, sourceOf, whyMissing } from './read-secret.ts';
import type { Settings } from './schema.ts';

type RouteSettings = Settings['notifications']['routes'][string];

const unset = (...secret: Parameters<typeof whyMissing>) => ({
  kind: 'unusable' as const,
  message: whyMissing(...secret),
});

/** The webhook address of a chat is a secret. */
const addressOf = ({ urlEnv, urlFile }: RouteSettings) => ({ secretEnv: urlEnv, secretFile: urlFile });

const mailTo = (
  to: readonly string[],
  smtp: NonNullable<Settings['notifications']['smtp']>,
  folder: string,
  env: NodeJS.ProcessEnv,
): Route['channel'] => {
  const { host, port, security, ca, user, from: sender, secretEnv, secretFile } = smtp;
  const password = readSecret(smtp, folder, env);
  if ((secretEnv !== undefined || secretFile !== undefined) && password === undefined)
    return unset(smtp, 'notifications.smtp.secret', folder);
  return {
    kind: 'email',
    to,
    smtp: {
      ...{ host, port, security, user, from: sender, password },
      ca: ca === undefined ? undefined : resolve(folder, ca),
    },
  };
};

const channelOf = (
  name: string,
  route: RouteSettings,
  { smtp }: Settings['notifications'],
  folder: string,
  env: NodeJS.ProcessEnv,
): Route['channel'] => {
  if (route.kind === 'email') return mailTo(route.to!, smtp!, folder, env);
  const setting = `notifications.routes.${name}`;
  if (route.kind === 'webhook') {
    const secret = readSecret(route, folder, env);
    return secret ? { kind: 'webhook', url: route.url!, secret } : unset(route, `${setting}.secret`, folder);
  }
  const address = addressOf(route);
  const url = readSecret(address, folder, env);
  if (!url) return unset(address, `${setting}.url`, folder);
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    const source = sourceOf(address, `${setting}.url`, folder);
    return { kind: 'unusable', message: `${source} must be a web address starting with https://.` };
  }
  return { kind: route.kind, url };
};

/** All secrets that the configuration names; none may get into a message. */
const secretsOf = (settings: Settings, folder: string, env: NodeJS.ProcessEnv): string[] => {
  const passwords = [env.DATABASE_URL, env.REDIS_URL].flatMap((url) =>
    url !== undefined && URL.canParse(url) ? [decodeURIComponent(new URL(url).password)] : [],
  );
  const named = secretNamesIn(settings).flatMap((one) => readSecret(one, folder, env) ?? []);
  const secrets = [...named, ...passwords];
  // Shorter ones occur within ordinary words.
  return [...new Set(secrets)].filter((secret) => secret.length >= 6);
};

const answerEvents = ['result_written', 'report_written'] as const;

/** The routes that send dealers their files. Their names have a space, so they differ from the names of configured routes. */
const answersOf = (
  { accounts, notifications: { smtp } }: Settings,
  folder: string,
  env: NodeJS.ProcessEnv,
  mistakes: Mistake[],
): Route[] =>
  Object.entries(accounts).flatMap(([account, { answers, schedule }]) => {
    if (answers === undefined) return [];
    if (smtp === undefined) {
      mistakes.push({
        name: `accounts.${account}.answers`,
        message: 'sends e-mail: set notifications.smtp, too',
      });
      return [];
    }
    return {
      name: `answers ${account}`,
      channel: mailTo([...new Set(answers.to)], smtp, folder, env),
      accounts: [account],
      severity: 'info',
      events: answerEvents,
      timeZone: schedule.timeZone,
      quietHours: undefined,
      summary: undefined,
      answers: true,
    };
  });

const hourMs = 3_600_000;
/** After a message, further events of the same kind are collected for this long into one message; alarms for one minute. */
const digestMs = 15 * 60_000;
/** Notify after a pause of this length; shorter pauses are normal. */
const pausedForMs = 60_000;
/** Statuses are late if none was fetched for this long and two polls were missed. */
const pollsLateAfterMs = 6 * hourMs;
/** An undeliverable message is given up after this long, and `status` shows that. */
const giveUpAfterMs = 72 * hourMs;

/**
 * Converts the settings of notifications to the form that the program uses.
 *
 * @param folder base folder of relative file names
 * @param mistakes invalid settings are added here
 */
export const buildNotifications = (
  settings: Settings,
  folder: string,
  env: NodeJS.ProcessEnv,
  mistakes: Mistake[],
): NotificationSettings => {
  const { notifications, accounts } = settings;
  const routes = Object.entries(notifications.routes).map(([name, route]): Route => {
    for (const unknown of route.accounts?.filter((account) => !(account in accounts)) ?? [])
      mistakes.push({
        name: `notifications.routes.${name}.accounts`,
        message: `names the account ${unknown}, which does not exist (accounts: ${Object.keys(accounts).join(', ')})`,
      });
    return {
      name,
      channel: channelOf(name, route, notifications, folder, env),
      accounts: route.accounts,
      severity: route.severity,
      events: route.events,
      timeZone: route.timeZone,
      quietHours: route.quietHours === undefined ? undefined : readOpeningTimes(route.quietHours),
      summary: route.summary,
    };
  });
  return {
    routes: [...routes, ...answersOf(settings, folder, env, mistakes)],
    digestMs,
    pausedForMs,
    pollsLateAfterMs,
    giveUpAfterMs,
    consoleUrl: settings.console.publicUrl,
    dropPlaces: new Map(
      Object.entries(accounts).flatMap(([name, { sftp }]): [string, string][] =>
        sftp?.fetch
          ? [[name, `${sftp.fetch.folder || 'the first folder'} at the SFTP server ${serverName(sftp)}`]]
          : [],
      ),
    ),
    secrets: secretsOf(settings, folder, env),
  };
};
