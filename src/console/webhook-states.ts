import type { SyncReceiver } from '../ledger/sync-receivers.ts';
import type { SyncWebhook } from '../sync/webhook.ts';
import type { AccountDetail } from './api/schemas/accounts.ts';

/** The webhooks of an account with how far each has come. Pure. */
export const webhookStates = (
  webhooks: readonly SyncWebhook[],
  receivers: readonly SyncReceiver[],
): AccountDetail['webhooks'] =>
  webhooks.map(({ name, url, problem }) => {
    const known = receivers.find((one) => one.name === name);
    return {
      name,
      // The rest of the address may be a secret.
      host: new URL(url).host,
      state:
        problem !== undefined
          ? 'unusable'
          : known === undefined
            ? 'new'
            : known.parkedAt
              ? 'parked'
              : known.failingSince
                ? 'failing'
                : 'working',
      error: problem ?? known?.lastError ?? null,
      waiting: known?.waiting ?? 0,
      sentAt: known?.sentAt?.toISOString() ?? null,
    };
  });
