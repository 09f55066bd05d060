import type { Command } from 'commander';
import type { SchedulesAnswer } from '../../api-contract/schedules.ts';
import type { ScheduledTask } from '../../dispatch/job-schemas.ts';
import { listScheduleRuns } from '../../ledger/schedule-runs.ts';
import { runTaskNow } from '../../worker/run-task-now.ts';
import { chooseAccount, chooseAccounts } from '../choose-account.ts';
import { listAllSchedules, taskWords } from '../list-all-schedules.ts';
import { badOption, urlOption } from '../option-text.ts';
import { showSchedules } from '../output/schedules.ts';
import { showText } from '../output/show-text.ts';
import { sayWrapped } from '../output/terminal.ts';
import { runCommand } from '../run-command.ts';

/** @throws UserError `bad_option` */
const parseName = (name: string): { account: string; task: ScheduledTask } => {
  const [account, word, ...rest] = name.split('/');
  const task = (Object.keys(taskWords) as ScheduledTask[]).find((one) => taskWords[one] === word);
  if (!account || task === undefined || rest.length > 0)
    throw badOption(
      `${showText(name)} is no schedule. Name one as ACCOUNT/poll, ACCOUNT/statusReport or ACCOUNT/takeFiles; \`cartwright schedule\` lists them. Make a backup with \`cartwright backup\`, and remove old data with \`cartwright prune\`.`,
    );
  return { account, task };
};

export const addScheduleCommand = (program: Command): void => {
  const schedule = program
    .command('schedule')
    .description(
      'Lists what happens by the clock: for each account fetching statuses, writing the status report, picking up files if it has a takeFiles schedule, and the time by which a file is expected; for all of them summaries, backups and the removal of old data. Shows when each ran last, with what result, and when it runs next.',
    )
    .option('--account <name>', 'only this account')
    .option(...urlOption)
    .addHelpText('after', '\nExamples:\n  cartwright schedule\n  cartwright schedule run north/statusReport')
    .action(
      runCommand<{ account?: string; url?: string }>(
        'task',
        async ({ config, open, terminal }, _args, options) => {
          if (options.url !== undefined) {
            const { callConsole } = await import('../remote/call-console.ts');
            const { account } = options;
            showSchedules(
              terminal,
              await callConsole(options.url).get<SchedulesAnswer>('/schedules', { account }),
            );
            return 'fine';
          }
          const accounts = chooseAccounts(config, options.account);
          const runtime = await open({ places: false });
          const shared = options.account === undefined;
          showSchedules(terminal, await listAllSchedules(runtime, accounts, { shared }));
          return 'fine';
        },
      ),
    );
  schedule
    .command('run')
    .argument('<name>', 'the schedule, such as north/statusReport')
    .summary('run a schedule’s task now')
    .description(
      'Runs the task of a schedule once, in this process, whatever the clock and the opening hours say. The schedule stays as it is.',
    )
    .option(...urlOption)
    .addHelpText('after', '\nExample:\n  cartwright schedule run north/statusReport')
    .action(
      runCommand<{ url?: string }>('task', async ({ config, open, terminal }, [name], { url }) => {
        const { account: accountName, task } = parseName(name!);
        if (url !== undefined) {
          const { remoteRun } = await import('../remote/remote-accounts.ts');
          return remoteRun(terminal, url, task, accountName);
        }
        const account = chooseAccount(config, accountName);
        const runtime = await open({ places: task === 'poll' });
        await runTaskNow(runtime, task, account.name);
        const runs = await listScheduleRuns(runtime.ledger.pool, [account.name]);
        const { result, note } = runs.find((one) => one.task === task)!;
        terminal.answer({ name, result, note });
        sayWrapped(
          terminal,
          result === 'done' ? `Done: ${name}.` : `${name} failed: ${showText(note ?? 'no reason is known')}`,
        );
        return result === 'done' ? 'fine' : 'notAllDone';
      }),
    );
};
