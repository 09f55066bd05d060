import type { Logger } from '../logger.ts';
import type { Observation } from './decide.ts';
import { waitedForLagMs } from './move-for.ts';
import type { PlacingRules } from './options.ts';
import type { PlacingLedger, TakenPurchaseOrder } from './types.ts';

/**
 * Notes for the account that the cart which was just looked up could be read only after it had been looked up before:
 * the service shows what was written later than the account's readLag says. Logged when it is longer than was known.
 */
export const noteLag = async (
  { ledger, logger }: { ledger: Pick<PlacingLedger, 'noteReadLag'>; logger: Logger },
  po: TakenPurchaseOrder,
  rules: PlacingRules,
  seen: Observation,
): Promise<void> => {
  if (po.state !== 'items_added' || po.looks === 0 || seen.saw !== 'standing') return;
  if (seen.cart !== 'equal' && seen.cart !== 'unreadable') return;
  const lagMs = rules.readLagMs + waitedForLagMs(po.looks);
  if (!(await ledger.noteReadLag(po.account, lagMs))) return;
  const seconds = Math.ceil(lagMs / 1000);
  logger.warn(
    { account: po.account, poNumber: po.poNumber, waitMs: lagMs },
    `what was written to the service could be read only after up to ${seconds} s; set accounts.${po.account}.readLag to ${seconds}s`,
  );
};
