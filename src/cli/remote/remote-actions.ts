import { setTimeout as sleep } from 'node:timers/promises';
import { actOn } from '../../api-contract/action-words.ts';
import type { ActionAnswer } from '../../api-contract/actions.ts';
import type { BulkCountAnswer, BulkRun } from '../../api-contract/bulk.ts';
import type { PoDetail } from '../../api-contract/purchase-orders.ts';
import { UserError } from '../../errors.ts';
import { meantOf } from '../../placing/live-po.ts';
import type { ActionCommand, ActionOptions } from '../action-commands.ts';
import { confirm } from '../confirm.ts';
import type { ExitCode } from '../exit-codes.ts';
import { createProgress } from '../output/progress.ts';
import { count, showText } from '../output/show-text.ts';
import { drawTable, right, wrapping } from '../output/table.ts';
import { sayWrapped } from '../output/terminal.ts';
import type { CommandContext } from '../run-command.ts';
import { mayMeanFile, settleRemoteFile } from '../settle-file.ts';
import { assertKnown } from './assert-known.ts';
import { callConsole, type RemoteConsole } from './call-console.ts';
import { findPurchaseOrders } from './find-purchase-orders.ts';

type Context = Pick<CommandContext, 'terminal' | 'signals'>;

/** Maximum number of POs in one request. */
const mostAtOnce = 200;
const askAgainMs = 500;

const isChosen = (po: PoDetail, { import: importId, reason }: ActionOptions): boolean =>
  (importId === undefined || po.importId === importId) && (reason === undefined || po.reasonCode === reason);

const actOnNamed = async (
  { terminal }: Context,
  remote: RemoteConsole,
  { action }: ActionCommand,
  poNumbers: readonly string[],
  options: ActionOptions,
): Promise<ExitCode> => {
  const found = await Promise.all(
    poNumbers.map((poNumber) => findPurchaseOrders(remote, poNumber, options.account)),
  );
  const missing = poNumbers.filter((_, at) => !found[at]!.some((po) => isChosen(po, options)));
  if (missing.length > 0) await assertKnown(remote, options);
  for (const poNumber of missing) terminal.say(`PO ${showText(poNumber)} was not found.`);
  const chosen = found.flat().filter((po) => isChosen(po, options));
  const allows = (po: PoDetail) => po.banner.actions.some((offered) => offered.action === action);
  const possible = chosen.filter(allows);
  // Skip an ended PO of the same number if another one can be changed.
  const others = meantOf(chosen).filter(
    (po) =>
      !allows(po) && !possible.some((one) => one.poNumber === po.poNumber && one.account === po.account),
  );
  const unchanged: { id: string | null; poNumber: string; done: boolean; why: string | null }[] = missing.map(
    (poNumber) => ({ id: null, poNumber, done: false, why: 'it was not found' }),
  );
  for (const { id, poNumber, changedAt, banner } of others) {
    // Let the console explain why it is not possible.
    const request = { action, items: [{ id, changedAt }], note: options.note };
    const { answer, refusal } = await remote.try<ActionAnswer>('/purchase-orders/actions', request);
    const why = refusal ?? answer?.sentence ?? banner.sentence;
    unchanged.push({ id, poNumber, done: answer !== undefined, why });
    sayWrapped(terminal, refusal === undefined ? showText(why) : `Not possible: ${showText(why)}`, 0);
  }
  if (possible.length === 0) {
    terminal.answer({ results: unchanged });
    return 'notAllDone';
  }
  terminal.say(
    drawTable(
      terminal,
      ['Account', 'PO', right('Import'), wrapping('State')],
      possible.map((po) => [po.account, showText(po.poNumber), po.importId, showText(po.banner.sentence)]),
    ),
  );
  if (!(await confirm(terminal, actOn(action, count(possible.length, 'PO'), possible.length), options.yes)))
    return 'notAllDone';
  const results: ActionAnswer['results'] = [];
  for (let at = 0; at < possible.length; at += mostAtOnce) {
    const items = possible.slice(at, at + mostAtOnce).map(({ id, changedAt }) => ({ id, changedAt }));
    const answer = await remote.post<ActionAnswer>('/purchase-orders/actions', {
      action,
      items,
      note: options.note,
    });
    results.push(...answer.results);
    terminal.say(answer.sentence);
  }
  terminal.answer({ results: [...results, ...unchanged] });
  const undone = results.filter(({ done }) => !done);
  for (const { poNumber, why } of undone) sayWrapped(terminal, `PO ${showText(poNumber)}: ${why}`);
  return undone.length + missing.length + others.length > 0 ? 'notAllDone' : 'fine';
};

/** Follows a bulk run to its end; Ctrl-C stops the run. */
const follow = async (
  { terminal, signals }: Context,
  remote: RemoteConsole,
  started: BulkRun,
): Promise<BulkRun> => {
  const progress = createProgress(terminal);
  let run = started;
  try {
    while (run.state === 'waiting' || run.state === 'running') {
      progress.set('POs', run.tried, run.expected);
      await Promise.race([sleep(askAgainMs), signals.requested]);
      run = signals.isRequested()
        ? await remote.post<BulkRun>(`/bulk/${run.id}/stop`, {})
        : await remote.get<BulkRun>(`/bulk/${run.id}`);
    }
    return run;
  } finally {
    progress.stop();
  }
};

const actOnAll = async (
  context: Context,
  remote: RemoteConsole,
  { action, none }: ActionCommand,
  options: ActionOptions,
): Promise<ExitCode> => {
  const { terminal } = context;
  const { account, import: importId, reason } = options;
  const filter = { account, importId, reason };
  const counted = await remote.post<BulkCountAnswer>('/bulk/count', { action, filter });
  const { exact, others, sentence, running } = counted;
  if (exact === 0) {
    if (others === 0) await assertKnown(remote, options);
    terminal.answer({ run: null });
    if (others > 0) sayWrapped(terminal, showText(sentence), 0);
    else terminal.say(none);
    return 'notAllDone';
  }
  if (exact === null)
    throw new UserError(
      'too_many',
      'More than 100,000 POs match. Narrow the choice, for example to one import with --import.',
    );
  sayWrapped(terminal, showText(sentence), 0);
  for (const other of running) {
    const warning = `Another action on the same POs is still running, started by ${other.who}: ${other.sentence} Each PO gets the action that comes to it first.`;
    sayWrapped(terminal, showText(warning), 0);
  }
  if (!(await confirm(terminal, actOn(action, count(exact, 'PO'), exact), options.yes))) return 'notAllDone';
  const started = await remote.post<BulkRun>('/bulk', {
    action,
    filter,
    expected: exact,
    note: options.note,
  });
  const run = await follow(context, remote, started).catch((thrown: unknown) => {
    if (!(thrown instanceof UserError) || thrown.code !== 'console_down') throw thrown;
    throw new UserError(
      thrown.code,
      `${thrown.message}. The run was accepted before, and a worker or the console continues it; Activity in the console says how far it is.`,
      { cause: thrown },
    );
  });
  terminal.answer({ run });
  terminal.say(
    `${run.state === 'stopped' ? 'Stopped: ' : ''}${run.done} of ${count(run.expected, 'PO')} changed.`,
  );
  for (const { why, count: n } of run.reasons) sayWrapped(terminal, `${n} not changed: ${showText(why)}`);
  return run.state === 'finished' && run.notDone === 0 && others === 0 ? 'fine' : 'notAllDone';
};

/** `cartwright release --url` and so on: the same actions through a running console. */
export const remoteAction = async (
  context: Context,
  url: string,
  command: ActionCommand,
  poNumbers: readonly string[],
  options: ActionOptions,
): Promise<ExitCode> => {
  const remote = callConsole(url);
  if (mayMeanFile(command, poNumbers, options)) {
    const settled = await settleRemoteFile(context, remote, command, options);
    if (settled !== undefined) return settled;
  }
  return poNumbers.length > 0
    ? actOnNamed(context, remote, command, poNumbers, options)
    : actOnAll(context, remote, command, options);
};
