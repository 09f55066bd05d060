import type { SyncWebhook } from '../sync/webhook.ts';
import { readSecret, whyMissing } from './read-secret.ts';
import type { Settings } from './schema.ts';

type Section = Settings['accounts'][string]['sync'];

/** The webhooks of an account as the program uses them. A missing secret affects only its webhook. */
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
