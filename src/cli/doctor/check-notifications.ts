import { access, constants } from 'node:fs/promises';
import type { Config } from '../../config/config.ts';
import { listed } from '../../intake/quoted.ts';
import { tryMailServer } from '../../notify/senders/send-email.ts';
import { tryAddress } from '../../notify/senders/try-address.ts';
import type { Route } from '../../notify/settings.ts';
import { withoutSecrets } from '../../notify/write-text.ts';
import { asSentence, type Finding, fine, isThisMachine, note, problem } from './finding.ts';

const describe = ({ name, channel }: Route): string => {
  switch (channel.kind) {
    case 'email':
      return `${name} sends e-mail to ${channel.to.join(', ')} through ${channel.smtp.host}:${channel.smtp.port}`;
    case 'webhook':
      return `${name} posts to ${new URL(channel.url).host}`;
    default:
      return `${name} posts to ${channel.kind}`;
  }
};

const isReadable = (path: string): Promise<boolean> =>
  access(path, constants.R_OK).then(
    () => true,
    () => false,
  );

const aboutChannel = async ({ name, channel }: Route): Promise<Finding | undefined> => {
  const check = 'notifications';
  if (channel.kind === 'unusable')
    return problem(check, `The route ${name} can send nothing.`, channel.message);
  if (channel.kind === 'email') {
    const { ca, security, host } = channel.smtp;
    if (ca !== undefined && !(await isReadable(ca)))
      return problem(check, `The certificate ${ca} cannot be read.`, 'Check notifications.smtp.ca.');
    if (security === 'none' && !isThisMachine(host))
      return problem(
        'notifications_tls',
        `E-mails to ${host} are not encrypted: what is in them can be read on the network.`,
        'Set notifications.smtp.security to starttls or tls.',
      );
  }
  if (channel.kind === 'webhook' && channel.url.startsWith('http:')) {
    const { hostname, host } = new URL(channel.url);
    if (!isThisMachine(hostname))
      return problem(
        'notifications_tls',
        `What the route ${name} posts to ${host} is not encrypted and can be read on the network.`,
        `Set notifications.routes.${name}.url to an https:// address.`,
      );
  }
  return undefined;
};

const limitMs = 10_000;

/** Checks whether the server of a route answers. Its message is not shown, because it may repeat the password. */
const aboutConnection = async (
  { name, channel }: Route,
  secrets: readonly string[],
): Promise<Finding | undefined> => {
  if (channel.kind === 'unusable') return undefined;
  const why =
    channel.kind === 'email'
      ? await tryMailServer(channel.smtp, limitMs)
      : await tryAddress(channel.url, limitMs);
  return why === undefined
    ? undefined
    : problem(
        'notifications_connection',
        `The route ${name} cannot deliver now: ${asSentence(withoutSecrets(why, secrets))}`,
        'Check the address, the network between, and that the server runs. `cartwright notify --test` sends a message.',
      );
};

/** Checks the notification routes and whether their servers can be reached. Sends nothing. */
export const checkNotifications = async ({ notifications, accounts }: Config): Promise<Finding[]> => {
  const { routes, secrets } = notifications;
  if (routes.length === 0)
    return [
      note(
        'notifications',
        'No route is set: no message is sent when a person is needed.',
        'Add a route to notifications.routes (docs/every-day.md, “Notifications”).',
      ),
    ];
  const found: Finding[] = [];
  for (const route of routes) {
    const trouble = (await aboutChannel(route)) ?? (await aboutConnection(route, secrets));
    found.push(trouble ?? fine('notifications', asSentence(describe(route))));
  }
  const told = new Set(routes.flatMap((route) => route.accounts ?? accounts.map(({ name }) => name)));
  const forgotten = accounts.filter(({ name }) => !told.has(name)).map(({ name }) => name);
  if (forgotten.length > 0)
    found.push(
      note(
        'notifications_accounts',
        `No route covers ${listed(forgotten, 5)}.`,
        'Add the accounts to a route, or a route without accounts.',
      ),
    );
  return found;
};
