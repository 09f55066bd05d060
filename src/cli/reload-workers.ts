import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { UserError } from '../errors.ts';
import { askForReload, listReloadAnswers } from '../ledger/reloads.ts';
import { listWorkers } from '../ledger/workers.ts';
import { openLedgerToRead } from '../worker/open-ledger.ts';
import { isReloadable } from '../worker/reload.ts';
import { canAsk } from './ask-person.ts';
import { askToConfirm } from './confirm.ts';
import { openPool } from './open-pool.ts';
import { count } from './output/show-text.ts';
import { drawTable, wrapping } from './output/table.ts';
import { sayWrapped } from './output/terminal.ts';
import type { CommandContext } from './run-command.ts';

const answersWithinMs = 30_000;

/**
 * Asks every running worker to read its configuration again, waits for the answers, and shows them.
 * @returns whether all of them succeeded
 */
export const reloadWorkers = async (
  { signals, terminal }: Pick<CommandContext, 'signals' | 'terminal'>,
  pool: pg.Pool,
): Promise<{ done: boolean; workers: object[] }> => {
  const request = await askForReload(pool);
  const deadline = performance.now() + answersWithinMs;
  let answers = await listReloadAnswers(pool);
  while (
    answers.some(({ reloads }) => reloads < request) &&
    performance.now() < deadline &&
    !signals.isRequested()
  ) {
    await sleep(250);
    answers = await listReloadAnswers(pool);
  }
  const workers = answers.map(({ host, pid, reloads, note, refused }) => ({
    host,
    pid,
    answered: reloads >= request,
    refused: reloads >= request && refused,
    note: reloads >= request ? (note ?? '') : 'It has not answered. Restart it if its version is older.',
  }));
  terminal.say(
    workers.length === 0
      ? 'No worker is running; the next one reads the configuration as it is now.'
      : drawTable(
          terminal,
          ['Worker', wrapping('Result')],
          workers.map(({ host, pid, note }) => [`${pid} on ${host}`, note]),
        ),
  );
  return { done: workers.every(({ answered, refused }) => answered && !refused), workers };
};

/**
 * After writing settings of an account to the configuration file: explains how running workers pick them up, and at a terminal offers to do
 * it.
 */
export const offerReload = async (
  context: CommandContext,
  account: string,
  settings: readonly string[],
): Promise<void> => {
  const { terminal } = context;
  const say = (text: string) => sayWrapped(terminal, text, 0);
  const pool = await openPool(context, openLedgerToRead).catch((thrown: unknown) => {
    // Without a ledger no worker has ever run.
    if (thrown instanceof UserError && thrown.code === 'ledger_missing') return undefined;
    throw thrown;
  });
  const running = pool ? (await listWorkers(pool)).length : 0;
  if (!pool || running === 0) return say('No worker is running here; the next one uses them.');
  const workers = count(running, 'running worker');
  const needRestart = settings.filter((name) => !isReloadable(name));
  if (needRestart.length > 0)
    return say(
      `Restart the ${workers} to use them: ${needRestart.map((name) => `accounts.${account}.${name}`).join(', ')} cannot be reloaded.`,
    );
  if (!canAsk(terminal) || !(await askToConfirm(terminal, `make the ${workers} use them now`)))
    return say(`The ${workers} will use them after \`cartwright reload\`.`);
  await reloadWorkers(context, await openPool(context));
};
