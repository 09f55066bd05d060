import type { AccountActionAnswer, AccountsAnswer } from '../../console/api/schemas/accounts.ts';
import type { TodayAnswer } from '../../console/api/schemas/today.ts';
import type { ScheduleKind } from '../../console/data-work.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { showText } from '../output/show-text.ts';
import { drawTable } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';
import { callConsole } from './call-console.ts';

const pathOf = (account: string, action: string): string =>
  `/accounts/${encodeURIComponent(account)}/${action}`;

/** Has a worker run a task of these accounts now; without a name, of every account that the token may see. */
export const remoteRun = async (
  terminal: Terminal,
  url: string,
  kind: ScheduleKind,
  account: string | undefined,
): Promise<ExitCode> => {
  const remote = callConsole(url);
  const { items } =
    account === undefined ? await remote.get<AccountsAnswer>('/accounts') : { items: [{ account }] };
  const results: { account: string; started: boolean; sentence: string }[] = [];
  for (const { account: name } of items) {
    const { refusal, answer } = await remote.try<AccountActionAnswer>(pathOf(name, 'run'), { kind });
    results.push({ account: name, started: answer !== undefined, sentence: answer?.sentence ?? refusal! });
  }
  terminal.answer({ accounts: results });
  for (const { sentence } of results) terminal.say(terminal.wrap(showText(sentence), 0));
  return results.every(({ started }) => started) ? exitCodes.fine.code : exitCodes.notAllDone.code;
};

/** Pauses or resumes an account. */
export const remotePause = async (
  terminal: Terminal,
  url: string,
  action: 'pause' | 'resume',
  { account, note }: { account: string; note: string | undefined },
): Promise<ExitCode> => {
  const answer = await callConsole(url).post<AccountActionAnswer>(pathOf(account, action), { note });
  terminal.answer({ account, action });
  terminal.say(terminal.wrap(showText(answer.sentence), 0));
  return exitCodes.fine.code;
};

const shownTime = (at: string | null, none: string): string =>
  at === null ? none : `${at.slice(0, 10)} ${at.slice(11, 16)}`;

/** The schedules with their last and next runs. */
export const remoteSchedules = async (
  terminal: Terminal,
  url: string,
  account: string | undefined,
): Promise<ExitCode> => {
  const { schedules: all } = await callConsole(url).get<TodayAnswer>('/today');
  const schedules = all.filter((one) => account === undefined || one.account === account);
  terminal.answer({ schedules });
  terminal.say(
    drawTable(
      terminal,
      [
        { head: 'Account' },
        { head: 'Task' },
        { head: 'When', wraps: true },
        { head: 'Last run (UTC)' },
        { head: 'Next (UTC)' },
      ],
      schedules.map((one) => [
        one.account,
        one.kind.replace('take_', ''),
        one.timing,
        `${shownTime(one.lastAt, 'never')}${one.lastResult === null ? '' : `\n${one.lastResult}`}`,
        shownTime(one.nextAt, 'when a worker runs'),
      ]),
    ),
  );
  return exitCodes.fine.code;
};
