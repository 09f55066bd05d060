import type { Config } from '../config/config.ts';
import type { LiveWorker } from '../ledger/workers.ts';

/**
 * Why an account's POs are not placed or its files are not read, in sentences: as the running workers report it, or
 * without any worker as this configuration shows it. Empty if there is no problem.
 */
export const accountProblems = (
  account: string,
  { config, workers }: { config: Pick<Config, 'accounts'>; workers: readonly LiveWorker[] },
): string[] => {
  const configured = config.accounts.find(({ name }) => name === account);
  const reported = workers.flatMap(({ host, pid, troubles }) => {
    const trouble = troubles[account];
    return trouble === undefined ? [] : `${trouble} (reported by worker ${pid} on ${host})`;
  });
  if (reported.length > 0) return reported;
  if (workers.some(({ places, reads }) => places.includes(account) || reads.includes(account))) return [];
  if (!configured) {
    return [
      `The account ${account} is in no configuration, so its POs wait. Add it to cartwright.yaml again.`,
    ];
  }
  if (workers.length === 0) {
    // An account without an address is not set up yet, which is no problem while no worker runs.
    return configured.problem?.code === 'secret_missing' ? [configured.problem.message] : [];
  }
  return [
    `No running worker has the account ${account} in its configuration, so its POs wait. Start a worker with this configuration.`,
  ];
};
