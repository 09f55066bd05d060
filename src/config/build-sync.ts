import type { SyncWebhook } from '../sync/webhook.ts';
import { readSecret, whyMissing } from './read-secret.ts';
import type { Settings } from './schema.ts';

type Section = Settings['accounts'][string]['sync'];

/** Converts the settings of an account's webhooks to the form that the program uses. A missing secret affects only its webhook. */
export const buildSync = (
  { webhooks }: Section,
  account: string,
  beside: string,
  env: NodeJS.ProcessEnv,
): SyncWebhook[] =>
  Object.entries(webhooks).map(([name, { url, batch, allowPrivate, ...names }]) => {
    const secret = readSecret(names, beside, env);
    const setting = `accounts.${account}.sync.webhooks.${name}.secret`;
    const problem = secret === undefined ? whyMissing(names, setting, beside) : undefined;
    return { account, name, url, batch, allowPrivate, secret, problem };
  });
