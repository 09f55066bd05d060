import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { Config } from '../../config/config.ts';
import { UserError } from '../../errors.ts';
import { feedPositionAt, keptMs } from '../../ledger/feed.ts';
import { listReceivers, resumeReceiver, type SyncReceiver } from '../../ledger/sync-receivers.ts';
import type { CloudEvent } from '../../sync/change.ts';
import { postChanges } from '../../sync/post-changes.ts';
import type { SyncWebhook } from '../../sync/webhook.ts';
import { openLedgerToRead } from '../../worker/open-ledger.ts';
import { chooseAccounts } from '../choose-account.ts';
import { openPool } from '../open-pool.ts';
import { badOption } from '../option-text.ts';
import { count, showText, showTime } from '../output/show-text.ts';
import { drawTable, wrapping } from '../output/table.ts';
import { sayWrapped } from '../output/terminal.ts';
import { type CommandContext, runCommand } from '../run-command.ts';

interface SyncOptions {
  account?: string;
  webhook?: string;
  test?: boolean;
}

/** @throws UserError `no_webhook`, `unknown_webhook` */
const chooseWebhooks = (
  config: Config,
  account: string | undefined,
  name: string | undefined,
): SyncWebhook[] => {
  const all = chooseAccounts(config, account).flatMap(({ webhooks }) => webhooks);
  if (all.length === 0)
    throw new UserError(
      'no_webhook',
      `No webhook is sent changes: ${account === undefined ? 'no account has' : `${account} does not have`} sync.webhooks. docs/sync.md has an example. Programs can read the feed without one.`,
    );
  const chosen = all.filter((one) => name === undefined || one.name === name);
  if (chosen.length === 0)
    throw new UserError(
      'unknown_webhook',
      `There is no webhook ${name}. Webhooks: ${all.map((one) => `${one.account} ${one.name}`).join(', ')}.`,
    );
  return chosen;
};

/** A test change without a real event. */
const testEvent = (account: string): CloudEvent => ({
  specversion: '1.0',
  id: `test:${randomUUID()}`,
  source: `/cartwright/accounts/${encodeURIComponent(account)}`,
  type: 'cartwright.test',
  subject: 'TEST',
  time: new Date().toISOString(),
  datacontenttype: 'application/json',
  data: { account, test: true },
});

const test = async ({ terminal }: CommandContext, webhooks: readonly SyncWebhook[]) => {
  const results = await Promise.all(
    webhooks.map(async (webhook) => {
      const posted =
        webhook.problem === undefined
          ? await postChanges(webhook, [testEvent(webhook.account)])
          : ({ kind: 'failed', message: webhook.problem } as const);
      return { webhook, posted };
    }),
  );
  terminal.answer({
    webhooks: results.map(({ webhook: { account, name }, posted }) => ({
      ...{ account, name, confirmed: posted.kind === 'confirmed' },
      error: posted.kind === 'failed' ? posted.message : undefined,
    })),
  });
  for (const { webhook, posted } of results)
    sayWrapped(
      terminal,
      posted.kind === 'confirmed'
        ? `${webhook.account} ${webhook.name}: ${new URL(webhook.url).host} confirmed a change of the type cartwright.test.`
        : `${webhook.account} ${webhook.name}: ${terminal.paint('red', 'not confirmed')}: ${showText(posted.message)}`,
    );
  return results.every(({ posted }) => posted.kind === 'confirmed') ? 'fine' : 'unreachable';
};

const stateOf = (webhook: SyncWebhook, known: SyncReceiver | undefined): string => {
  if (webhook.problem !== undefined) return webhook.problem;
  if (known === undefined) return 'starts once a worker runs';
  const waiting =
    known.waiting === 0
      ? ''
      : `, ${known.waiting > 1000 ? 'over 1000 changes wait' : `${count(known.waiting, 'change')} wait${known.waiting === 1 ? 's' : ''}`}`;
  if (known.parkedAt) return `given up ${showTime(known.parkedAt)}${waiting}: ${known.lastError ?? ''}`;
  if (known.failingSince)
    return `fails since ${showTime(known.failingSince)}${waiting}: ${known.lastError ?? ''}`;
  return `${known.sentAt ? `last confirmed ${showTime(known.sentAt)}` : 'nothing sent yet'}${waiting}`;
};

const show = async (context: CommandContext, webhooks: readonly SyncWebhook[]) => {
  const { terminal } = context;
  const pool = await openPool(context, openLedgerToRead);
  const known = await listReceivers(pool, [...new Set(webhooks.map(({ account }) => account))]);
  const rows = webhooks.map((webhook) => ({
    webhook,
    receiver: known.find(({ account, name }) => account === webhook.account && name === webhook.name),
  }));
  terminal.answer({
    webhooks: rows.map(({ webhook: { account, name, url, problem }, receiver }) => ({
      ...{ account, name, host: new URL(url).host, problem },
      ...receiver,
    })),
  });
  terminal.say(
    drawTable(
      terminal,
      ['Account', 'Webhook', wrapping('Sent to'), wrapping('State')],
      rows.map(({ webhook, receiver }) => [
        webhook.account,
        webhook.name,
        new URL(webhook.url).host,
        showText(stateOf(webhook, receiver)),
      ]),
    ),
  );
};

const momentOf = (text: string): Date => {
  const at = new Date(text);
  if (Number.isNaN(at.getTime()))
    throw badOption(`--since must be a day or a time such as 2026-11-26T08:00:00Z (got ${text}).`);
  const ageMs = Date.now() - at.getTime();
  if (ageMs < 0) throw badOption(`--since ${text} is in the future: what waits would never be sent.`);
  if (ageMs > keptMs)
    throw badOption(`--since ${text} is more than 30 days ago, and changes are kept for 30 days.`);
  return at;
};

export const addSyncCommand = (program: Command): void => {
  const sync = program
    .command('sync')
    .description(
      'Shows the webhooks of the accounts (sync.webhooks) and how far each has come. With --test, sends each of them a change of the type cartwright.test and says what happened.',
    )
    .option('--account <name>', 'only this account')
    .option('--webhook <name>', 'only this webhook')
    .option('--test', 'send a test')
    .addHelpText(
      'after',
      '\nExamples:\n  cartwright sync\n  cartwright sync --test --account north\n  cartwright sync resume north shop --since 2026-11-20',
    )
    .action(
      runCommand<SyncOptions>('task', async (context, _args, options) => {
        const webhooks = chooseWebhooks(context.config, options.account, options.webhook);
        return options.test ? test(context, webhooks) : show(context, webhooks);
      }),
    );
  sync
    .command('resume')
    .summary('send changes to a webhook again')
    .description(
      'Ends the pause of a webhook that was given up, or lets it begin again: where it stands, or with --since at a moment of the last 30 days. What it has confirmed before may be sent once more.',
    )
    .argument('<account>', 'account of the webhook')
    .argument('<webhook>', 'its name')
    .option('--since <time>', 'begin with the first change since then')
    .action(
      runCommand<{ since?: string }>(
        'task',
        async ({ config, open, terminal }, [account, name], { since }) => {
          const [webhook] = chooseWebhooks(config, account, name);
          const from = since === undefined ? undefined : momentOf(since);
          const { ledger } = await open();
          const position = from && (await feedPositionAt(ledger.pool, from)).position;
          if (!(await resumeReceiver(ledger.pool, webhook!, position)))
            throw new UserError(
              'not_possible',
              `${name} was never sent anything. It starts once a worker runs with it in its configuration.`,
            );
          const [receiver] = (await listReceivers(ledger.pool, [account!])).filter(
            (one) => one.name === name,
          );
          const waiting = receiver?.waiting ?? 0;
          terminal.answer({ account, webhook: name, since: from?.toISOString(), waiting });
          terminal.say(
            `The webhook ${name} of ${account} is sent changes again${from ? `, from ${showTime(from)} on` : ', from where it stands'}: ${waiting > 1000 ? 'over 1000 changes' : count(waiting, 'change')}.`,
          );
        },
      ),
    );
};
