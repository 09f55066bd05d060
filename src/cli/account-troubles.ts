import type { Config } from '../config-schema.ts';
import type { LiveWorker } from '../ledger/workers.ts';

/**
 * Why nothing is placed for an account, or its files are not read: what the live workers say, and where none runs
 * what this configuration says. In sentences; empty when all is well.
 */
export const troublesOf = (
  account: string,
  { config, workers }: { config: Pick<Config, 'accounts'>; workers: readonly LiveWorker[] },
): string[] => {
  const configured = config.accounts.find(({ name }) => name === account);
  const told = workers.flatMap(({ host, pid, troubles }) => {
    const trouble = troubles[account];
    return trouble === undefined ? [] : `${trouble} (worker ${pid} on ${host})`;
  });
  if (told.length > 0) return told;
  if (workers.some(({ places, reads }) => places.includes(account) || reads.includes(account))) return [];
  if (!configured) {
    return [
      `The account ${account} is in no configuration, so nothing is placed for it. Add it to cartwright.yaml again; its purchase orders wait until then.`,
    ];
  }
  if (workers.length === 0) {
    // Without an address nobody has finished setting it up; that is no trouble as long as nothing works on it.
    return configured.trouble?.code === 'secret_missing' ? [configured.trouble.message] : [];
  }
  return [
    `No running worker has the account ${account} in its configuration; its purchase orders wait. Start a worker with this configuration.`,
  ];
};
