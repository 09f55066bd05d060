import type { Config } from '../config/config.ts';
import type { FolderBacklog } from '../ledger/account-folders.ts';
import type { LiveWorker } from '../ledger/workers.ts';
import { displayMoment } from '../reports/display-text.ts';

const filesOf = ({ unread, unreadSince, results }: FolderBacklog): string =>
  [
    ...(unread > 0
      ? [
          `${unread} file${unread === 1 ? '' : 's'}${unreadSince ? ` picked up since ${displayMoment(unreadSince)}` : ''}`,
        ]
      : []),
    ...(results > 0 ? [`${results} result file${results === 1 ? '' : 's'}`] : []),
  ].join(' and ');

/** A sentence about files that wait for their folder; undefined while a running worker has the folder. */
const folderProblem = (backlog: FolderBacklog, isRead: boolean): string | undefined => {
  const { account, path, host, seenAt, replaced, unread, results } = backlog;
  const isOne = unread + results === 1;
  const where = `${path} on ${host}`;
  const giveUp = `\`cartwright use-folder --account ${account} --give-up\``;
  if (replaced) {
    return `${filesOf(backlog)} cannot be continued: ${isOne ? 'it needs' : 'they need'} the folder ${where}, which is no longer in use (last used ${displayMoment(seenAt)}). Copy its files/ and working/ into the folder in use and run \`cartwright use-folder --account ${account}\` there${unread > 0 ? `, or give up the unread files with ${giveUp}` : ''}.`;
  }
  if (isRead) return undefined;
  return `${filesOf(backlog)} ${isOne ? 'waits' : 'wait'} for the folder ${where}, which no process has used since ${displayMoment(seenAt)}. Start \`cartwright watch\` there. If that machine is gone, bring the folder to another one, or run ${giveUp} on the machine that takes its place.`;
};

/**
 * Why an account's POs are not placed or its files are not read, in sentences: as the running workers report, or
 * without any worker as this configuration shows. Empty if there is no problem.
 *
 * @param folders where files of accounts wait to be read or answered
 */
export const accountProblems = (
  account: string,
  {
    config,
    workers,
    folders = [],
  }: {
    config: Pick<Config, 'accounts'>;
    workers: readonly LiveWorker[];
    folders?: readonly FolderBacklog[];
  },
): string[] => {
  const isRead = workers.some(({ reads }) => reads.includes(account));
  const ofFolders = folders.flatMap((backlog) => {
    // If no worker runs at all, that is the problem, and not the folder.
    const sentence =
      backlog.account === account && (workers.length > 0 || backlog.replaced)
        ? folderProblem(backlog, isRead)
        : undefined;
    return sentence ?? [];
  });
  return [...problemsOfWorkers(account, { config, workers }), ...ofFolders];
};

const problemsOfWorkers = (
  account: string,
  { config, workers }: { config: Pick<Config, 'accounts'>; workers: readonly LiveWorker[] },
): string[] => {
  const configured = config.accounts.find(({ name }) => name === account);
  const reported = workers.flatMap(({ host, pid, troubles }) => {
    const trouble = troubles[account];
    return trouble === undefined ? [] : `${trouble} (reported by worker ${pid} on ${host})`;
  });
  if (reported.length > 0) return reported;
  if (workers.some(({ places }) => places.includes(account))) return [];
  if (!configured) {
    return workers.some(({ reads }) => reads.includes(account))
      ? []
      : [`The account ${account} is in no configuration, so its POs wait. Add it to cartwright.yaml again.`];
  }
  if (workers.length === 0) {
    // An account without an address is not set up yet, which is no problem while no worker runs.
    return configured.problem?.code === 'secret_missing' ? [configured.problem.message] : [];
  }
  if (workers.some(({ reads }) => reads.includes(account))) {
    return [
      `No running worker places the POs of the account ${account}, so they wait. Start \`cartwright work\` or \`cartwright up\` with this configuration.`,
    ];
  }
  return [
    `No running worker has the account ${account} in its configuration, so its POs wait. Start a worker with this configuration.`,
  ];
};
