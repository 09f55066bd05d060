import type { Command } from 'commander';
import type { Account } from '../../config/config.ts';
import { whyClosed } from '../../config/opening-hours.ts';
import { timingWords } from '../../console/schedule-words.ts';
import type { ScheduledTask } from '../../dispatch/job-schemas.ts';
import { UserError } from '../../errors.ts';
import { listMaintenance } from '../../ledger/maintenance.ts';
import { listScheduleRuns, type ScheduleRun } from '../../ledger/schedule-runs.ts';
import type { Runtime } from '../../worker/open-runtime.ts';
import { runTaskNow } from '../../worker/run-task-now.ts';
import { nextRun, taskOf, tasksOf } from '../../worker/scheduled-tasks.ts';
import { chooseAccount, chooseAccounts } from '../choose-account.ts';
import { exitCodes } from '../exit-codes.ts';
import { listOtherSchedules, type OtherSchedule } from '../other-schedules.ts';
import { showText, showUtc } from '../output/show-text.ts';
import { drawTable } from '../output/table.ts';
import { runCommand } from '../run-command.ts';
import { urlOption } from '../url-option.ts';

/** The names of tasks as people type them. */
const words: Record<ScheduledTask, string> = { poll: 'poll', report: 'report', take_files: 'files' };

interface ListedSchedule {
  name: string;
  account: string;
  task: ScheduledTask;
  timing: string;
  next: Date | null;
  last: Date | null;
  result: ScheduleRun['result'] | 'running';
  note: string | null;
  lastSuccess: Date | null;
}

const listSchedules = async (runtime: Runtime, accounts: readonly Account[]): Promise<ListedSchedule[]> => {
  const names = accounts.map(({ name }) => name);
  const runs = await listScheduleRuns(runtime.ledger.pool, names);
  // An interval counts from its last run, which the queue knows.
  const queued = await runtime.queues.listSchedules();
  const now = new Date();
  return accounts.flatMap(tasksOf).map(({ account, task, timing }) => {
    const run = runs.find((one) => one.account === account && one.task === task);
    const nextAtMs = queued.find(
      (one) => one.account === account && taskOf[one.name as keyof typeof taskOf] === task,
    )?.nextAtMs;
    return {
      name: `${account}/${words[task]}`,
      account,
      task,
      timing: timingWords(timing),
      next: nextRun(timing, now) ?? (nextAtMs === undefined ? null : new Date(nextAtMs)),
      last: run?.startedAt ?? null,
      result: run?.startedAt ? (run.result ?? 'running') : null,
      note: run?.note ?? null,
      lastSuccess: run?.succeededAt ?? null,
    };
  });
};

const lastText = ({ task, last, result }: ListedSchedule | OtherSchedule): string => {
  // Nothing runs at that time: Cartwright looks whether a file came, or writes a message.
  if (task === 'expect_files' || task === 'summary') return '';
  return last ? `${showUtc(last)}\n${result}` : 'never';
};

/** @throws UserError `bad_option` */
const parseName = (name: string): { account: string; task: ScheduledTask } => {
  const [account, word, ...rest] = name.split('/');
  const task = (Object.keys(words) as ScheduledTask[]).find((one) => words[one] === word);
  if (!account || task === undefined || rest.length > 0)
    throw new UserError(
      'bad_option',
      `${showText(name)} is no schedule. Name one as ACCOUNT/poll, ACCOUNT/report or ACCOUNT/files; \`cartwright schedule\` lists them. Make a backup with \`cartwright backup\`, and remove old data with \`cartwright prune\`.`,
    );
  return { account, task };
};

/** `cartwright schedule`. */
export const addScheduleCommand = (program: Command): void => {
  const schedule = program
    .command('schedule')
    .summary('list scheduled tasks, or run one now')
    .description(
      'Lists what happens by the clock: for each account fetching statuses, writing the status report, picking up files if it has a takeFiles schedule, and the time by which a file is expected; for all of them summaries, backups and the removal of old data. Shows when each ran last, with what result, and when it runs next.',
    )
    .option('--account <name>', 'only this account')
    .option(...urlOption)
    .addHelpText('after', '\nExamples:\n  cartwright schedule\n  cartwright schedule run north/report')
    .action(
      runCommand<{ account?: string; url?: string }>(
        'task',
        async ({ config, open, terminal }, _args, options) => {
          if (options.url !== undefined) {
            const { remoteSchedules } = await import('../remote/remote-accounts.ts');
            return remoteSchedules(terminal, options.url, options.account);
          }
          const accounts = chooseAccounts(config, options.account);
          const runtime = await open({ places: false });
          const others = listOtherSchedules(config, accounts, {
            now: new Date(),
            done: await listMaintenance(runtime.ledger.pool),
            everything: options.account === undefined,
          });
          const schedules = [...(await listSchedules(runtime, accounts)), ...others];
          const closed = accounts.flatMap(({ name, schedule: hours }) => {
            const why = whyClosed(hours, new Date());
            return why === undefined ? [] : [{ account: name, why }];
          });
          terminal.answer({ schedules, closed });
          terminal.say(
            drawTable(
              terminal,
              [
                { head: 'Schedule' },
                { head: 'When', wraps: true },
                { head: 'Last run (UTC)' },
                { head: 'Next (UTC)' },
              ],
              schedules.map((one) => [
                one.name,
                one.timing,
                lastText(one),
                one.next ? showUtc(one.next) : 'when a worker runs',
              ]),
            ),
          );
          for (const { name, note } of schedules)
            if (note !== null) terminal.say(terminal.wrap(`${name}: ${showText(note)}`));
          for (const { account, why } of closed)
            terminal.say(terminal.wrap(`${account}: closed now, so files and orders wait: ${why}.`));
          return exitCodes.fine.code;
        },
      ),
    );
  schedule
    .command('run')
    .argument('<name>', 'the schedule, such as north/report')
    .summary('run a schedule’s task now')
    .description(
      'Runs the task of a schedule once, in this process, whatever the clock and the opening hours say. The schedule stays as it is.',
    )
    .option(...urlOption)
    .addHelpText('after', '\nExample:\n  cartwright schedule run north/report')
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
        terminal.say(
          terminal.wrap(
            result === 'done'
              ? `Done: ${name}.`
              : `${name} failed: ${showText(note ?? 'no reason is known')}`,
          ),
        );
        return result === 'done' ? exitCodes.fine.code : exitCodes.notAllDone.code;
      }),
    );
};
