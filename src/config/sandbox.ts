import { fileURLToPath } from 'node:url';
import { packageFolder } from '../package.ts';
import type { Settings } from './schema.ts';

/** Options of `--sandbox`. */
export interface SandboxOptions {
  /** A day passes in two minutes. */
  fast?: boolean;
}

/** The catalogue with the prices of the samples, so that these can be ordered. */
export const samplesCatalogue = fileURLToPath(new URL('samples/catalogue.csv', packageFolder));
const usualPort = 8480;
const dayInTwoMinutes = 720;
/** Short, because a person who tries it out wants to see results soon, and the service is on this machine. */
const soonMs = 30_000;

/** The sandbox's port: the one in the service's settings, but never a random one, so that every command finds it. */
const portOf = ({ service }: Settings): number => service.port || usualPort;

/** Files of the demo are picked up and ordered at once, regardless of the account’s hours. */
const atAnyTime = { takeFiles: undefined, expectFiles: undefined, open: undefined, closedOn: [] };

/** The variable for the token of the nth account. */
const variableOf = (at: number): string => `CARTWRIGHT_SANDBOX_TOKEN_${at + 1}`;
/** Not a secret, because only this machine reaches the sandbox; it only separates the accounts' carts and orders. */
const tokenOf = (name: string): string => `sandbox-token-of-${name}`;

/** The environment with the tokens by which the sandbox knows the accounts. */
export const sandboxEnvironment = ({ accounts }: Settings, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...env,
  ...Object.fromEntries(Object.keys(accounts).map((name, at) => [variableOf(at), tokenOf(name)])),
});

const union = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];

/**
 * The settings for a sandbox: the same accounts with their guards and layouts, but ordering from a service on this machine, in
 * separate folders. Nothing reaches a dealer, a person or another server, and nothing mixes with the real orders.
 */
export const sandboxSettings = (settings: Settings, { fast = false }: SandboxOptions): Settings => {
  const accounts = Object.values(settings.accounts);
  const port = portOf(settings);
  return {
    ...settings,
    dataFolder: `${settings.dataFolder}/sandbox`,
    health: { ...settings.health, port: undefined },
    backup: { ...settings.backup, folder: undefined },
    notifications: { ...settings.notifications, routes: {}, smtp: undefined },
    service: {
      ...settings.service,
      ...{ host: '127.0.0.1', port, anyone: false, admin: false },
      dealers: Object.keys(settings.accounts).map((name) => ({
        ...{ name, token: tokenOf(name), access: 'full' as const, defaults: {} },
      })),
      warehouses: union([settings.service.warehouses, ...accounts.map(({ warehouses }) => warehouses)]),
      shipCodes: union([settings.service.shipCodes, ...accounts.map(({ shipCodes }) => shipCodes)]),
      ...(settings.service.catalogue === 'any' ? { catalogue: samplesCatalogue } : {}),
      ...(fast ? { clockSpeed: dayInTwoMinutes } : {}),
    },
    accounts: Object.fromEntries(
      Object.entries(settings.accounts).map(([name, account], at) => [
        name,
        {
          ...account,
          baseUrl: `http://127.0.0.1:${port}`,
          auth: { kind: 'bearer' as const, secretEnv: variableOf(at) },
          folder: undefined,
          sftp: undefined,
          sync: { webhooks: {} },
          answers: undefined,
          schedule: {
            ...account.schedule,
            poll: soonMs,
            ...(fast ? { ...atAnyTime, poll: 5000 } : {}),
          },
        },
      ]),
    ),
  };
};
