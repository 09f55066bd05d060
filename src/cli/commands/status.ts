import { sep } from 'node:path';
import type { Command } from 'commander';
import type pg from 'pg';
import type { Config } from '../../config/config.ts';
import { UserError } from '../../errors.ts';
import { listFolderBacklog } from '../../ledger/account-folders.ts';
import { latestImports } from '../../ledger/import-counts.ts';
import { readRouteStates } from '../../ledger/notifications.ts';
import { listAccountsWithWork, type Overview, readOverview } from '../../ledger/overview.ts';
import { readProgress } from '../../ledger/progress.ts';
import { findPurchaseOrders } from '../../ledger/purchase-order-history.ts';
import { listWorkers } from '../../ledger/workers.ts';
import { activeStates } from '../../placing/types.ts';
import { accountProblems } from '../../worker/account-problems.ts';
import { openLedgerToRead } from '../../worker/open-ledger.ts';
import { chooseAccounts } from '../choose-account.ts';
import { exitCodes } from '../exit-codes.ts';
import { checkHealth } from '../health-check.ts';
import { type InboxFile, listInbox } from '../inbox-files.ts';
import { lookInFiles } from '../look-in-files.ts';
import { listNotOrderedNeeds } from '../needs-person.ts';
import { listOpenProblems } from '../open-problems.ts';
import { drawImports } from '../output/imports.ts';
import { sayWhereItIs } from '../output/looked-in-files.ts';
import { byUrgency, drawFirstNeeds } from '../output/needs.ts';
import { drawRoutes, withUnusable } from '../output/notifications.ts';
import { drawOverview } from '../output/overview.ts';
import { drawPurchaseOrder } from '../output/purchase-order.ts';
import { readPoNumber } from '../po-argument.ts';
import { runCommand } from '../run-command.ts';
import { urlOption } from '../url-option.ts';
import { whyAccountClosed } from '../why-account-closed.ts';

const shownImports = 5;
/** From so many POs on, how long they take is worth an estimate. */
const largeWork = 100;

/** Without read lags that the account's readLag already covers. */
const withoutKnownLag = (overview: Overview, { accounts }: Config): Overview => ({
  ...overview,
  accounts: overview.accounts.map((one) => {
    const known = accounts.find(({ name }) => name === one.account)?.placing.readLagMs ?? 0;
    return { ...one, readLagMs: (one.readLagMs ?? 0) > known ? one.readLagMs : undefined };
  }),
});

/** The files in the inboxes of this machine, without those that are a problem already. */
const listInboxes = async (
  pool: pg.Pool,
  { accounts: configured }: Config,
  accounts: Overview['accounts'],
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

/** `cartwright status`. */
export const addStatusCommand = (program: Command): void => {
  program
    .command('status')
    .summary('show accounts, imports and workers, or one PO')
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
          const { config, logger, terminal, atEnd } = context;
          if (check && poNumber !== undefined) {
            throw new UserError(
              'bad_option',
              '--check cannot be combined with a PO number: it checks whole accounts. Remove one of the two.',
            );
          }
          if (url !== undefined) {
            const { remoteStatus } = await import('../remote/remote-status.ts');
            return remoteStatus(terminal, url, { poNumber, account, check });
          }
          const accounts = chooseAccounts(config, account).map(({ name }) => name);
          const ledger = await openLedgerToRead({ config, logger, connections: 2, tell: terminal.note });
          atEnd(() => ledger.stop());
          if (poNumber !== undefined) {
            const found = await findPurchaseOrders(ledger.pool, poNumber, account);
            if (found.length === 0) {
              const files = await lookInFiles({ config, pool: ledger.pool }, poNumber, accounts);
              return sayWhereItIs(terminal, poNumber, files);
            }
            const workers = await listWorkers(ledger.pool);
            const isActive = (state: string) => (activeStates as readonly string[]).includes(state);
            const shown = found.map((po) => ({
              ...po,
              troubles: isActive(po.state) ? accountProblems(po.account, { config, workers }) : [],
            }));
            terminal.answer({ purchaseOrders: shown });
            terminal.say(shown.map((po) => drawPurchaseOrder(terminal, po)).join('\n'));
            return exitCodes.fine.code;
          }
          // Accounts that were removed from the configuration are shown while they have unfinished work.
          const orphans = account === undefined ? await listAccountsWithWork(ledger.pool) : [];
          const read = withoutKnownLag(
            await readOverview(ledger.pool, [...new Set([...accounts, ...orphans])]),
            config,
          );
          const folders = await listFolderBacklog(
            ledger.pool,
            read.accounts.map((one) => one.account),
          );
          const overview = {
            ...read,
            openAlarms: await listOpenProblems(ledger.pool, config, accounts),
            brokenConfiguration: config.instead?.message,
            routes: withUnusable(await readRouteStates(ledger.pool), config.notifications.routes),
            accounts: read.accounts.map((one) => ({
              ...one,
              troubles: accountProblems(one.account, { config, workers: read.workers, folders }),
              closed: whyAccountClosed(config, one.account),
            })),
          };
          const { openAlarms, ...shown } = overview;
          const problems = checkHealth(overview, new Date());
          if (check) {
            terminal.answer({ healthy: problems.length === 0, problems });
            for (const { message } of problems) terminal.say(terminal.wrap(message));
            if (problems.length === 0) terminal.say('Healthy.');
            return problems.length === 0 ? exitCodes.fine.code : exitCodes.unhealthy.code;
          }
          const notOrdered = await listNotOrderedNeeds(ledger.pool, accounts);
          const progress = await readProgress(ledger.pool, accounts, largeWork);
          const inbox = await listInboxes(ledger.pool, config, overview.accounts);
          const imports = await latestImports(ledger.pool, { account, limit: shownImports });
          terminal.answer({
            ...shown,
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
          // The top has left the screen.
          if (needs.length > 0 && text.split('\n').length >= (terminal.rows ?? Number.POSITIVE_INFINITY))
            terminal.say(drawFirstNeeds(terminal, needs));
          return exitCodes.fine.code;
        },
        { whileBroken: true },
      ),
    );
};
