import type { Command } from 'commander';
import type { Config } from '../../config-schema.ts';
import { UserError } from '../../errors.ts';
import { latestImports } from '../../ledger/import-progress.ts';
import { listAccountsWithWork, type Overview, readOverview } from '../../ledger/overview.ts';
import { findPurchaseOrders } from '../../ledger/purchase-order-history.ts';
import { listWorkers } from '../../ledger/workers.ts';
import { activeStates } from '../../placing/types.ts';
import { troublesOf } from '../account-troubles.ts';
import { chooseAccounts } from '../choose-account.ts';
import { exitCodes } from '../exit-codes.ts';
import { findProblems } from '../find-problems.ts';
import { openLedgerToRead } from '../open-ledger.ts';
import { drawImports } from '../output/imports.ts';
import { drawOverview } from '../output/overview.ts';
import { drawPurchaseOrder } from '../output/purchase-order.ts';
import { runCommand } from '../run-command.ts';

const shownImports = 10;

/** A lag that the account's readLag already allows for is nothing to tell a person. */
const withoutKnownLag = (overview: Overview, { accounts }: Config): Overview => ({
  ...overview,
  accounts: overview.accounts.map((one) => {
    const known = accounts.find(({ name }) => name === one.account)?.placing.readLagMs ?? 0;
    return { ...one, readLagMs: (one.readLagMs ?? 0) > known ? one.readLagMs : undefined };
  }),
});

/** `cartwright status`. */
export const addStatusCommand = (program: Command): void => {
  program
    .command('status')
    .summary('where everything stands, or one PO')
    .description(
      'Shows accounts, orders, what is held and why, the latest imports and the live workers; with a PO number everything about that PO. Only reads: nothing is created or migrated.',
    )
    .argument('[po]', 'a PO number')
    .option('--account <name>', 'only this account')
    .option(
      '--check',
      `health check: list what needs a person, and exit with ${exitCodes.unhealthy.code} if there is any`,
    )
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
      runCommand<{ account?: string; check?: boolean }>(
        'task',
        async (context, [poNumber], { account, check }) => {
          const { config, logger, terminal, atEnd } = context;
          if (check && poNumber !== undefined) {
            throw new UserError('bad_option', '--check looks at whole accounts: leave out the PO number.');
          }
          const accounts = chooseAccounts(config, account).map(({ name }) => name);
          const ledger = await openLedgerToRead({ config, logger, connections: 2, tell: terminal.note });
          atEnd(() => ledger.stop());
          if (poNumber !== undefined) {
            const found = await findPurchaseOrders(ledger.pool, poNumber, account);
            if (found.length === 0) {
              throw new UserError(
                'po_unknown',
                `The ledger has no purchase order ${poNumber}${account ? ` of account ${account}` : ''}.`,
              );
            }
            const workers = await listWorkers(ledger.pool);
            const waits = (state: string) => (activeStates as readonly string[]).includes(state);
            const shown = found.map((po) => ({
              ...po,
              troubles: waits(po.state) ? troublesOf(po.account, { config, workers }) : [],
            }));
            terminal.answer({ purchaseOrders: shown });
            terminal.say(shown.map((po) => drawPurchaseOrder(terminal, po)).join('\n'));
            return exitCodes.fine.code;
          }
          // Work of an account that is in no configuration any more must not vanish from sight.
          const orphans = account === undefined ? await listAccountsWithWork(ledger.pool) : [];
          const read = withoutKnownLag(
            await readOverview(ledger.pool, [...new Set([...accounts, ...orphans])]),
            config,
          );
          const overview = {
            ...read,
            accounts: read.accounts.map((one) => ({
              ...one,
              troubles: troublesOf(one.account, { config, workers: read.workers }),
            })),
          };
          const problems = findProblems(overview, new Date());
          if (check) {
            terminal.answer({ healthy: problems.length === 0, problems });
            for (const { message } of problems) terminal.say(message);
            if (problems.length === 0) terminal.say('Healthy.');
            return problems.length === 0 ? exitCodes.fine.code : exitCodes.unhealthy.code;
          }
          const imports = await latestImports(ledger.pool, { account, limit: shownImports });
          terminal.answer({ ...overview, imports, problems });
          terminal.say(drawOverview(terminal, overview));
          if (imports.length > 0) terminal.say(`\n${drawImports(terminal, imports)}`);
          return exitCodes.fine.code;
        },
      ),
    );
};
