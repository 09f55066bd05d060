import type { Command } from 'commander';
import { UserError } from '../../errors.ts';
import { latestImports } from '../../ledger/import-progress.ts';
import { readOverview } from '../../ledger/overview.ts';
import { findPurchaseOrders } from '../../ledger/purchase-order-history.ts';
import { chooseAccounts } from '../choose-account.ts';
import { exitCodes } from '../exit-codes.ts';
import { openLedger } from '../open-ledger.ts';
import { drawImports } from '../output/imports.ts';
import { drawOverview } from '../output/overview.ts';
import { drawPurchaseOrder } from '../output/purchase-order.ts';
import { runCommand } from '../run-command.ts';

const shownImports = 10;

/** `cartwright status`. */
export const addStatusCommand = (program: Command): void => {
  program
    .command('status')
    .summary('where everything stands, or one PO')
    .description(
      'Shows accounts, orders, what is held and why, the latest imports and the live workers; with a PO number everything about that PO. Reads the ledger only.',
    )
    .argument('[po]', 'a PO number')
    .option('--account <name>', 'only this account')
    .addHelpText(
      'after',
      `
Examples:
  cartwright status
  cartwright status 4500081
  cartwright status --json | jq '.accounts[].states'`,
    )
    .action(
      runCommand<{ account?: string }>('task', async (context, [poNumber], { account }) => {
        const { config, logger, terminal, atEnd } = context;
        const accounts = chooseAccounts(config, account).map(({ name }) => name);
        const ledger = await openLedger(config, logger, 2);
        atEnd(() => ledger.stop());
        if (poNumber !== undefined) {
          const found = await findPurchaseOrders(ledger.pool, poNumber, account);
          if (found.length === 0) {
            throw new UserError(
              'po_unknown',
              `The ledger has no purchase order ${poNumber}${account ? ` of account ${account}` : ''}.`,
            );
          }
          terminal.answer({ purchaseOrders: found });
          terminal.say(found.map((po) => drawPurchaseOrder(terminal, po)).join('\n'));
          return exitCodes.fine.code;
        }
        const overview = await readOverview(ledger.pool, accounts);
        const imports = await latestImports(ledger.pool, { account, limit: shownImports });
        terminal.answer({ ...overview, imports });
        terminal.say(drawOverview(terminal, overview));
        if (imports.length > 0) terminal.say(`\n${drawImports(terminal, imports)}`);
        return exitCodes.fine.code;
      }),
    );
};
