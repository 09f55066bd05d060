import { resolve } from 'node:path';
import type { SyncWebhook } from '../sync/webhook.ts';
import { readSecret } from './read-secret.ts';
import type { Settings } from './schema.ts';

type Section = Settings['accounts'][string]['sync'];

/** The webhooks of an account as the program uses them. A missing secret affects only its webhook. */
export const buildSync = (
  { webhooks }: Section,
  account: string,
  beside: string,
  env: NodeJS.ProcessEnv,
): SyncWebhook[] =>
  Object.entries(webhooks).map(([name, { url, batch, allowPrivate, secretEnv, secretFile }]) => {
    const secret = readSecret({ secretEnv, secretFile }, beside, env);
    const setting = `accounts.${account}.sync.webhooks.${name}`;
    return {
      ...{ account, name, url, batch, allowPrivate, secret },
      problem:
        secret !== undefined
          ? undefined
          : secretFile === undefined
            ? `The environment variable ${secretEnv}, named by ${setting}.secretEnv, is not set. Set it, then start Cartwright again.`
            : `The file ${resolve(beside, secretFile)}, named by ${setting}.secretFile, cannot be read or is empty. Put the secret into it, then start Cartwright again.`,
    };
  });
