import { sep } from 'node:path';
import type { Command } from 'commander';
import type pg from 'pg';
import type { Config } from '../../config/config.ts';
import { presentPurchaseOrder } from '../../console/present-purchase-order.ts';
import { readPurchaseOrdersNamed } from '../../ledger/console/purchase-order.ts';
import { latestImports } from '../../ledger/import-counts.ts';
import { type AccountOverview, listAccountsWithWork } from '../../ledger/overview.ts';
import { readProgress } from '../../ledger/progress.ts';
import { listWorkers } from '../../ledger/workers.ts';
import { isActiveState } from '../../placing/types.ts';
import { accountProblems } from '../../worker/account-problems.ts';
import { openLedgerToRead } from '../../worker/open-ledger.ts';
import { chooseAccounts } from '../choose-account.ts';
import { exitCodes } from '../exit-codes.ts';
import { type InboxFile, listInbox } from '../inbox-files.ts';
import { lookInFiles } from '../look-in-files.ts';
import { listNotOrderedNeeds } from '../needs-person.ts';
import { openPool } from '../open-pool.ts';
import { badOption, urlOption } from '../option-text.ts';
import { drawImports } from '../output/imports.ts';
import { sayWhereItIs } from '../output/looked-in-files.ts';
import { byUrgency, drawFirstNeeds } from '../output/needs.ts';
import { drawRoutes } from '../output/notifications.ts';
import { drawOverview } from '../output/overview.ts';
import { drawPurchaseOrders } from '../output/purchase-order.ts';
import { sayWrapped } from '../output/terminal.ts';
import { readPoNumber } from '../po-argument.ts';
import { readHealth } from '../read-health.ts';
import { runCommand } from '../run-command.ts';

const shownImports = 5;
/** From this many POs on, show an estimate of the remaining time. */
const largeWork = 100;

/** Without read lags that the account's readLag already covers. */
const withoutKnownLag = <One extends AccountOverview>(
  accounts: readonly One[],
  { accounts: configured }: Config,
): One[] =>
  accounts.map((one) => {
    const known = configured.find(({ name }) => name === one.account)?.placing.readLagMs ?? 0;
    return { ...one, readLagMs: (one.readLagMs ?? 0) > known ? one.readLagMs : undefined };
  });

/** The files in the inboxes of this machine, without those already reported as problems. */
const listInboxes = async (
  pool: pg.Pool,
  { accounts: configured }: Config,
  accounts: readonly AccountOverview[],
): Promise<InboxFile[]> => {
  const found: InboxFile[] = [];
  for (const { account, fileTroubles } of accounts) {
    const own = configured.find(({ name }) => name === account);
    if (own === undefined) continue;
    const named = new Set(fileTroubles.map(({ fileName }) => fileName));
    const files = await listInbox(pool, own);
    found.push(...files.filter(({ fileName }) => !named.has(fileName.split(sep)[0]!)));
  }
  return found;
};

export const addStatusCommand = (program: Command): void => {
  program
    .command('status')
    .description(
      'Shows accounts, orders, held POs, the latest imports and the running workers. With a PO number, shows everything about that PO. Read-only: nothing is created or migrated.',
    )
    .argument('[po]', 'PO number')
    .option('--account <name>', 'show only this account')
    .option(
      '--check',
      `health check: list problems that a person has to solve, and exit with code ${exitCodes.unhealthy.code} if there are any`,
    )
    .option(...urlOption)
    .addHelpText(
      'after',
      `
Examples:
  cartwright status
  cartwright status 4500081
  cartwright status --check || mail -s 'Cartwright needs you' ops@example.com
  cartwright status --json | jq '.accounts[].states'`,
    )
    .action(
      runCommand<{ account?: string; check?: boolean; url?: string }>(
        'task',
        async (context, [named], { account, check, url }) => {
          const poNumber = named === undefined ? undefined : readPoNumber(named);
          const { config, terminal } = context;
          if (check && poNumber !== undefined) {
            throw badOption(
              '--check cannot be combined with a PO number: it checks whole accounts. Remove one of the two.',
            );
          }
          if (url !== undefined) {
            const { remoteStatus } = await import('../remote/remote-status.ts');
            return remoteStatus(terminal, url, { poNumber, account, check });
          }
          const accounts = chooseAccounts(config, account).map(({ name }) => name);
          const pool = await openPool(context, openLedgerToRead);
          if (poNumber !== undefined) {
            const found = await readPurchaseOrdersNamed(pool, poNumber, account);
            if (found.length === 0) {
              const files = await lookInFiles({ config, pool }, poNumber, accounts);
              return sayWhereItIs(terminal, poNumber, files);
            }
            const workers = await listWorkers(pool);
            const shown = found.map(presentPurchaseOrder).map((po) => ({
              ...po,
              troubles: isActiveState(po.state) ? accountProblems(po.account, { config, workers }) : [],
            }));
            terminal.answer({ purchaseOrders: shown });
            terminal.say(drawPurchaseOrders(terminal, shown));
            return 'fine';
          }
          // Accounts removed from the configuration are shown while they have unfinished work.
          const orphans = account === undefined ? await listAccountsWithWork(pool) : [];
          const health = await readHealth(pool, config, [...new Set([...accounts, ...orphans])]);
          const { problems } = health;
          const overview = {
            ...health.overview,
            accounts: withoutKnownLag(health.overview.accounts, config),
          };
          if (check) {
            terminal.answer({ healthy: problems.length === 0, problems });
            for (const { message } of problems) sayWrapped(terminal, message);
            if (problems.length === 0) terminal.say('Healthy.');
            return problems.length === 0 ? 'fine' : 'unhealthy';
          }
          const notOrdered = await listNotOrderedNeeds(pool, accounts);
          const progress = await readProgress(pool, accounts, largeWork);
          const inbox = await listInboxes(pool, config, overview.accounts);
          const imports = await latestImports(pool, { account, limit: shownImports });
          terminal.answer({
            ...overview,
            imports,
            problems,
            notOrdered,
            progress,
            inbox: inbox.map(({ account: { name }, fileName, why, at }) => ({
              account: name,
              fileName,
              why,
              at,
            })),
          });
          const needs = byUrgency([...problems, ...notOrdered]);
          const text = [
            drawOverview(terminal, {
              ...overview,
              ...{ needs, progress, inbox },
              accounts: overview.accounts.map((one) => ({
                ...one,
                problems: needs.filter((need) => need.account === one.account),
              })),
            }),
            ...drawRoutes(terminal, overview.routes),
            ...(imports.length > 0 ? ['', drawImports(terminal, imports, { isBrief: true })] : []),
          ].join('\n');
          terminal.say(text);
          // The top has scrolled off the screen.
          if (needs.length > 0 && text.split('\n').length >= (terminal.rows ?? Number.POSITIVE_INFINITY))
            terminal.say(drawFirstNeeds(terminal, needs));
          return 'fine';
        },
        { whileBroken: true },
      ),
    );
};
