import { resolve } from 'node:path';
import { UserError } from '../errors.ts';
import type { NotificationSettings, Route } from '../notify/settings.ts';
import type { Settings } from './schema.ts';

type RouteSettings = Settings['notifications']['routes'][string];

const minutesOf = (time: string): number => {
  const [hours, minutes] = time.split(':').map(Number);
  return hours! * 60 + minutes!;
};

const unset = (variable: string, setting: string) => ({
  kind: 'unusable' as const,
  message: `The environment variable ${variable}, named by ${setting}, is not set. Set it, then start Cartwright again.`,
});

const channelOf = (
  name: string,
  route: RouteSettings,
  { smtp }: Settings['notifications'],
  folder: string,
  env: NodeJS.ProcessEnv,
): Route['channel'] => {
  const setting = `notifications.routes.${name}`;
  if (route.kind === 'email') {
    const { host, port, security, ca, user, secretEnv, from } = smtp!;
    if (secretEnv !== undefined && !env[secretEnv]) return unset(secretEnv, 'notifications.smtp.secretEnv');
    return {
      kind: 'email',
      to: route.to!,
      smtp: {
        ...{ host, port, security, user, from },
        ca: ca === undefined ? undefined : resolve(folder, ca),
        password: secretEnv === undefined ? undefined : env[secretEnv],
      },
    };
  }
  if (route.kind === 'webhook') {
    const secret = env[route.secretEnv!];
    return secret
      ? { kind: 'webhook', url: route.url!, secret }
      : unset(route.secretEnv!, `${setting}.secretEnv`);
  }
  const url = env[route.urlEnv!];
  if (!url) return unset(route.urlEnv!, `${setting}.urlEnv`);
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    return {
      kind: 'unusable',
      message: `The environment variable ${route.urlEnv}, named by ${setting}.urlEnv, must be a web address starting with https://.`,
    };
  }
  return { kind: route.kind, url };
};

/** The secrets that the configuration names: none of them may get into a message. */
const secretsOf = ({ accounts, notifications, console }: Settings, env: NodeJS.ProcessEnv): string[] => {
  const { smtp, routes } = notifications;
  const names = [
    ...Object.values(accounts).map(({ auth }) => (auth.kind === 'none' ? undefined : auth.secretEnv)),
    ...Object.values(routes).flatMap(({ secretEnv, urlEnv }) => [secretEnv, urlEnv]),
    smtp?.secretEnv,
    console.openId?.clientSecretEnv,
  ];
  const passwords = [env.DATABASE_URL, env.REDIS_URL].flatMap((url) =>
    url !== undefined && URL.canParse(url) ? [decodeURIComponent(new URL(url).password)] : [],
  );
  const secrets = [...names.flatMap((name) => (name === undefined ? [] : (env[name] ?? []))), ...passwords];
  // Shorter ones would be replaced inside of ordinary words.
  return [...new Set(secrets)].filter((secret) => secret.length >= 6);
};

/**
 * The notifications as the program uses them.
 *
 * @param folder relative file names start here
 * @throws UserError `config_invalid` for a route with an account that does not exist
 */
export const buildNotifications = (
  settings: Settings,
  folder: string,
  env: NodeJS.ProcessEnv,
): NotificationSettings => {
  const { notifications, accounts } = settings;
  const routes = Object.entries(notifications.routes).map(([name, route]): Route => {
    const unknown = route.accounts?.find((account) => !(account in accounts));
    if (unknown !== undefined) {
      throw new UserError(
        'config_invalid',
        `notifications.routes.${name}.accounts names the account ${unknown}, which does not exist (accounts: ${Object.keys(accounts).join(', ')}).`,
      );
    }
    const { quietHours } = route;
    return {
      name,
      channel: channelOf(name, route, notifications, folder, env),
      accounts: route.accounts,
      severity: route.severity,
      events: route.events,
      timeZone: route.timeZone,
      quietHours: quietHours && { from: minutesOf(quietHours.from), to: minutesOf(quietHours.to) },
      summary: route.summary,
    };
  });
  return {
    routes,
    digestMs: notifications.digest,
    pausedForMs: notifications.pausedFor,
    pollsLateAfterMs: notifications.pollsLateAfter,
    diskFreeBelow: notifications.diskFreeBelow,
    giveUpAfterMs: notifications.giveUpAfter,
    consoleUrl: settings.console.publicUrl,
    secrets: secretsOf(settings, env),
  };
};
