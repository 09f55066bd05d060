import type { AccountActionAnswer, AccountsAnswer, ScheduleKind } from '../../api-contract/accounts.ts';
import type { ExitCode } from '../exit-codes.ts';
import { showText } from '../output/show-text.ts';
import { sayWrapped, type Terminal } from '../output/terminal.ts';
import { callConsole } from './call-console.ts';

const pathOf = (account: string, action: string): string =>
  `/accounts/${encodeURIComponent(account)}/${action}`;

/** Makes a worker run a task of an account now; without a name, of every account that the token may see. */
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
  for (const { sentence } of results) sayWrapped(terminal, showText(sentence), 0);
  return results.every(({ started }) => started) ? 'fine' : 'notAllDone';
};

/** Pauses or resumes an account. */
export const remotePause = async (
  terminal: Terminal,
  url: string,
  action: 'pause' | 'resume',
  { account, note }: { account: string; note: string | undefined },
): Promise<void> => {
  const answer = await callConsole(url).post<AccountActionAnswer>(pathOf(account, action), { note });
  terminal.answer({ account, action });
  sayWrapped(terminal, showText(answer.sentence), 0);
};
